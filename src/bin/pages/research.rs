//! What was searched for an answer, and what of it is not cited.

use crate::browser::host_of;
use crate::icon::icon;
use crate::words::{counted, msg, msg_with, said};
use gloss::agent::{Answer, Disclaimer, Left, Researched};
use gloss::phrase::Phrase;
use sycamore::prelude::*;

/// Before the answer: what was searched for, and whether it stands on no source.
pub(crate) fn before(answer: &Answer) -> View {
    let Some(research) = &answer.research else {
        return View::new();
    };
    let missing = research.missing.iter().map(Vec::as_slice);
    let missing = missing.chain(std::iter::repeat(&[][..]));
    let searches = research.searched.iter().zip(missing);
    let searches: Vec<View> = searches.map(|(it, lacks)| searched(it, lacks)).collect();
    let disclaimer = research
        .disclaimer
        .map(|it| disclaimer(it, answer, research));
    let failures: Vec<View> = research.failures.iter().map(failed).collect();
    view! { (searches) (failures) (disclaimer) }
}

/// As in "Searched: a → b", and what that does not cover.
fn searched(queries: &[String], missing: &[String]) -> View {
    let (label, search_icon) = (msg("searched"), icon("search"));
    let queries: Vec<View> = queries
        .iter()
        .enumerate()
        .map(|(at, query)| {
            let query = format!(" {query} ");
            if at == 0 {
                return view! { (query) };
            }
            let then = msg("searched_then");
            view! {
                span(aria-hidden="true") { "→" }
                span(class="sr") { (then) }
                (query)
            }
        })
        .collect();
    let missing = if missing.is_empty() {
        String::new()
    } else {
        format!(
            " · {}",
            msg_with("searched_missing", &[&missing.join("; ")])
        )
    };
    view! {
        p(class="searched meta") { (search_icon) span { (label) (queries) (missing) } }
    }
}

/// Why a search failed.
fn failed(failure: &Phrase) -> View {
    let (alert_icon, words) = (icon("alert"), said(failure));
    view! {
        p(class="caution-text") { (alert_icon) span(dir="auto") { (words) } }
    }
}

fn disclaimer(disclaimer: Disclaimer, answer: &Answer, research: &Researched) -> View {
    let alert_icon = icon("alert");
    let words = warning(disclaimer, answer);
    let results = match (disclaimer, research.not_relevant.len()) {
        (Disclaimer::Alone | Disclaimer::Failed, 0)
        | (Disclaimer::Unchecked | Disclaimer::Uncited, _) => String::new(),
        (Disclaimer::Alone | Disclaimer::Failed, found) => {
            format!(
                " {}",
                msg_with("model_alone_results", &[&found.to_string()])
            )
        }
    };
    view! {
        p(class="caution-text") { (alert_icon) span { b { (words) } (results) } }
    }
}

/// What an answer without a source has to say of itself.
pub(crate) fn warning(disclaimer: Disclaimer, answer: &Answer) -> String {
    // It may stand on the person's own page.
    let is_alone = answer.citations.is_empty();
    msg(match (disclaimer, is_alone) {
        (Disclaimer::Alone, true) => "model_alone",
        (Disclaimer::Failed, true) => "model_alone_failed",
        (Disclaimer::Alone, false) => "page_alone",
        (Disclaimer::Failed, false) => "page_alone_failed",
        (Disclaimer::Unchecked, _) => "model_unchecked",
        (Disclaimer::Uncited, _) => "model_uncited",
    })
}

/// Under the sources: what is not relevant, folded, and what nobody checked.
pub(crate) fn after(answer: &Answer) -> View {
    let Some(research) = &answer.research else {
        return View::new();
    };
    let uncited = folded(&research.uncited, ["not_cited_one", "not_cited_many"]);
    let not_relevant = folded(
        &research.not_relevant,
        ["not_relevant_one", "not_relevant_many"],
    );
    let unchecked = unchecked(&research.unchecked);
    view! { (uncited) (not_relevant) (unchecked) }
}

fn folded(left: &[Left], summaries: [&'static str; 2]) -> View {
    if left.is_empty() {
        return View::new();
    }
    let summary = counted(summaries, left.len() as u64);
    let rows: Vec<View> = left
        .iter()
        .map(|left| {
            let (title, url) = (title(left), left.url.clone());
            let reason = match left.reason.trim() {
                "" => String::new(),
                reason => format!(" · {reason}"),
            };
            view! {
                li(dir="auto") {
                    a(href=url, target="_blank", rel="noopener") { (title) }
                    (reason)
                }
            }
        })
        .collect();
    view! {
        details(class="meta") {
            summary { (summary) }
            ul { (rows) }
        }
    }
}

fn unchecked(left: &[Left]) -> View {
    if left.is_empty() {
        return View::new();
    }
    let (label, means) = (msg("unchecked_sources"), msg("unchecked_means"));
    let rows: Vec<View> = left
        .iter()
        .map(|left| {
            let (title, host, url) = (title(left), host_of(&left.url), left.url.clone());
            view! {
                li {
                    a(class="grow clip", href=url, target="_blank", rel="noopener") { (title) }
                    span(class="meta") { (host) }
                }
            }
        })
        .collect();
    view! {
        section(class="sources") {
            h3(class="label") { (label) }
            ul { (rows) }
            p(class="meta") { (means) }
        }
    }
}

/// What a page is called.
fn title(left: &Left) -> String {
    if left.title.trim().is_empty() {
        host_of(&left.url)
    } else {
        left.title.clone()
    }
}
