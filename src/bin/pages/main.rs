//! Two pages: the chat page, shown in the popup and in the side panel, and the options page.
//!
//! The files in this folder only show state. [`connection`] applies the worker's messages to one
//! snapshot, with the same reducer as the worker, and each file shows a part of that snapshot. No
//! file here decides what an agent does, parses Markdown, or sets HTML from text.

mod answer;
mod app;
mod approval;
mod bar;
mod blocks;
mod browser;
mod built_in;
mod cards;
mod chrome;
mod cite;
mod commands;
mod composer;
mod connection;
mod copy;
mod dock;
mod ending;
mod escape;
mod fact_notes;
mod grants;
mod growing;
mod history;
mod icon;
mod keyed;
mod live;
mod loaded_image;
mod log;
mod model_menu;
mod note;
mod notice_line;
mod options;
mod page_chip;
mod parts;
mod passage;
mod passages;
mod pause;
mod permission;
mod picture;
mod points;
mod popover;
mod prelude;
mod queue;
mod research;
mod save;
mod screen;
mod sources;
mod spending;
mod start;
mod status;
mod step;
mod step_back;
mod step_edit;
mod surface;
mod tabs;
mod text_context;
mod tool_switches;
mod tools;
mod trajectory;
mod tuning;
mod turn;
mod unknown;
mod user_message;
mod warnings;
mod words;

use sycamore::web::document;

fn main() {
    console_error_panic_hook::set_once();
    if let Some(root) = document().document_element() {
        // The language of the interface's texts. The call doesn't fail for a valid
        // attribute name.
        let _ = root.set_attribute("lang", &words::msg("language_tag"));
    }
    browser::press_once();
    if let Some(body) = document().body() {
        match body.get_attribute("data-page").as_deref() {
            Some("options") => sycamore::render_to(|| options::options().into(), &body),
            _ => sycamore::render_to(|| app::app().into(), &body),
        }
    }
}
