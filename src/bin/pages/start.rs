//! The content of an empty conversation: the page in the tab, and suggested questions about it.

use crate::browser::host_of;
use crate::prelude::*;
use crate::surface::Surface;
use gloss::agent::PageRead;
use gloss::app::surface::{Command, TabContent};
use gloss::ui::figures::{is_chinese, reading_minutes};
use gloss::ui::turns::{CLOSED, NO_ACCESS};

/// The content of an empty conversation.
pub(crate) fn start() -> Tag {
    let surface = Surface::from_context();
    let (beside, known) = (surface.beside(), surface.known);
    let start = live(move || match beside.get_clone() {
        _ if !known.get() => View::new(),
        TabContent::Page { page } => of_page(&page),
        // The permission card in the dock explains the rest.
        TabContent::Unreadable { failure, .. } if failure.code == NO_ACCESS => {
            meta(msg("not_read_yet"))
        }
        TabContent::Unreadable { failure, .. } => {
            let title = tag("h2", phrase_text(&failure.title));
            let list = (failure.code == CLOSED).then(|| {
                let words = msg("never_here_link");
                (" ", link("a", "options.html#never".to_owned(), words))
            });
            let remedy = tag("p.remedy", (phrase_text(&failure.remedy), list));
            fragment((title, remedy.role("status")))
        }
        TabContent::Looking | TabContent::Nothing => View::new(),
    });
    tag("div.start", (start, unfinished()))
}

/// The number of unfinished conversations, with a link to their list.
fn unfinished() -> View {
    let surface = Surface::from_context();
    let shown = surface.shown;
    let count = create_selector(move || shown.with(|shown| shown.unfinished));
    live_if(
        move || count.get() > 0,
        move || {
            let words = counted(["unfinished_one", "unfinished_many"], count.get().into());
            let surface = surface.clone();
            let ask = move || surface.connection().ask(&Command::History);
            let see = button("tiny", msg("unfinished_see"), ask);
            let line = tag("p.meta.row.wrap.interrupted", (tag("span", words), see));
            View::from(line.role("status"))
        },
    )
}

fn of_page(page: &PageRead) -> View {
    let surface = Surface::from_context();
    let key = tag("kbd", msg("summarize_key")).attr("aria-hidden", "true");
    let words = (
        icon("summary"),
        tag("span.grow", msg("summarize_page")),
        key,
    );
    let summarize = tag("button", words).press(move || surface.summarize());
    let asks = tag("ul.asks", tag("li", summarize)).name(msg("suggestions"));
    let title = tag("h2.quote", page.title.clone());
    fragment((title, tag("p.meta.num", measures(page)), asks, never(page)))
}

/// The button that adds the page's site to the sites that Gloss never reads.
fn never(page: &PageRead) -> Option<Tag> {
    let host = web_sys::Url::new(&page.url).ok()?.hostname();
    let site = host.strip_prefix("www.").unwrap_or(&host).to_owned();
    let words = msg_with("never_read", &[&site]);
    let surface = Surface::from_context();
    let close = button("quiet tiny", (icon("lock"), words), move || {
        let site = site.clone();
        surface.connection().send(Command::CloseSite { site });
        surface.focus_message();
    });
    (!host.is_empty()).then(|| tag("p.never", close))
}

/// Returns the page's host, number of words and reading time, as far as they are known.
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
