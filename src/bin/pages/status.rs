//! The status line, which says what the agent is doing.

use crate::browser;
use crate::composer::stop;
use crate::pause::pause;
use crate::permission::PermissionRequest;
use crate::prelude::*;
use crate::surface::Surface;
use crate::trajectory::toggle;
use crate::words::span as span_of;
use gloss::agent::{Bound, MissingRight, Phase, Status};
use gloss::app::surface::{Notice, Turn};
use gloss::ui::turns::duration;

/// A run must be active for this many milliseconds before the status line appears.
const SILENT_MS: i32 = 300;
/// The line shows the elapsed time once the run has taken this many milliseconds.
const LONG_MS: u64 = 10_000;

/// If the model sends nothing for this many milliseconds, a note explains why.
const SLOW_MS: u64 = 30_000;

/// The status of the newest turn, and the button that opens its trajectory. While a permission card
/// replaces the composer, this line contains the Stop button.
pub(crate) fn status(wanted: ReadSignal<Option<PermissionRequest>>) -> Tag {
    let surface = Surface::from_context();
    let (last, running) = (surface.last(), surface.is_running());
    let told = create_signal(true);
    let now = create_signal(browser::now_ms());
    let heard = create_signal(browser::now_ms());
    create_effect(move || {
        last.track();
        heard.set(browser::now_ms());
    });
    create_effect(move || {
        if running.get() {
            told.set(false);
            browser::after(SILENT_MS, move || told.set(true));
            tick(now, running);
        } else {
            told.set(true);
        }
    });
    // The selector changes only with the text, so that a screen reader announces each text once.
    let line = create_selector(move || {
        let turn = last.get_clone();
        turn.filter(|turn| told.get() || is_waiting_or_paused(turn.status))
            .map(|turn| Line::of(&turn))
    });
    let class = move || {
        if line.with(Option::is_some) {
            "status"
        } else {
            "sr"
        }
    };
    let run = create_selector(move || last.with(|turn| turn.as_ref().map(|turn| turn.run.clone())));
    let held = create_selector(move || {
        wanted.with(|wanted| wanted.as_ref().is_some_and(PermissionRequest::holds_a_run))
    });
    let shown = live(move || line.get_clone().map(shown));
    let line = (
        shown,
        progress_line(last, now, told),
        slow_model_note(last, now, heard),
    );
    let line = tag("p", line).role("status").name(msg("agent_status"));
    let toggle = live(move || run.get_clone().map(toggle));
    let stop = live_if(held, move || stop("stop tiny"));
    tag("div", (line, pause(), toggle, stop)).class(class)
}

/// Returns true if a turn is paused or waits for the user. These states last, so they are shown at
/// once.
fn is_waiting_or_paused(status: Status) -> bool {
    matches!(status, Status::Paused | Status::AwaitingUser)
}

/// The parts of the status line.
#[derive(Clone, PartialEq)]
struct Line {
    dot: Option<&'static str>,
    word: String,
    facts: Vec<String>,
}

impl Line {
    fn of(turn: &Turn) -> Self {
        let step = (turn.step > 0 && turn.max_steps > 0).then(|| {
            let (step, most) = (turn.step.to_string(), turn.max_steps.to_string());
            msg_with("step_of", &[&step, &most])
        });
        let (dot, word, mut facts) = match turn.status {
            Status::Running => {
                let again = (turn.attempt > 1).then(|| nth_try(turn.attempt.into()));
                let (dot, word) = match turn.until_ms {
                    Some(until_ms) => {
                        let until = browser::time_of_day(until_ms);
                        ("dot wait", msg_with("status_waiting_until", &[&until]))
                    }
                    None => ("dot live", msg(phase(turn.phase))),
                };
                (Some(dot), word, vec![step, again])
            }
            Status::Paused => (Some("dot held"), msg("status_paused"), vec![step]),
            Status::AwaitingUser => (Some("dot wait"), msg("status_waiting"), vec![step]),
            Status::Completed => (None, msg("status_done"), Self::totals(turn)),
            Status::Terminated(Bound::Stopped) => {
                let tokens = turn.spent().tokens;
                let kept =
                    (tokens > 0).then(|| msg_with("tokens_kept", &[&grouped(tokens.into())]));
                (Some("dot ended"), msg("status_stopped"), vec![step, kept])
            }
            Status::Terminated(bound) => (Some("dot ended"), msg(reached(bound)), vec![step]),
            Status::Failed => {
                let title = turn
                    .failure
                    .as_ref()
                    .map(|failure| phrase_text(&failure.title));
                let word = title.unwrap_or_else(|| msg("status_failed"));
                (Some("dot bad"), word, vec![step])
            }
        };
        facts.extend(seams(turn));
        Self {
            dot,
            word,
            facts: facts.into_iter().flatten().collect(),
        }
    }

    fn totals(turn: &Turn) -> Vec<Option<String>> {
        let steps = (turn.step > 0).then(|| counted(["steps_one", "steps_many"], turn.step.into()));
        vec![
            steps,
            verified(turn).or_else(|| duration(turn).map(span_of)),
        ]
    }
}

/// Returns the number of verified citations; `None` if all citations are verified.
fn verified(turn: &Turn) -> Option<String> {
    let answer = turn.answer.as_ref()?;
    let marks = gloss::ui::citation_marks::numbered(answer);
    let known = |passage: &&String| answer.citations.iter().any(|one| one.passage == **passage);
    let stands = marks.iter().filter(known).count();
    (stands < marks.len()).then(|| {
        msg_with(
            "citations_verified",
            &[&stands.to_string(), &marks.len().to_string()],
        )
    })
}

fn shown(line: Line) -> View {
    let dot = line.dot.map(|class| tag("span", ()).class(class));
    let fact = |fact| (" ", tag("span.num", fact));
    let facts: Vec<_> = line.facts.into_iter().map(fact).collect();
    fragment((dot, tag("b", line.word), facts))
}

/// The second line, with the tool, the tokens and the elapsed time. It is shown only during a run.
fn progress_line(last: ReadSignal<Option<Turn>>, now: Signal<u64>, told: Signal<bool>) -> View {
    let parts = create_selector(move || {
        let turn = last
            .get_clone()
            .filter(|turn| told.get() || is_waiting_or_paused(turn.status))?;
        if let Some(MissingRight::Outcome { tool, .. }) = turn.wait.clone().map(|wait| wait.need) {
            return Some((Some(tool), None, vec![msg("outcome_unknown")]));
        }
        if !matches!(turn.status, Status::Running | Status::Paused) {
            return None;
        }
        let passed = turn.active_ms_at(now.get());
        // A pause doesn't count as running time.
        let timed = turn.status == Status::Running && turn.started_at_ms > 0;
        let time = (timed && passed >= LONG_MS).then(|| span_of(passed));
        let progress = progress(&turn);
        let tokens = turn.spent().tokens;
        let tokens = (tokens > 0).then(|| msg_with("tokens", &[&grouped(tokens.into())]));
        let figures: Vec<String> = [tokens, time].into_iter().flatten().collect();
        let says = turn.tool.is_some() || progress.is_some() || !figures.is_empty();
        says.then_some((turn.tool, progress, figures))
    });
    live(move || {
        parts.get_clone().map(|(tool, progress, figures)| {
            let lead = if (tool.is_some() || progress.is_some()) && !figures.is_empty() {
                "· "
            } else {
                ""
            };
            let before = if tool.is_some() { "· " } else { "" };
            let code = tool.map(|tool| (tag("code", tool), " "));
            let progress = progress.map(|words| tag("span.num", format!("{before}{words} ")));
            let figures = tag("span.num", format!("{lead}{}", figures.join(" · ")));
            View::from(tag(
                "small.clip",
                (code, progress, figures.attr("aria-live", "off")),
            ))
        })
    })
}

/// Returns a text with the number of finished tool calls in the current step, and the progress that
/// a tool reports. `None` if there is nothing to show.
fn progress(turn: &Turn) -> Option<String> {
    let step = turn.steps.iter().find(|step| step.number == turn.step)?;
    let counted = step.progress().map(|(over, all)| {
        let (over, all) = (over.to_string(), all.to_string());
        msg_with("calls_done", &[&over, &all])
    });
    let doing = step.doing().map(phrase_text);
    let parts: Vec<String> = counted.into_iter().chain(doing).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// A note that explains why nothing arrives. It is shown after the model was silent for
/// [`SLOW_MS`].
fn slow_model_note(last: ReadSignal<Option<Turn>>, now: Signal<u64>, heard: Signal<u64>) -> View {
    let slow = create_selector(move || {
        let silent = now.get().saturating_sub(heard.get()) >= SLOW_MS;
        silent && last.with(|turn| turn.as_ref().is_some_and(awaits_model))
    });
    live_if(slow, move || tag("small", msg("slow_model")))
}

fn awaits_model(turn: &Turn) -> bool {
    let asks = match turn.phase {
        Phase::Thinking | Phase::Analysing | Phase::Reflecting | Phase::Synthesising => true,
        Phase::Reading | Phase::Executing => false,
    };
    let at_work = turn.status == Status::Running && turn.until_ms.is_none();
    at_work && asks && turn.tool.is_none() && turn.growing.is_empty()
}

/// Returns the number of an attempt, as in "2nd try".
pub(crate) fn nth_try(number: usize) -> String {
    match number {
        2 => msg("second_try"),
        3 => msg("third_try"),
        more => msg_with("nth_try", &[&more.to_string()]),
    }
}

fn tick(now: Signal<u64>, running: ReadSignal<bool>) {
    now.set(browser::now_ms());
    browser::after(1_000, move || {
        if running.get_untracked() {
            tick(now, running);
        }
    });
}

/// Returns the message key for a phase of a run.
pub(crate) fn phase(phase: Phase) -> &'static str {
    match phase {
        Phase::Reading => "phase_reading",
        Phase::Thinking => "phase_thinking",
        Phase::Executing => "phase_executing",
        Phase::Analysing => "phase_analysing",
        Phase::Reflecting => "phase_reflecting",
        Phase::Synthesising => "phase_synthesising",
    }
}

fn reached(bound: Bound) -> &'static str {
    match bound {
        Bound::Steps => "status_steps",
        Bound::Tokens => "status_tokens",
        Bound::Time => "status_time",
        Bound::ToolCalls => "status_tool_calls",
        Bound::Context => "status_context",
        Bound::Cost => "status_cost",
        Bound::Month => "status_month",
        Bound::Stopped => "status_stopped",
    }
}

/// "resumed once", "restarted twice": the interruptions of a turn, with their number.
fn seams(turn: &Turn) -> Vec<Option<String>> {
    let (mut resumed, mut restarted) = (0, 0);
    for seam in &turn.notices {
        match seam {
            Notice::Resumed { times, .. } => resumed += u64::from(*times),
            Notice::Restarted { times, .. } => restarted += u64::from(*times),
            _ => {}
        }
    }
    let times = |key, count: u64| (count > 0).then(|| counted(key, count));
    vec![
        times(["resumed_one", "resumed_many"], resumed),
        times(["restarted_one", "restarted_many"], restarted),
    ]
}
