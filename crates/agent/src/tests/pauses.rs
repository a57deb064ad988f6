//! Tests of the events of a pause, and of a call whose outcome is unknown.

use super::toys::{call, calls, says};
use super::world::World;
use crate::{Event, MissingRight, Timeline};
use gloss_durable::{Class, Entry, Fingerprint, Path, Record, Stop};
use gloss_model::Purpose::{Observe, Reason};
use gloss_model::{AskLabel, Purpose};
use serde_json::json;

fn record(seq: u64, path: &str, entry: Entry) -> Record {
    Record {
        v: 1,
        seq,
        path: match path {
            "" => Path::root(),
            path => Path::root().child(path),
        },
        at_ms: seq,
        entry,
    }
}

fn asks(attempt: u32) -> Entry {
    let label = AskLabel {
        purpose: Purpose::Reason,
        reflects: false,
        step: 1,
        max_steps: 5,
        prompt_tokens: 0,
        reply_tokens: 0,
        cost: None,
        prompt_cost: None,
    };
    Entry::Intent {
        effect: "model".to_owned(),
        class: Class::Safe,
        fingerprint: Fingerprint::default(),
        attempt,
        label: serde_json::to_value(label).unwrap(),
    }
}

fn gone(partial: &str, stop: Stop) -> Entry {
    Entry::Stopped {
        partial: partial.to_owned(),
        stop,
    }
}

#[test]
fn a_pause_is_told_once_and_a_call_that_it_dropped_is_said_to_be_made_again() {
    let mut timeline = Timeline::default();
    timeline.read(&record(1, "reason", asks(1)));
    let told = timeline.read(&record(2, "reason", gone("The lamp", Stop::Pause)));
    assert!(matches!(
        &told[..],
        [Event::AnswerGrew { .. }, Event::Paused { by: Stop::Pause }]
    ));
    assert_eq!(timeline.partial(), "The lamp");
    // A parallel effect that was dropped with the first one adds no event.
    assert!(
        timeline
            .read(&record(3, "other", gone("", Stop::Pause)))
            .is_empty()
    );
    assert_eq!(
        timeline.read(&record(4, "", Entry::Continued)),
        [Event::Continued]
    );
    let again = timeline.read(&record(5, "reason", asks(2)));
    assert_eq!(again.first(), Some(&Event::AnswerRestarted));
    assert_eq!(timeline.partial(), "");
}

#[test]
fn a_restart_interrupts_and_a_stop_ends_what_was_paused() {
    let mut timeline = Timeline::default();
    timeline.read(&record(1, "reason", asks(1)));
    let interrupted = timeline.read(&record(2, "", gone("", Stop::Restart)));
    assert_eq!(interrupted, [Event::Paused { by: Stop::Restart }]);
    let stopped = timeline.read(&record(3, "", gone("", Stop::User)));
    assert_eq!(stopped, [Event::Stopped]);
    timeline.read(&record(4, "", Entry::Continued));
    let again = timeline.read(&record(5, "reason", asks(2)));
    assert_eq!(again.first(), Some(&Event::AnswerRestarted));
}

#[test]
fn an_external_call_that_was_cut_off_makes_the_run_ask_once() {
    let mut asked = 0;
    for kill_at in 0.. {
        let change = call("a", "change", json!({ "ms": 50 }));
        let world = World::scripted(vec![(Reason, calls([change])), (Observe, says("Done."))]);
        if world.life(kill_at).is_some() {
            break;
        }
        world.life(NEVER);
        let begun = world.log.borrow().iter().filter(|did| *did == "+a").count();
        assert!(begun <= 1, "{kill_at}");
        let needs = world
            .stored()
            .into_iter()
            .filter_map(|record| match record.entry {
                Entry::Waiting { body, .. } => Some(body),
                _ => None,
            });
        for need in needs {
            asked += 1;
            let need: MissingRight = serde_json::from_value(need).unwrap();
            assert!(matches!(need, MissingRight::Outcome { tool, .. } if tool == "change"));
        }
    }
    assert!(asked > 1, "{asked}");
}

const NEVER: u64 = u64::MAX;
