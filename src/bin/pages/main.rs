//! The chat page, in the popup and in the side panel.
//!
//! Views only: a [`connection`] folds what the worker says into one snapshot
//! with the worker's own reducer, and each file beside this one shows a part of
//! it. Nothing here decides what an agent does, parses Markdown, or sets markup.

mod answer;
mod app;
mod blocks;
mod browser;
mod chrome;
mod cite;
mod composer;
mod connection;
mod growing;
mod icon;
mod log;
mod note;
mod page_chip;
mod points;
mod screen;
mod seam;
mod start;
mod status;
mod surface;
mod tabs;
mod turn;
mod warnings;
mod words;

use sycamore::web::document;

fn main() {
    console_error_panic_hook::set_once();
    if let Some(root) = document().document_element() {
        // Only the language of the messages themselves; fails for no valid name.
        let _ = root.set_attribute("lang", &words::msg("language_tag"));
    }
    if let Some(body) = document().body() {
        sycamore::render_to(app::app, &body);
    }
}
