//! Tests of the events of a run. They are the same live and from its records, even if the run was
//! stopped or killed.

use super::toys::{Answers, calls, find, says};
use super::world::{NEVER, RunResult, World};
use crate::{Bound, Cycle, Event, Status, Timeline};
use gloss_durable::{Class, Entry, Path, Record};
use gloss_markdown as markdown;
use gloss_model::{Part, Purpose, Role};
use std::rc::Rc;

/// A model whose replies depend only on the request, so that a killed run gets the same replies. It
/// makes two calls at once, then one more call, and then answers.
fn steady() -> Answers {
    Rc::new(|request| {
        let results = request.transcript.messages();
        let results = results.filter(|message| message.role == Role::Tool).count();
        Ok(match (request.purpose, results) {
            (Purpose::Synthesise, _) => says("The Moon pulls. So does the Sun."),
            (_, 0) => calls([find("1"), find("2")]),
            (Purpose::Observe, 2) => {
                let mut done = says("The Moon pulls. So does the Sun.");
                done.control.goal_met = Some(true);
                done
            }
            _ => calls([find("3")]),
        })
    })
}

fn world(cycle: Cycle) -> World {
    World::new(steady()).with(|settings| settings.cycle = cycle)
}

const CYCLES: [Cycle; 2] = [Cycle::Fused, Cycle::Strict];

/// Leaves out the events of streamed text. They exist only live, because the record at the end of
/// the stream contains the whole text.
fn recorded(events: &[Event]) -> Vec<&Event> {
    let streamed = |event: &&Event| !matches!(event, Event::AnswerGrew { .. });
    events.iter().filter(streamed).collect()
}

#[test]
fn the_timeline_is_the_same_live_and_from_records() {
    for cycle in CYCLES {
        let world = world(cycle);
        let ran = world.run();
        let mut timeline = Timeline::default();
        let stored = world.stored();
        let again: Vec<Event> = stored.iter().flat_map(|r| timeline.read(r)).collect();
        assert_eq!(recorded(&ran.events), recorded(&again));
        let grew = ran
            .events
            .iter()
            .filter(|e| matches!(e, Event::AnswerGrew { .. }));
        assert!(grew.count() > 3);
    }
}

#[test]
fn what_streamed_is_what_is_answered() {
    for cycle in CYCLES {
        let ran = world(cycle).run();
        let mut shown = Vec::new();
        for event in &ran.events {
            if let Event::AnswerGrew { frozen, tail } = event {
                shown.truncate(*frozen);
                shown.extend_from_slice(tail);
            }
        }
        assert_eq!(shown, markdown::parse(&ran.answer().markdown));
    }
}

fn count(ran: &RunResult, wanted: fn(&Event) -> bool) -> usize {
    ran.events.iter().filter(|event| wanted(event)).count()
}

#[test]
fn a_run_stopped_at_any_tick_is_told_so_once_and_keeps_what_had_streamed() {
    let mut partial = 0;
    for cycle in CYCLES {
        let whole = world(cycle);
        whole.run();
        let mut stops = 0;
        for tick in 0..=whole.sim.ticks() {
            let world = world(cycle);
            world.stop_at(tick);
            let ran = world.run();
            let ends = count(&ran, |event| matches!(event, Event::RunEnded { .. }));
            assert_eq!(ends, 1, "{cycle:?} {tick}");
            let stopped = count(&ran, |event| matches!(event, Event::Stopped));
            if ran.closing.status == Status::Completed {
                // The run ended before the stop.
                assert_eq!((stopped, ran.answer().markdown.is_empty()), (0, false));
                continue;
            }
            stops += 1;
            assert_eq!(ran.closing.status, Status::Terminated(Bound::Stopped));
            assert_eq!(stopped, 1, "{cycle:?} {tick}");
            let last = &ran.events[ran.events.len() - 2..];
            assert!(
                matches!(last, [Event::Stopped, Event::RunEnded { .. }]),
                "{last:?}"
            );
            partial += world.stored().iter().filter(|record| kept(record)).count();
        }
        assert!(stops > 10, "{stops}");
    }
    assert!(partial > 5, "{partial}");
}

fn kept(record: &Record) -> bool {
    matches!(&record.entry, Entry::Stopped { partial, .. } if !partial.is_empty())
}

#[test]
fn a_run_killed_at_any_tick_ends_as_the_unkilled_one() {
    let mut kills = 0;
    for cycle in CYCLES {
        let expected = world(cycle).run();
        let mut kill_at = 0;
        loop {
            let world = world(cycle);
            if world.life(kill_at).is_some() {
                break;
            }
            let ran = world.life(NEVER).expect("nobody kills it");
            assert_eq!(ran.closing, expected.closing, "{cycle:?} {kill_at}");
            assert_eq!(ran.answer(), expected.answer(), "{cycle:?} {kill_at}");
            assert_eq!(ran.steps(), expected.steps(), "{cycle:?} {kill_at}");
            kill_at += 1;
        }
        kills += kill_at;
    }
    assert!(kills > 50, "{kills}");
}

#[test]
fn a_run_killed_at_any_two_ticks_ends_as_the_unkilled_one() {
    let mut kills = 0;
    for cycle in CYCLES {
        let expected = world(cycle).run();
        for first in 0..36 {
            for second in (0..40).step_by(3) {
                let world = world(cycle);
                kills += [first, second]
                    .map(|at| u32::from(world.life(at).is_none()))
                    .iter()
                    .sum::<u32>();
                let ran = world.life(NEVER).expect("nobody kills it");
                assert_eq!(
                    ran.answer(),
                    expected.answer(),
                    "{cycle:?} {first} {second}"
                );
                assert_eq!(ran.steps(), expected.steps(), "{cycle:?} {first} {second}");
            }
        }
    }
    assert!(kills > 1_000, "{kills}");
}

fn record(seq: u64, path: &str, entry: Entry) -> Record {
    let path = path
        .split('/')
        .fold(Path::root(), |path, part| path.child(part));
    Record {
        v: 1,
        seq,
        path,
        at_ms: seq,
        entry,
    }
}

#[test]
fn a_stopped_run_that_is_taken_up_only_to_be_ended_was_not_resumed() {
    let mut timeline = Timeline::default();
    let gone = Entry::Stopped {
        partial: String::new(),
        stop: gloss_durable::Stop::User,
    };
    let intent = Entry::Intent {
        effect: "page".to_owned(),
        class: Class::Safe,
        fingerprint: gloss_durable::Fingerprint::default(),
        attempt: 1,
        label: serde_json::Value::Null,
    };
    timeline.read(&record(1, "page", intent));
    assert_eq!(timeline.read(&record(2, "page", gone.clone())).len(), 1);
    // A parallel effect that was dropped with the first one adds no event.
    assert!(timeline.read(&record(3, "other", gone)).is_empty());
    assert!(timeline.read(&record(4, "", Entry::Resumed)).is_empty());
    timeline.read(&record(5, "", Entry::Continued));
    assert_eq!(timeline.read(&record(6, "", Entry::Resumed)).len(), 1);
}

#[test]
fn both_results_of_parallel_calls_stand_in_one_message() {
    let world = world(Cycle::Fused);
    world.run();
    let asked = world.model.asked.borrow();
    let mut tools = asked[1]
        .transcript
        .messages()
        .filter(|m| m.role == Role::Tool);
    let parts = &tools.next().expect("results").parts;
    assert!(parts.iter().all(|part| matches!(part, Part::Result { .. })));
    assert_eq!((parts.len(), tools.count()), (2, 0));
}

#[test]
fn an_ending_that_cannot_be_read_is_a_damaged_run_and_not_a_stopped_one() {
    let record = Record {
        v: 1,
        seq: 9,
        path: Path::root(),
        at_ms: 5,
        entry: Entry::Ended {
            body: serde_json::json!({ "status": "vanished" }),
        },
    };
    match &Timeline::default().read(&record)[..] {
        [Event::Failed { failure }, Event::RunEnded { status, .. }] => {
            assert_eq!(failure.code, "run_corrupt");
            assert_eq!(*status, Status::Failed);
        }
        other => panic!("{other:?}"),
    }
}
