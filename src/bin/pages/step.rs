//! One step of a trajectory: its thought, tool calls, failed attempts and observation.

use crate::prelude::*;
use crate::step_edit::steering;
use crate::surface::Surface;
use crate::words::{span as span_of, text_of};
use gloss::agent::Failure;
use gloss::app::surface::{CallShown, CallState, LearnedLesson, StepShown};
use gloss::durable::RunId;
use gloss::phrase::DisplayText;

/// The step of this number, as it grows.
pub(crate) fn step(run: &RunId, number: u8) -> Tag {
    let surface = Surface::from_context();
    let viewed = surface.viewed;
    let shown = surface.of(run, move |turn| {
        turn.steps
            .iter()
            .find(|step| step.number == number)
            .cloned()
    });
    let shows = surface.shows_thinking();
    let (title, of) = (msg_with("step_number", &[&number.to_string()]), run.clone());
    let shown = live(move || {
        shown.get_clone().flatten().map(|step| {
            let heading = (
                tag("h3.grow.num", title.clone()),
                tag("span.num", spent(&step)),
            );
            let events = tag("ol.events", events(&step, shows));
            fragment((tag("div.row", heading), events, steering(&of, &step)))
        })
    });
    let class = move || match viewed.get() {
        Some(at) if at == number => "step now",
        Some(at) if at < number => "step later",
        Some(_) | None => "step",
    };
    let current = move || (viewed.get() == Some(number)).then_some("step");
    tag("section", shown)
        .class(class)
        .attr("aria-current", current)
}

fn spent(step: &StepShown) -> String {
    let ms = step.ended_at_ms.saturating_sub(step.started_at_ms);
    let spent = crate::spending::usage_text(step.tokens, step.cost);
    let parts = std::iter::once(span_of(ms)).chain(spent);
    parts.collect::<Vec<_>>().join(" · ")
}

/// The events of a step, in this order: thought, failed model calls, tool calls, lessons,
/// observation.
fn events(step: &StepShown, shows: ReadSignal<bool>) -> Vec<Tag> {
    let thought = step
        .thought
        .iter()
        .map(|thought| mind("thought", "thought", thought, None, shows));
    let calls = step.calls.iter().map(call);
    let failures = step.failures.iter().map(failure);
    let observed = step.observation.iter().map(|seen| {
        let met = msg(if step.goal_met {
            "goal_met"
        } else {
            "goal_not_met"
        });
        mind("seen", "observation", seen, Some(met), shows)
    });
    let learned = step.reflections.iter().map(reflection);
    thought
        .chain(failures)
        .chain(calls)
        .chain(learned)
        .chain(observed)
        .collect()
}

/// A thought or an observation. It is collapsed unless the user shows the model's thinking.
fn mind(
    sign: &'static str,
    key: &'static str,
    words: &DisplayText,
    more: Option<String>,
    shows: ReadSignal<bool>,
) -> Tag {
    let words = text_of(words) + &more.map(|more| format!(" {more}")).unwrap_or_default();
    let inside = (tag("summary", tag("b", msg(key))), tag("p", words));
    let folded = tag("details", inside).flag("open", move || shows.get());
    tag("li", (icon(sign), folded))
}

fn call(call: &CallShown) -> Tag {
    let (class, sign, state) = match call.state {
        CallState::Pending => ("waits", "pending", "call_pending"),
        CallState::Running => ("", "action", "call_running"),
        CallState::Completed => ("", "check", "call_done"),
        CallState::Failed => ("bad", "alert", "call_failed"),
        CallState::TimedOut => ("bad", "clock", "call_timed_out"),
        CallState::Skipped => ("waits", "skipped", "call_skipped"),
        CallState::Rejected => ("waits", "rejected", "call_rejected"),
    };
    let state = msg(state);
    let made = call.state.is_over() && call.state != CallState::Skipped;
    let spent = crate::spending::usage_text(call.tokens, call.cost);
    let took = made.then(|| span_of(call.duration_ms)).into_iter();
    let took = took.chain(spent.into_iter().filter(|_| made));
    let took = took.collect::<Vec<_>>().join(" · ");
    let arguments = Some(call.arguments.clone()).filter(|json| !matches!(json.as_str(), "" | "{}"));
    let arguments = arguments.map(|json| tag("pre", json));
    let summary = call
        .summary
        .as_ref()
        .or(call.doing.as_ref())
        .map(phrase_text);
    let outcome = match summary {
        Some(summary) => msg_with("call_outcome", &[&state, &summary]),
        None => state,
    };
    let name = tag(
        "p",
        (tag("b", msg("action")), " ", tag("code", call.tool.clone())),
    );
    let body = tag("div", (name, arguments, meta(outcome)));
    tag("li", (icon(sign), body, tag("span.spend", took))).class(class)
}

/// The lesson of a failed call, and the step in which it was applied.
fn reflection(learned: &LearnedLesson) -> Tag {
    let why = learned.analysis.iter().cloned();
    let words = why
        .chain([text_of(&learned.fix)])
        .collect::<Vec<_>>()
        .join(" ");
    let applied = learned
        .applied_in
        .map(|step| tag_label("ok", msg_with("reflection_applied", &[&step.to_string()])));
    event("reflect", msg("reflection"), (words, " ", applied))
}

fn failure(failure: &Failure) -> Tag {
    event("alert", msg("error"), phrase_text(&failure.title)).class("bad")
}

fn event(sign: &'static str, name: String, words: impl IntoView) -> Tag {
    tag("li", (icon(sign), tag("p", (tag("b", name), " ", words))))
}
