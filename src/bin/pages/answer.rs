//! An answer, whole: what was used, the words, and what can be done with them.

use crate::blocks::{Words, blocks};
use crate::browser;
use crate::icon::icon;
use crate::points::summary;
use crate::status::lasted;
use crate::surface::Surface;
use crate::words::{grouped, msg, msg_with, span as span_of};
use gloss::agent::{Answer, Goal, Layout, Voice};
use gloss::host::RunId;
use sycamore::prelude::*;

/// How long the tick of *Copy* stands.
const COPIED_MS: i32 = 2_000;

/// The answer of this run, if it stands.
pub(crate) fn answer(run: &RunId) -> View {
    let surface = Surface::here();
    let answer = surface.of(run, |turn| turn.answer.clone());
    view! {
        (answer.get_clone().flatten().map(|answer| whole(&answer)))
    }
}

fn whole(answer: &Answer) -> View {
    let words = Words::of(answer);
    let used = answer.share_percent.map(used);
    let body = match answer.layout {
        Layout::Summary => summary(&words, &answer.blocks),
        Layout::Prose => prose(&words, answer),
    };
    let quoted = answer.voice == Voice::Page && !answer.citations.is_empty();
    let origin = quoted.then(|| view! { p(class="meta") { (msg("page_sentences")) } });
    view! { (used) (body) (origin) }
}

fn prose(words: &Words, answer: &Answer) -> View {
    let body = blocks(words, &answer.blocks);
    match answer.voice {
        Voice::Page => view! { div(class="prose quote") { (body) } },
        Voice::Model => body,
    }
}

/// The share of the page that was read: a strip and its number.
fn used(percent: u8) -> View {
    let percent = percent.min(100);
    let path = format!("M0 3h{percent}");
    let words = msg_with("share_used", &[&percent.to_string()]);
    view! {
        div(class="used meta") {
            svg(class="strip", viewBox="0 0 100 6", preserveAspectRatio="none", aria-hidden="true") {
                path(d=path)
            }
            span(class="num") { (words) }
        }
    }
}

/// What can be done with the answer of this run, under all that belongs to it.
pub(crate) fn acts(run: &RunId) -> View {
    let answer = Surface::here().of(run, |turn| turn.answer.clone());
    let run = run.clone();
    view! {
        (answer.get_clone().flatten().map(|answer| acts_on(&run, &answer)))
    }
}

fn acts_on(run: &RunId, answer: &Answer) -> View {
    let surface = Surface::here();
    let goal = surface.of(run, |turn| turn.goal.clone());
    let markdown = with_links(answer);
    let copied = create_signal(false);
    let cost = cost(run, answer.voice);
    let copy_name = msg("copy");
    let copy_tip = msg("copy");
    let regenerate_name = msg("regenerate");
    let regenerate_tip = msg("regenerate");
    let again_icon = icon("again");
    view! {
        div(class="acts") {
            button(
                class="icon-btn",
                aria-label=copy_name,
                title=copy_tip,
                on:click=move |_| {
                    browser::copy(&markdown, move || {
                        copied.set(true);
                        browser::after(COPIED_MS, move || {
                            // The answer may be gone by then.
                            if copied.is_alive() {
                                copied.set(false);
                            }
                        });
                    });
                },
            ) { (icon(if copied.get() { "check" } else { "copy" })) }
            button(
                class="icon-btn",
                aria-label=regenerate_name,
                title=regenerate_tip,
                on:click=move |_| again(&surface, goal.get_clone_untracked()),
            ) { (again_icon) }
            (cost)
            span(class="sr", role="status") { (if copied.get() { msg("copied") } else { String::new() }) }
        }
    }
}

fn again(surface: &Surface, goal: Option<Goal>) {
    if let Some(goal) = goal {
        surface.start(goal);
    }
}

/// Where it was made or what it used, and how long it took.
fn cost(run: &RunId, voice: Voice) -> View {
    let parts = Surface::here().of(run, move |turn| {
        let source = match voice {
            Voice::Page => Some(msg("on_device")),
            Voice::Model => {
                (turn.tokens > 0).then(|| msg_with("tokens", &[&grouped(turn.tokens.into())]))
            }
        };
        let parts = [source, lasted(turn).map(span_of)];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" · ")
    });
    view! { span(class="meta num") { (parts.get_clone().unwrap_or_default()) } }
}

/// The answer as Markdown whose citations lead to the page.
fn with_links(answer: &Answer) -> String {
    let mut text = answer.markdown.clone();
    for citation in &answer.citations {
        let mark = format!("[[{}]]", citation.passage);
        let link = format!("[¶ {}]({})", citation.paragraph, citation.url);
        text = text.replace(&mark, &link);
    }
    text
}
