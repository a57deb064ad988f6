//! Tests of Properties 12 and 15: storage changes nothing, and a budget is enforced.

use super::order::{acts, property};
use super::world::{NEVER, RunResult, World};
use crate::trajectory::{Bodies, Trajectory};
use crate::{Bound, Event, Status, Timeline};
use gloss_durable::Record;
use gloss_model::Purpose;

/// Returns the total tokens after each model call that used tokens.
fn used(ran: &RunResult) -> Vec<u32> {
    let used = ran.events.iter().filter_map(|event| match event {
        Event::TokensUsed { total, .. } => Some(*total),
        _ => None,
    });
    used.collect()
}

/// Returns the token limit less the reserve for the closing call.
fn most(world: &World) -> u32 {
    world.settings.max_tokens - 4_000
}

/// Returns the index of the model call whose reply used up the budget.
fn crossed(world: &World, ran: &RunResult) -> Option<usize> {
    used(ran).iter().position(|total| *total > most(world))
}

/// Returns the index of the event that reports that the budget is used up.
fn used_up_at(world: &World, ran: &RunResult) -> Option<usize> {
    let over =
        |event: &Event| matches!(event, Event::TokensUsed { total, .. } if *total > most(world));
    ran.events.iter().position(over)
}

/// Feature: agent-architecture-upgrade, Property 15: for any agent execution where token
/// usage exceeds the configured budget, the system shall terminate and return the best
/// available result.
#[test]
fn a_run_over_its_token_budget_ends_with_what_there_is_and_one_closing_call_at_most() {
    let exceeds = |world: &World, ran: &RunResult| crossed(world, ran).is_some();
    property(15, exceeds, |script, world, ran| {
        let Some(crossed) = crossed(world, ran) else {
            return;
        };
        let calls = world.model.calls();
        let after = calls.get(crossed + 1..).unwrap_or_default();
        let closes = |(purpose, _): &(Purpose, bool)| *purpose == Purpose::Synthesise;
        assert!(after.len() <= 1 && after.iter().all(closes), "{script:?}");
        // The run returns the answer that exists already, or the one that the reserve paid for.
        let answer = ran.answer();
        // The call that used up the budget may also have met the goal.
        if after.is_empty() || ran.closing.status == Status::Completed {
            let on = used_up_at(world, ran).and_then(|place| ran.events.get(place..));
            let acts = |event: &Event| matches!(event, Event::ToolStarted { .. });
            assert!(!on.unwrap_or_default().iter().any(acts), "{script:?}");
            return;
        }
        assert_eq!(
            ran.closing.status,
            Status::Terminated(Bound::Tokens),
            "{script:?}"
        );
        assert!(
            ran.remarks().contains(&"bound_tokens".to_owned()),
            "{script:?}"
        );
        assert!(!answer.blocks.is_empty() || !answer.remarks.is_empty());
        let hit = |event: &&Event| matches!(event, Event::BoundHit { .. });
        assert_eq!(ran.events.iter().filter(hit).count(), 1, "{script:?}");
    });
}

/// Returns all events and the trajectory that follow from a journal.
fn folds(records: &[Record]) -> (Vec<Event>, Trajectory) {
    let mut timeline = Timeline::default();
    let events = records.iter().flat_map(|record| timeline.read(record));
    let events = events.collect();
    (events, Trajectory::of(records, &Bodies::new()))
}

/// Feature: agent-architecture-upgrade, Property 12: for any valid agent state, saving it
/// to chrome.storage.session and loading it back shall produce an equivalent state object.
#[test]
fn what_follows_from_a_journal_is_the_same_after_it_was_stored_and_loaded() {
    property(12, acts, |script, _, _| {
        // The worker is killed somewhere, so that the second life loads a state from the middle of
        // the run.
        let world = script.world();
        world.life(script.kill_at());
        world.life(NEVER);
        let (before, after) = (world.recorded(), world.stored());
        assert_eq!(before, after, "{script:?}");
        assert_eq!(folds(&before), folds(&after), "{script:?}");
        // chrome.storage preserves the same parts of a value as JSON.
        let text = serde_json::to_string(&before).unwrap();
        let again: Vec<Record> = serde_json::from_str(&text).unwrap();
        assert_eq!(again, before, "{script:?}");
    });
}
