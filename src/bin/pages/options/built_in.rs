//! The browser's own model among those that answer, where the browser has one.

use super::models::main_tag;
use super::page::Page;
use crate::built_in::BuiltIn;
use crate::live::{handler, live, live_text};
use crate::words::{msg, msg_with};
use gloss::host_browser::built_in::Availability;
use gloss::model::BUILT_IN;
use sycamore::prelude::*;

/// Its row.
pub(super) fn row() -> View {
    let built_in = BuiltIn::here();
    built_in.look();
    let state = built_in.state;
    let is_here = create_selector(move || state.get() != Availability::Unavailable);
    live(move || {
        if is_here.get() {
            whole(built_in)
        } else {
            View::new()
        }
    })
}

fn whole(built_in: BuiltIn) -> View {
    let set = Page::here().preferences();
    let is_main = move || set.with(|set| set.answers.as_deref() == Some(BUILT_IN));
    let main_tag = main_tag(create_selector(is_main));
    let (name, means) = (msg("built_in"), msg("built_in_means"));
    let told = live_text(move || told(built_in));
    let button = live(move || {
        let word = match (built_in.state.get(), built_in.percent.get()) {
            (Availability::Downloadable, None) => "built_in_download",
            (Availability::Downloading, None) => "built_in_progress",
            _ => return View::new(),
        };
        let word = msg(word);
        view! {
            button(
                r#type="button",
                class="btn",
                on:click=handler(move |_| built_in.download()),
            ) { (word) }
        }
    });
    view! {
        li(id="built-in") {
            div(class="grow") {
                b { (name) }
                " "
                (main_tag)
                p { (means) }
                p(role="status") { (told) }
            }
            div(class="row") { (button) }
        }
    }
}

/// How far it is, or why it is no further.
fn told(built_in: BuiltIn) -> String {
    if let Some(percent) = built_in.percent.get() {
        return msg_with("built_in_percent", &[&percent.to_string()]);
    }
    if let Some(why) = built_in.failed.get_clone() {
        return msg_with("built_in_failed", &[&why]);
    }
    match built_in.state.get() {
        Availability::Downloadable => msg("built_in_download_means"),
        Availability::Downloading => msg("built_in_downloading"),
        Availability::Available | Availability::Unavailable => String::new(),
    }
}
