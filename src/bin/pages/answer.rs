//! The complete answer: its text, the share of the page that was read, and buttons.

use crate::blocks::blocks;
use crate::cards::cards;
use crate::composer::connect;
use crate::copy::copy;
use crate::passages::passages;
use crate::points::summary;
use crate::prelude::*;
use crate::research::{after, before, warning};
use crate::sources::{listed, number, sources};
use crate::spending::usage_text;
use crate::status::nth_try;
use crate::surface::Surface;
use crate::text_context::TextContext;
use crate::trajectory::toggle;
use crate::words::span as span_of;
use gloss::agent::{Answer, AnswerOrigin, Goal, Layout, ModelIdentity, UsageSum};
use gloss::app::surface::Turn;
use gloss::durable::RunId;
use gloss::markdown::{Block, write, write_target, write_text};
use gloss::model::BUILT_IN;
use gloss::ui::citation_marks::{numbered, paragraph_of};
use gloss::ui::turns::duration;

pub(crate) fn answer(run: &RunId) -> View {
    let answer = Surface::from_context().of(run, |turn| turn.answer.clone());
    live(move || {
        answer
            .get_clone()
            .flatten()
            .map(|answer| complete_answer(&answer))
    })
}

fn complete_answer(answer: &Answer) -> View {
    let words = TextContext::of(answer);
    let body = match (answer.layout, answer.voice) {
        (Layout::Summary, _) if !answer.blocks.is_empty() => summary(&words, answer),
        (_, AnswerOrigin::Page) if finds(answer) => passages(&words, answer),
        (_, AnswerOrigin::Page) => quotes(&words, answer),
        (_, AnswerOrigin::Model) => blocks(&words, &answer.blocks),
    };
    let origin = (answer.voice == AnswerOrigin::Page).then(|| source_note(answer));
    let used = answer.share_percent.filter(|it| *it < 100);
    let used = used.map(read_share);
    fragment((
        used,
        before(answer),
        body,
        origin,
        cards(answer),
        sources(answer),
        after(answer),
    ))
}

/// Returns true if the answer consists of the passages that are nearest to a question.
fn finds(answer: &Answer) -> bool {
    let mut leads = answer.leads.iter();
    leads.any(|lead| lead.says.key == "lead_closest")
}

/// A line that says what the on-device model does, with a link to connect a model.
fn source_note(answer: &Answer) -> View {
    if answer.layout == Layout::Summary && !answer.citations.is_empty() {
        // The labels of a described page say whose words they are.
        let is_described = !answer.leads.is_empty();
        let words = if is_described {
            "device_quotes"
        } else {
            "page_sentences"
        };
        return connect(&msg(words), msg("connect_for_summary"));
    }
    let words = match (answer.citations.is_empty(), finds(answer)) {
        (true, _) => String::new(),
        (false, true) => msg("device_quotes"),
        (false, false) => msg("page_sentences"),
    };
    let url = "options.html#models".to_owned();
    let link = link("a.btn.tiny", url, msg("connect_a_model"));
    tag("p.row.meta", (tag("span.grow", words), link)).into()
}

/// Quotes from the page in the page's font. Gloss's labels, if any, are between the quoted blocks.
fn quotes(words: &TextContext, answer: &Answer) -> View {
    let quoted = |from: usize, to: usize| {
        let quoted: &[Block] = answer.blocks.get(from..to).unwrap_or_default();
        let is_any = !quoted.is_empty();
        is_any.then(|| tag("div.prose.quote", blocks(words, quoted)))
    };
    let mut parts = Vec::new();
    let (mut from, end) = (0, answer.blocks.len());
    for lead in &answer.leads {
        let to = lead.before.min(end);
        parts.extend(quoted(from, to));
        let name = if to < end { "p.label" } else { "p" };
        parts.push(tag(name, phrase_text(&lead.says)));
        from = from.max(to);
    }
    parts.extend(quoted(from, end));
    parts.into_view()
}

/// The share of the page that was read: a strip and its number.
fn read_share(percent: u8) -> Tag {
    let path = format!("M0 3h{percent}");
    let words = tag("span.num", msg_with("share_used", &[&percent.to_string()]));
    let strip = view! {
        svg(class="strip", viewBox="0 0 100 6", preserveAspectRatio="none", aria-hidden="true") {
            path(d=path)
        }
    };
    tag("div.used.meta", (strip, words))
}

/// The buttons for the answer of this run. They are below the sources and all other parts of the
/// answer.
pub(crate) fn answer_actions(run: &RunId) -> View {
    let answer = Surface::from_context().of(run, |turn| turn.answer.clone());
    let run = run.clone();
    live(move || {
        answer
            .get_clone()
            .flatten()
            .map(|answer| action_row(&run, &answer))
    })
}

fn action_row(run: &RunId, answer: &Answer) -> View {
    let surface = Surface::from_context();
    let goal = surface.of(run, |turn| turn.goal.clone());
    let (running, last) = (surface.is_running(), surface.is_last(run));
    let markdown = as_markdown(answer);
    let copy = copy(msg("copy"), "icon-btn", move || markdown.clone());
    let (replaced, opened) = (run.clone(), run.clone());
    let regenerate = icon_button("", "again", msg("regenerate"), move || {
        if let Some(goal) = goal.get_clone_untracked() {
            surface.start_over(goal, Some(replaced.clone()));
        }
    });
    let regenerate = regenerate.disabled(move || running.get());
    // The toggle of the newest turn is in the status line.
    let toggle = live_if(move || !last.get(), move || toggle(opened.clone()));
    fragment((
        continue_button(run),
        tag("div.acts", (copy, regenerate, cost(run), toggle)),
    ))
}

/// The button that continues an incomplete answer. It is shown only in the newest turn.
pub(crate) fn continue_button(run: &RunId) -> View {
    let surface = Surface::from_context();
    let (last, cut) = (surface.is_last(run), surface.of(run, Turn::is_cut));
    let offered = create_selector(move || last.get() && cut.get() == Some(true));
    live_if(offered, move || {
        let surface = surface.clone();
        let go_on = go_on_button(move || surface.start(Goal::GoOn));
        fragment((meta(msg("cut_hint")), tag("div.row.wrap", go_on)))
    })
}

/// The model, the number of the attempt and the tokens; for an on-device answer, its duration.
fn cost(run: &RunId) -> Tag {
    let parts = Surface::from_context().of(run, |turn| {
        let tries = turn.steps.last().map_or(1, |step| step.failures.len() + 1);
        let who = match turn.model.voice {
            AnswerOrigin::Page => [Some(msg("on_device")), duration(turn).map(span_of)],
            AnswerOrigin::Model => [
                Some(model_of(&turn.model)),
                (tries > 1).then(|| nth_try(tries)),
            ],
        };
        let UsageSum { tokens, cost } = turn.spent();
        let spent = usage_text(tokens, cost);
        let parts = who.into_iter().flatten().chain(spent);
        parts.collect::<Vec<_>>().join(" · ")
    });
    let parts = live_text(move || parts.get_clone().unwrap_or_default());
    tag("span.meta.num", parts)
}

/// Returns the name of the model. For the browser's built-in model, returns Gloss's own name for
/// it.
fn model_of(speaker: &ModelIdentity) -> String {
    if speaker.profile == BUILT_IN {
        msg("built_in")
    } else {
        speaker.model.clone()
    }
}

/// Returns the answer as Markdown, written from its blocks. Its citations are links to the page, and
/// Gloss's labels are between the quoted blocks.
fn as_markdown(answer: &Answer) -> String {
    let numbers = numbered(answer);
    let cite = |passage: &str| {
        let citation = answer.citations.iter().find(|it| it.passage == passage);
        let at = numbers.iter().position(|it| it == passage);
        let name = match (at, citation) {
            (Some(at), citation) => number(at + 1, citation),
            (None, Some(citation)) => format!("¶ {}", citation.paragraph),
            (None, None) => format!("¶ {}?", paragraph_of(passage)),
        };
        match citation {
            Some(citation) => format!("[{name}]({})", write_target(&citation.url)),
            // No passage of this name was read.
            None => write_text(&format!("[{name}]")),
        }
    };
    let leads_before = |at: usize| {
        let here = answer.leads.iter().filter(move |lead| lead.before == at);
        here.map(|lead| write_text(&phrase_text(&lead.says)))
    };
    // The warning is copied with the answer.
    let disclaimer = answer.research.as_ref().and_then(|it| it.disclaimer);
    let warned = disclaimer.map(|it| format!("> {}", write_text(&warning(it, answer))));
    let mut parts: Vec<String> = warned.into_iter().collect();
    for (at, block) in answer.blocks.iter().enumerate() {
        parts.extend(leads_before(at));
        parts.push(write(std::slice::from_ref(block), &cite));
    }
    parts.extend(leads_before(answer.blocks.len()));
    let sources = listed(answer, &numbers);
    if !sources.is_empty() {
        parts.extend([format!("**{}**", msg("sources")), sources]);
    }
    parts.join("\n\n")
}
