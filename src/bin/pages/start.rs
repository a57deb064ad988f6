//! First use: what the page is, and what to ask of it.

use crate::browser::host_of;
use crate::icon::icon;
use crate::live::{handler, live};
use crate::surface::{NO_ACCESS, Surface};
use crate::words::{counted, grouped, msg, msg_with, said};
use gloss::agent::{Failure, PageRead};
use gloss::app::surface::{Beside, Command};
use gloss::ui::figures::{is_chinese, reading_minutes};
use sycamore::prelude::*;

/// What stands in an empty conversation.
pub(crate) fn start() -> View {
    let surface = Surface::here();
    let (beside, known) = (surface.beside(), surface.known);
    let unfinished = unfinished();
    let start = live(move || match beside.get_clone() {
        _ if !known.get() => View::new(),
        Beside::Page { page } => of_page(&page),
        // The card in the dock says the rest.
        Beside::Unreadable { failure, .. } if failure.code == NO_ACCESS => {
            let words = msg("not_read_yet");
            view! { p(class="meta") { (words) } }
        }
        Beside::Unreadable { failure, .. } => of_none(&failure),
        Beside::Looking | Beside::Nothing => View::new(),
    });
    view! {
        div(class="start") {
            (start)
            (unfinished)
        }
    }
}

/// What a restart interrupted, and the way to it.
fn unfinished() -> View {
    let surface = Surface::here();
    let shown = surface.shown;
    let count = create_selector(move || shown.with(|shown| shown.unfinished));
    live(move || {
        let count = count.get();
        if count == 0 {
            return View::new();
        }
        let words = counted(["unfinished_one", "unfinished_many"], count.into());
        let (surface, see) = (surface.clone(), msg("unfinished_see"));
        view! {
            p(class="meta row wrap interrupted", role="status") {
                span { (words) }
                button(
                    r#type="button",
                    class="btn tiny",
                    on:click=handler(move |_| surface.connection().ask(&Command::History)),
                ) { (see) }
            }
        }
    })
}

fn of_page(page: &PageRead) -> View {
    let surface = Surface::here();
    let (title, measures) = (page.title.clone(), measures(page));
    let suggestions_name = msg("suggestions");
    let summary_icon = icon("summary");
    let summarize_page_word = msg("summarize_page");
    let summarize_key_word = msg("summarize_key");
    view! {
        h2(class="quote") { (title) }
        p(class="meta num") { (measures) }
        ul(class="asks", aria-label=suggestions_name) {
            li {
                button(on:click=handler(move |_| surface.summarize())) {
                    (summary_icon)
                    span(class="grow") { (summarize_page_word) }
                    kbd(aria-hidden="true") { (summarize_key_word) }
                }
            }
        }
    }
}

/// Host, words, minutes; only what is known.
fn measures(page: &PageRead) -> String {
    let host = host_of(&page.url);
    if page.words == 0 {
        return host;
    }
    let words = if is_chinese(&page.title) {
        msg_with("letters", &[&grouped(page.words.into())])
    } else {
        counted(["words_one", "words_many"], page.words.into())
    };
    let minutes = reading_minutes(&page.title, page.words).to_string();
    [host, words, msg_with("about_minutes", &[&minutes])].join(" · ")
}

fn of_none(failure: &Failure) -> View {
    let (title, remedy) = (said(&failure.title), said(&failure.remedy));
    view! {
        h2 { (title) }
        p(class="remedy") { (remedy) }
    }
}
