//! An answer, whole: what was used, the words, and what can be done with them.

use crate::blocks::{Words, blocks};
use crate::cards::cards;
use crate::cite::paragraph_of;
use crate::composer::connect;
use crate::copy::copy;
use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::points::summary;
use crate::research::{after, before, warning};
use crate::sources::{in_link, listed, number, sources};
use crate::spending::spent;
use crate::status::{lasted, nth_try};
use crate::surface::Surface;
use crate::trajectory::toggle;
use crate::words::{msg, msg_with, said, span as span_of};
use gloss::agent::{Answer, Goal, Layout, Speaker, UsageSum, Voice};
use gloss::app::surface::Turn;
use gloss::host::RunId;
use gloss::markdown::Block;
use gloss::model::BUILT_IN;
use gloss::ui::citation_marks::{mentioned, numbered};
use gloss::ui::markdown_text::plain;
use sycamore::prelude::*;

/// The answer of this run, if it stands.
pub(crate) fn answer(run: &RunId) -> View {
    let surface = Surface::here();
    let answer = surface.of(run, |turn| turn.answer.clone());
    live(move || answer.get_clone().flatten().map(|answer| whole(&answer)))
}

fn whole(answer: &Answer) -> View {
    let words = Words::of(answer);
    let used = answer.share_percent.map(used);
    let body = match answer.layout {
        Layout::Summary => summary(&words, &answer.blocks),
        Layout::Prose => prose(&words, answer),
    };
    let origin = (answer.voice == Voice::Page).then(|| origin(answer));
    let (searched, sources, left_out) = (before(answer), sources(answer), after(answer));
    let cards = cards(answer);
    view! { (used) (searched) (body) (origin) (cards) (sources) (left_out) }
}

/// Whose words quotes are; what a model of one's own would add, also where there are none.
fn origin(answer: &Answer) -> View {
    match (answer.citations.is_empty(), answer.layout) {
        (true, _) => connect("", "connect_for_answers"),
        (false, Layout::Summary) => connect(&msg("page_sentences"), "connect_for_summary"),
        (false, Layout::Prose) => connect(&msg("page_sentences"), "connect_for_answers"),
    }
}

fn prose(words: &Words, answer: &Answer) -> View {
    match answer.voice {
        Voice::Page => quotes(words, answer),
        Voice::Model => blocks(words, &answer.blocks),
    }
}

/// The page's words in its face, ours between them in our own.
fn quotes(words: &Words, answer: &Answer) -> View {
    let mut parts: Vec<View> = Vec::new();
    let mut from = 0;
    for lead in &answer.leads {
        let to = lead.before.min(answer.blocks.len());
        parts.extend(in_its_face(words, answer.blocks.get(from..to)));
        let is_label = to < answer.blocks.len();
        parts.push(in_ours(&said(&lead.says), is_label));
        from = from.max(to);
    }
    parts.extend(in_its_face(words, answer.blocks.get(from..)));
    parts.into()
}

fn in_its_face(words: &Words, quoted: Option<&[Block]>) -> Option<View> {
    let quoted = quoted.filter(|quoted| !quoted.is_empty())?;
    let body = blocks(words, quoted);
    Some(view! { div(class="prose quote") { (body) } })
}

/// A label over quotes, or all there is to say.
fn in_ours(words: &str, is_label: bool) -> View {
    let words = words.to_owned();
    if is_label {
        view! { p(class="label") { (words) } }
    } else {
        view! { p { (words) } }
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
    live(move || {
        answer
            .get_clone()
            .flatten()
            .map(|answer| acts_on(&run, &answer))
    })
}

fn acts_on(run: &RunId, answer: &Answer) -> View {
    let surface = Surface::here();
    let goal = surface.of(run, |turn| turn.goal.clone());
    let (running, last) = (surface.is_running(), surface.is_last(run));
    let markdown = with_links(answer);
    let cost = cost(run);
    let regenerate_name = msg("regenerate");
    let regenerate_tip = msg("regenerate");
    let again_icon = icon("again");
    let copy = copy("copy", "icon-btn", move || markdown.clone());
    let (replaced, opened) = (run.clone(), run.clone());
    let go_on = go_on(run);
    let toggle = live(move || {
        if last.get() {
            View::new()
        } else {
            toggle(opened.clone())
        }
    });
    view! {
        (go_on)
        div(class="acts") {
            (copy)
            button(
                class="icon-btn",
                aria-label=regenerate_name,
                title=regenerate_tip,
                disabled=move || running.get(),
                on:click=handler(move |_| {
                    if let Some(goal) = goal.get_clone_untracked() {
                        surface.start_over(goal, Some(replaced.clone()));
                    }
                }),
            ) { (again_icon) }
            (cost)
            // That of the newest turn stands in the status line.
            (toggle)
        }
    }
}

/// The way on from an answer that was cut off, while it is the last.
pub(crate) fn go_on(run: &RunId) -> View {
    let surface = Surface::here();
    let (last, cut) = (surface.is_last(run), surface.of(run, Turn::is_cut));
    let offered = create_selector(move || last.get() && cut.get() == Some(true));
    live(move || {
        if offered.get() {
            let surface = surface.clone();
            let (continue_word, hint, play_icon) = (msg("continue"), msg("cut_hint"), icon("play"));
            view! {
                p(class="meta") { (hint) }
                div(class="row wrap") {
                    button(class="btn", on:click=handler(move |_| surface.start(Goal::GoOn))) {
                        (play_icon)
                        (continue_word)
                    }
                }
            }
        } else {
            View::new()
        }
    })
}

/// Who answered, at which try, with how many tokens; on the device, how long it took.
fn cost(run: &RunId) -> View {
    let parts = Surface::here().of(run, |turn| {
        let tries = turn.steps.last().map_or(1, |step| step.failures.len() + 1);
        let who = match turn.model.voice {
            Voice::Page => [Some(msg("on_device")), lasted(turn).map(span_of)],
            Voice::Model => [
                Some(model_of(&turn.model)),
                (tries > 1).then(|| nth_try(tries)),
            ],
        };
        let UsageSum { tokens, cost } = turn.spent();
        let spent = spent(tokens, cost);
        let parts = who.into_iter().flatten().chain(spent);
        parts.collect::<Vec<_>>().join(" · ")
    });
    let parts = live_text(move || parts.get_clone().unwrap_or_default());
    view! { span(class="meta num") { (parts) } }
}

/// The model's name; the browser's own has none but ours.
fn model_of(speaker: &Speaker) -> String {
    if speaker.profile == BUILT_IN {
        msg("built_in")
    } else {
        speaker.model.clone()
    }
}

/// The answer as Markdown whose citations lead to the page, with our words between.
fn with_links(answer: &Answer) -> String {
    // `plain` writes a mark with one bracket.
    let (mut text, marks) = match answer.leads.as_slice() {
        [] => (answer.markdown.clone(), ["[[", "]]"]),
        [..] => (with_leads(answer), ["[", "]"]),
    };
    let numbers = numbered(answer);
    for passage in mentioned(&answer.blocks) {
        let citation = answer.citations.iter().find(|it| it.passage == passage);
        let at = numbers.iter().position(|it| *it == passage);
        let name = match (at, citation) {
            (Some(at), citation) => number(at + 1, citation),
            (None, Some(citation)) => format!("¶ {}", citation.paragraph),
            (None, None) => format!("¶ {}?", paragraph_of(&passage)),
        };
        let shown = match citation {
            Some(citation) => format!("[{name}]({})", in_link(&citation.url)),
            // It names nothing that was read.
            None => format!("[{name}]"),
        };
        text = text.replace(&marks.join(&passage), &shown);
    }
    let sources = listed(answer, &numbers);
    if !sources.is_empty() {
        text = format!("{text}\n\n**{}**\n\n{sources}", msg("sources"));
    }
    // What it does not stand on goes with it.
    let disclaimer = answer.research.as_ref().and_then(|it| it.disclaimer);
    match disclaimer {
        Some(disclaimer) => format!("> {}\n\n{text}", warning(disclaimer, answer)),
        None => text,
    }
}

fn with_leads(answer: &Answer) -> String {
    let mut parts = Vec::new();
    let leads_before = |at: usize| {
        let here = answer.leads.iter().filter(move |lead| lead.before == at);
        here.map(|lead| said(&lead.says))
    };
    for (at, block) in answer.blocks.iter().enumerate() {
        parts.extend(leads_before(at));
        parts.push(plain(std::slice::from_ref(block)));
    }
    parts.extend(leads_before(answer.blocks.len()));
    parts.join("\n\n")
}
