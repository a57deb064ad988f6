//! A reference to a passage: ¶ 14, as a note in the margin, or a number in a
//! model's running text, whose popover shows the passage.
//!
//! A press shows it in the page's tab, or opens the page in a tab of its own ([`crate::passage`]).

use crate::blocks::Words;
use crate::browser::{host_of, unique_id};
use crate::copy::copy;
use crate::float::{follow, is};
use crate::icon::icon;
use crate::live::handler;
use crate::sources::is_excerpt;
use crate::surface::Surface;
use crate::words::{msg, msg_with};
use gloss::agent::{Citation, Goal, Voice};
use gloss::app::surface::Turn;
use gloss::page::without_place;
use gloss::ui::citation_marks::mentioned;
use sycamore::prelude::*;

/// The reference. While the answer grows it is a mark that leads nowhere yet,
/// of the same width; in a whole answer, one that names no passage says so.
pub(crate) fn cite(said: &Words, passage: &str) -> View {
    if !said.is_whole() {
        return growing(passage);
    }
    match (said.number(passage), said.citation(passage)) {
        (Some(number), citation) => numbered(number, passage, citation),
        (None, Some(citation)) => in_margin(citation),
        (None, None) => {
            let mark = format!("¶\u{a0}{}?", paragraph_of(passage));
            let no_such_passage_tip = msg("no_such_passage");
            let no_such_passage_word = msg("no_such_passage");
            view! {
                span(class="cite unverified", title=no_such_passage_tip) {
                    (mark)
                    span(class="sr") { (no_such_passage_word) }
                }
            }
        }
    }
}

fn in_margin(citation: &Citation) -> View {
    let number = citation.paragraph.to_string();
    let label = match &citation.elsewhere {
        Some(_) => msg_with("passage_elsewhere", &[&number, &host_of(&citation.url)]),
        None => msg_with("passage_in_paragraph", &[&number]),
    };
    let mark = format!("¶\u{a0}{number}");
    let (url, quote) = (citation.url.clone(), citation.quote.clone());
    view! {
        a(
            class="ref",
            href=url,
            target="_blank",
            rel="noopener",
            title=quote,
            aria-label=label,
        ) { (mark) }
    }
}

/// What it will be once the answer is whole, as far as that is known.
fn growing(passage: &str) -> View {
    let number = Surface::here().shown.with_untracked(|shown| {
        let mut turns = shown.turns.iter().rev().filter(|turn| is_numbered(turn));
        turns.find_map(|turn| {
            let passages = mentioned(&turn.growing);
            passages.iter().position(|known| known == passage)
        })
    });
    if let Some(at) = number {
        let mark = (at + 1).to_string();
        view! { span(class="cite") { (mark) } }
    } else {
        let mark = format!("¶\u{a0}{}", paragraph_of(passage));
        view! { span(class="ref") { (mark) } }
    }
}

fn is_numbered(turn: &Turn) -> bool {
    turn.model.voice == Voice::Model && turn.goal != Goal::Summarize
}

fn numbered(number: usize, passage: &str, citation: Option<&Citation>) -> View {
    let open = create_signal(false);
    let id = format!("cite-{}", unique_id());
    let (shown, key, class) = match citation {
        Some(citation) if !is_excerpt(citation) => (number.to_string(), "source_verified", "cite"),
        Some(_) | None => (format!("{number}?"), "source_unverified", "cite unverified"),
    };
    let label = msg_with(key, &[&number.to_string()]);
    let title = format!("{id}-h");
    let inside = match citation {
        Some(citation) => verified(citation, &title),
        None => unverified(passage, &title),
    };
    let (target, controls) = (id.clone(), id.clone());
    view! {
        button(
            r#type="button",
            class=class,
            aria-label=label,
            aria-haspopup="dialog",
            aria-expanded=move || is(open.get()),
            aria-controls=controls,
            "popovertarget"=target,
        ) { (shown) }
        div(
            class="pop",
            id=id,
            popover="auto",
            role="dialog",
            aria-labelledby=title,
            on:toggle=handler(follow(open)),
        ) { (inside) }
    }
}

fn verified(citation: &Citation, heading: &str) -> View {
    let (title, sign) = source(citation);
    let place = match &citation.elsewhere {
        Some(_) => format!("{} · ¶\u{a0}{}", host_of(&citation.url), citation.paragraph),
        None => format!("¶\u{a0}{}", citation.paragraph),
    };
    let (quote, url) = (citation.quote.clone(), citation.url.clone());
    let (stands, class, stands_icon) = if is_excerpt(citation) {
        (msg("excerpt_only_long"), "caution-text", icon("alert"))
    } else {
        (msg("word_for_word"), "ok-text", icon("check"))
    };
    let show_word = msg("show_in_page");
    let heading = heading.to_owned();
    let copied = citation.quote.clone();
    let copy = copy("copy_quote", "icon-btn", move || copied.clone());
    view! {
        h3(class="row", id=heading) {
            span(class="fav", aria-hidden="true") { (sign) }
            span(class="grow clip") { (title) }
            span(class="meta num") { (place) }
        }
        blockquote(dir="auto") { (quote) }
        p(class=class) { (stands_icon) (stands) }
        div(class="row") {
            a(class="btn", href=url, target="_blank", rel="noopener") { (show_word) }
            (copy)
        }
    }
}

fn unverified(passage: &str, heading: &str) -> View {
    let place = msg_with("paragraph_unknown", &[&paragraph_of(passage)]);
    let (words, alert_icon) = (msg("no_such_passage_long"), icon("alert"));
    let heading = heading.to_owned();
    view! {
        h3(id=heading) { (place) }
        p(class="caution-text") { (alert_icon) span { (words) } }
    }
}

/// The title of the page that a citation is of, and its sign.
pub(crate) fn source(citation: &Citation) -> (String, String) {
    let page = without_place(&citation.url);
    let title = citation.elsewhere.clone().or_else(|| {
        Surface::here().shown.with_untracked(|shown| {
            let mut pages = shown
                .turns
                .iter()
                .rev()
                .filter_map(|turn| turn.page.as_ref());
            let known = pages.find(|read| without_place(&read.url) == page);
            known.map(|read| read.title.clone())
        })
    });
    let host = host_of(&citation.url);
    let initial = host
        .chars()
        .next()
        .unwrap_or('·')
        .to_uppercase()
        .to_string();
    (
        title.filter(|title| !title.is_empty()).unwrap_or(host),
        initial,
    )
}

pub(crate) fn paragraph_of(passage: &str) -> String {
    // A passage from elsewhere has its source before it, as in `w1a1.p4`.
    let own = passage.rsplit_once(".p").map_or(passage, |(_, own)| own);
    let numbers = own.trim_start_matches('p');
    numbers.split('.').next().unwrap_or(numbers).to_owned()
}
