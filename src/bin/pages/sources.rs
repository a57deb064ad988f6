//! The sources of a model's answer, by their numbers.

use crate::browser::host_of;
use crate::cite::source;
use crate::marks::numbered;
use crate::words::{msg, msg_with};
use gloss::agent::{Answer, Citation, Voice};
use sycamore::prelude::*;

/// The list; nothing where the page itself speaks, or nothing is cited.
pub(crate) fn sources(answer: &Answer) -> View {
    if answer.voice == Voice::Page || answer.citations.is_empty() {
        return View::new();
    }
    let marks = numbered(answer);
    let rows: Vec<View> = if marks.is_empty() {
        // The margin names the passages; the list names the page.
        let mut pages: Vec<&Citation> = Vec::new();
        for citation in &answer.citations {
            let plain = |one: &Citation| one.url.split('#').next().unwrap_or_default().to_owned();
            if !pages.iter().any(|known| plain(known) == plain(citation)) {
                pages.push(citation);
            }
        }
        pages.into_iter().map(page).collect()
    } else {
        marks
            .iter()
            .enumerate()
            .filter_map(|(at, passage)| {
                let known = answer
                    .citations
                    .iter()
                    .find(|known| known.passage == *passage);
                known.map(|citation| passage_row(at + 1, citation))
            })
            .collect()
    };
    let title = msg("sources");
    let class = if marks.is_empty() { "" } else { "graded" };
    view! {
        section(class="sources") {
            h3(class="label") { (title) }
            ol(class=class) { (rows) }
        }
    }
}

fn page(citation: &Citation) -> View {
    let (title, sign) = source(citation);
    let url = citation
        .url
        .split('#')
        .next()
        .unwrap_or_default()
        .to_owned();
    let here = match &citation.elsewhere {
        Some(_) => host_of(&citation.url),
        None => msg("this_page_source"),
    };
    view! {
        li {
            span(class="fav", aria-hidden="true") { (sign) }
            a(class="grow clip", href=url, target="_blank", rel="noopener") { (title) }
            span(class="meta") { (here) }
        }
    }
}

fn passage_row(number: usize, citation: &Citation) -> View {
    let (title, _) = source(citation);
    let (number, url) = (number.to_string(), citation.url.clone());
    let paragraph = citation.paragraph.to_string();
    let place = match &citation.elsewhere {
        Some(_) => format!("{} · ¶\u{a0}{paragraph}", host_of(&citation.url)),
        None => msg_with("this_page_paragraph", &[&paragraph]),
    };
    let quote = citation.quote.clone();
    view! {
        li {
            span(class="n") { (number) }
            div(class="grow") {
                a(class="clip", href=url, target="_blank", rel="noopener") { (title) }
                p(class="meta") { (place) }
                q(class="clip", dir="auto") { (quote) }
            }
        }
    }
}
