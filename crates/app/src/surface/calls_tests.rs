//! The state of each call of a step, as a surface shows it.

use super::*;
use gloss_agent::{Bound, Event, Status};
use gloss_model::phrase::phrase;
use gloss_tools::{CallEnd, ToolLabel};

fn label(id: &str) -> ToolLabel {
    ToolLabel {
        step: 1,
        call: id.to_owned(),
        tool: "find_in_page".to_owned(),
        arguments: "{}".to_owned(),
    }
}

fn chosen(ids: &[&str]) -> Event {
    let calls = ids.iter().map(|id| label(id)).collect();
    Event::CallsChosen { calls }
}

fn started(id: &str) -> Event {
    let ToolLabel {
        step,
        call,
        tool,
        arguments,
    } = label(id);
    Event::ToolStarted {
        step,
        call,
        tool,
        arguments,
    }
}

fn finished(id: &str, end: CallEnd) -> Event {
    Event::ToolFinished {
        step: 1,
        call: id.to_owned(),
        tool: "find_in_page".to_owned(),
        end,
        summary: phrase("summary_nothing_found"),
        duration_ms: 20,
        tokens: 7,
        cost: Some(3),
        picture: None,
        saved_facts: Vec::new(),
        role_calls: Vec::new(),
    }
}

fn turn(events: &[Event]) -> Turn {
    let mut turn = Turn::new(RunId("run".to_owned()));
    for event in events {
        turn.fold(event, 1);
    }
    turn
}

fn states(turn: &Turn) -> Vec<CallState> {
    let step = turn.steps.first().expect("a step");
    step.calls.iter().map(|call| call.state).collect()
}

#[test]
fn a_call_waits_its_turn_runs_and_ends_as_it_ends() {
    use CallState::{Completed, Failed, Pending, Rejected, Running, Skipped, TimedOut};
    let ids = ["a", "b", "c", "d", "e", "f", "g"];
    let events = [
        chosen(&ids),
        finished("g", CallEnd::Skipped),
        started("a"),
        started("b"),
        started("c"),
        started("d"),
        started("e"),
        finished("a", CallEnd::Completed),
        finished("b", CallEnd::Failed),
        finished("c", CallEnd::TimedOut),
        finished("d", CallEnd::Rejected),
    ];
    let turn = turn(&events);
    let expected = [
        Completed, Failed, TimedOut, Rejected, Running, Pending, Skipped,
    ];
    assert_eq!(states(&turn), expected);
    assert_eq!(turn.steps[0].progress(), Some((5, 7)));
    let first = &turn.steps[0].calls[0];
    assert_eq!((first.tokens, first.cost), (7, Some(3)));
}

#[test]
fn nothing_is_counted_of_one_call_or_of_a_step_that_is_over() {
    let one = turn(&[started("a")]);
    assert_eq!(one.steps[0].progress(), None);
    let over = turn(&[
        chosen(&["a", "b"]),
        started("a"),
        started("b"),
        finished("b", CallEnd::Completed),
        finished("a", CallEnd::Failed),
    ]);
    assert_eq!(over.steps[0].progress(), None);
}

#[test]
fn no_call_runs_on_in_a_run_that_ended() {
    let status = Status::Terminated(Bound::Stopped);
    let mut turn = turn(&[
        chosen(&["a", "b"]),
        started("a"),
        Event::RunEnded { status },
    ]);
    assert_eq!(states(&turn), [CallState::Failed, CallState::Skipped]);
    // The user continues the run: the call is repeated.
    turn.fold(&Event::Continued, 2);
    turn.fold(&started("a"), 2);
    turn.fold(&finished("a", CallEnd::Completed), 3);
    assert_eq!(states(&turn), [CallState::Completed, CallState::Skipped]);
}

#[test]
fn what_a_call_is_doing_is_shown_until_it_ends() {
    let doing = |words| Event::ToolProgressed {
        step: 1,
        call: "a".to_owned(),
        doing: phrase(words),
    };
    let mut events = vec![started("a"), doing("doing_rewrite"), doing("doing_search")];
    let shows = |events: &[Event]| turn(events).steps[0].doing().cloned();
    assert_eq!(shows(&events), Some(phrase("doing_search")));
    events.push(finished("a", CallEnd::Completed));
    assert_eq!(shows(&events), None);
}
