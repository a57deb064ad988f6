//! Tests of Property 13, and of a trajectory's metrics.

use super::order::{SEED, Script};
use super::toys::{ReplyWith as _, calls, find, says};
use super::world::{NEVER, World};
use crate::export::Export;
use crate::trajectory::{Bodies, Charge, LogEntry, LogEntryKind, ModelCall, Trajectory};
use crate::{Event, Settings};
use Purpose::{Observe, Reason};
use gloss_durable::{Body, Class, Effect, Entry, Fingerprint, Path, Record};
use gloss_model::phrase::DisplayText;
use gloss_model::{Ask, ModelChoice, Part, Profile, Purpose, Reply};
use gloss_tools::RunTool;
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use serde_json::{Value, json};
use std::cell::Cell;
use std::rc::Rc;

fn trajectory(world: &World) -> Trajectory {
    Trajectory::of(&world.stored(), &Bodies::new())
}

/// Returns the events that the loop itself recorded as notes, with their times.
fn stated(records: &[Record]) -> Vec<(u64, Event)> {
    let stated = records.iter().filter_map(|record| match &record.entry {
        Entry::Note { topic, body } if topic == "event" => {
            Some((record.at_ms, serde_json::from_value(body.clone()).unwrap()))
        }
        _ => None,
    });
    stated.collect()
}

fn logged<T>(
    trajectory: &Trajectory,
    pick: impl Fn(&LogEntryKind) -> Option<T>,
) -> Vec<(u8, u64, T)> {
    let picked = trajectory
        .log
        .iter()
        .filter_map(|logged: &LogEntry| Some((logged.step, logged.at_ms, pick(&logged.what)?)));
    picked.collect()
}

type Told<T> = Vec<(u8, u64, T)>;

fn thoughts(events: &[(u64, Event)]) -> Told<DisplayText> {
    let told = events.iter().filter_map(|(at_ms, event)| match event {
        Event::ThoughtFormed { step, thought } => Some((*step, *at_ms, thought.clone())),
        _ => None,
    });
    told.collect()
}

fn observations(events: &[(u64, Event)]) -> Told<DisplayText> {
    let told = events.iter().filter_map(|(at_ms, event)| match event {
        Event::ObservationMade {
            step, observation, ..
        } => Some((*step, *at_ms, observation.clone())),
        _ => None,
    });
    told.collect()
}

/// Returns every try of a tool call: its step, its time and its arguments.
fn begun(records: &[Record]) -> Told<(String, String)> {
    let begun = records.iter().filter_map(|record| match &record.entry {
        Entry::Intent { effect, label, .. } if effect == RunTool::KIND => {
            let text = |name: &str| label[name].as_str().unwrap().to_owned();
            let step = label["step"].as_u64().unwrap() as u8;
            Some((step, record.at_ms, (text("call"), text("arguments"))))
        }
        _ => None,
    });
    begun.collect()
}

/// Returns the result of each call as the model read it, in the order of the calls.
fn read(world: &World) -> Vec<Result<Value, String>> {
    let asked = world.model.asked.borrow();
    let Some(last) = asked
        .iter()
        .max_by_key(|request| request.transcript.messages().count())
    else {
        return Vec::new();
    };
    let parts = last
        .transcript
        .messages()
        .flat_map(|message| message.parts.clone());
    let results = parts.filter_map(|part| match part {
        Part::Result { outcome, .. } => Some(outcome),
        _ => None,
    });
    results.collect()
}

fn is_complete(script: &Script, world: &World) {
    let records = world.stored();
    let (trajectory, stated) = (trajectory(world), stated(&records));
    let thought = logged(&trajectory, |what| match what {
        LogEntryKind::Thought { thought } => Some(thought.clone()),
        _ => None,
    });
    assert_eq!(thought, thoughts(&stated), "{script:?}");
    let observed = logged(&trajectory, |what| match what {
        LogEntryKind::Observation { observation, .. } => Some(observation.clone()),
        _ => None,
    });
    assert_eq!(observed, observations(&stated), "{script:?}");
    let called = logged(&trajectory, |what| match what {
        LogEntryKind::Call(call) => Some((call.id.clone(), call.arguments.clone())),
        _ => None,
    });
    assert_eq!(called, begun(&records), "{script:?}");
    let given = logged(&trajectory, |what| match what {
        LogEntryKind::Result(given) => Some(given.outcome.clone()),
        _ => None,
    });
    for outcome in read(world) {
        let known = given.iter().find(|(.., known)| *known == outcome);
        let (step, at_ms, _) = known.unwrap_or_else(|| panic!("{script:?}: {outcome:?}"));
        assert!(*step > 0 && *at_ms > 0, "{script:?}");
    }
    let steps = trajectory.log.iter().map(|logged| logged.step);
    assert!(steps.is_sorted(), "{script:?}: {:?}", trajectory.log);
}

/// A run that is killed at some instant and then resumed.
struct Killed {
    with_results: Rc<Cell<u32>>,
    killed: Rc<Cell<u32>>,
}

impl Testable for Killed {
    fn result(&self, generator: &mut Gen) -> TestResult {
        let script = Script::arbitrary(generator);
        let world = script.world();
        let kill_at = u64::from(u8::arbitrary(generator) % 32);
        if world.life(kill_at).is_none() {
            self.killed.set(self.killed.get() + 1);
            // A killed life may have sent requests that no journal contains.
            world.model.asked.borrow_mut().clear();
            world.life(NEVER).expect("nobody kills it");
        }
        is_complete(&script, &world);
        let records = world.stored();
        let observed = observations(&stated(&records));
        if !begun(&records).is_empty() && !observed.is_empty() {
            self.with_results.set(self.with_results.get() + 1);
        }
        TestResult::passed()
    }
}

/// Feature: agent-architecture-upgrade, Property 13: for any completed agent execution, the
/// trajectory log contains entries for all thoughts, tool calls, tool results and observations with
/// timestamps and step numbers.
#[test]
fn a_trajectory_has_every_thought_call_result_and_observation() {
    const CASES: u32 = 200;
    let with_results = Rc::new(Cell::new(0));
    let killed = Rc::new(Cell::new(0));
    let law = Killed {
        with_results: with_results.clone(),
        killed: killed.clone(),
    };
    let quick = QuickCheck::new().rng(Gen::from_size_and_seed(24, SEED));
    quick
        .min_tests_passed(CASES.into())
        .tests(CASES.into())
        .quickcheck(law);
    let (with_results, killed) = (with_results.get(), killed.get());
    println!(
        "Property 13: {CASES} runs, {with_results} with calls and observations, {killed} killed"
    );
    assert!(with_results * 10 >= CASES * 3, "{with_results} of {CASES}");
    assert!(killed * 10 >= CASES * 3, "{killed} of {CASES}");
}

fn cites(passage: &str) -> Reply {
    says(&format!("The Moon pulls on the sea [[{passage}]].")).sure(1.0)
}

fn asked(trajectory: &Trajectory) -> Vec<ModelCall> {
    let asked = logged(trajectory, |what| match what {
        LogEntryKind::Asked(asked) => Some(asked.clone()),
        _ => None,
    });
    asked.into_iter().map(|(.., asked)| asked).collect()
}

#[test]
fn a_step_whose_results_the_answer_does_not_cite_was_not_needed() {
    // The first step finds nothing, the second finds the cited passage.
    let astray = super::toys::call("1", "sleep", serde_json::json!({ "ms": 5 }));
    let world = World::scripted(vec![
        (Reason, calls([astray])),
        (Observe, calls([find("2")])),
        (Observe, cites("p1")),
    ]);
    world.run();
    let metrics = trajectory(&world).metrics;
    assert_eq!((metrics.steps, metrics.optimal_steps), (2, Some(1)));
    assert_eq!(metrics.efficiency, Some(0.5));
    let used = logged(&trajectory(&world), |what| match what {
        LogEntryKind::Result(given) => Some(given.used),
        _ => None,
    });
    let used: Vec<bool> = used.into_iter().map(|(.., used)| used).collect();
    assert_eq!(used, [false, true]);
}

#[test]
fn tokens_are_the_sum_of_the_calls_and_failures_are_counted() {
    let wrong = super::toys::call("1", "fly", serde_json::json!({}));
    let world = World::scripted(vec![
        (Reason, calls([wrong]).costs(100, 7)),
        (Observe, cites("p1").costs(250, 11)),
    ]);
    world.run();
    let trajectory = trajectory(&world);
    let metrics = &trajectory.metrics;
    assert_eq!((metrics.tokens.input, metrics.tokens.output), (350, 18));
    assert_eq!((metrics.abandoned_tokens, metrics.errors), (0, 1));
    let charges = asked(&trajectory).into_iter().map(|asked| asked.charge);
    assert!(
        charges
            .into_iter()
            .all(|charge| charge == Some(Charge::Reported))
    );
    assert_eq!(metrics.optimal_steps, Some(1));
}

#[test]
fn an_abandoned_call_is_charged_what_its_repeat_read_or_by_estimate() {
    let mut repeated = 0;
    for kill_at in 0..40 {
        let world = World::scripted(vec![
            (Reason, calls([find("1")]).costs(100, 7)),
            (Reason, calls([find("1")]).costs(100, 7)),
            (Observe, cites("p1").costs(250, 11)),
            (Observe, cites("p1").costs(250, 11)),
        ])
        .with(|settings: &mut Settings| settings.max_steps = Some(3));
        if world.life(kill_at).is_some() {
            break;
        }
        // The prompt of a call that a worker's death interrupted is charged by estimate as soon as
        // the next life begins.
        world.life(NEVER).unwrap();
        let trajectory = trajectory(&world);
        let asked = asked(&trajectory);
        for pair in asked.windows(2) {
            if pair[0].charge == Some(Charge::Abandoned) {
                assert_eq!(pair[1].attempt, 2);
                assert_eq!(pair[0].tokens.input, pair[1].tokens.input, "{asked:?}");
                assert_eq!(pair[0].tokens.output, 0);
                assert_eq!(trajectory.metrics.abandoned_tokens, pair[0].tokens.input);
                repeated += 1;
            }
        }
        assert!(asked.iter().all(|asked| asked.charge.is_some()));
    }
    assert!(repeated > 2, "{repeated}");

    // The run is stopped during its only call, so only the prompt's tokens are known.
    let stopped = (0..60).find_map(|tick| {
        let mut world = World::scripted(vec![(Reason, calls([find("1")]).costs(100, 7))]);
        // The model must be a server's, because the on-device model costs nothing.
        world.model_chosen = ModelChoice::Profile(Profile {
            id: "p1".to_owned(),
            name: "Acme".to_owned(),
            base_url: "https://api.acme.example/v1".to_owned(),
            model: "acme-1".to_owned(),
            ..Profile::default()
        });
        world.stop_at(tick);
        world.run();
        let asked = asked(&trajectory(&world));
        let abandoned = asked
            .iter()
            .all(|asked| asked.charge == Some(Charge::Abandoned));
        (asked.len() == 1 && abandoned).then_some(asked)
    });
    let estimate = stopped.expect("a stop in the call")[0].tokens.input;
    assert!((50..6_000).contains(&estimate), "{estimate}");
}

#[test]
fn a_trajectory_is_the_same_through_a_file() {
    let world = World::scripted(vec![(Reason, calls([find("1")])), (Observe, cites("p1"))]);
    world.run();
    let run = gloss_durable::RunId("run".to_owned());
    let export = Export::new(run, "0", world.stored(), Bodies::new());
    let json = export.to_json().unwrap();
    assert_eq!(Export::read(&json).unwrap(), export);
    let file: Value = serde_json::from_str(&json).unwrap();
    let folded: Trajectory = serde_json::from_value(file["trajectory"].clone()).unwrap();
    assert_eq!(folded, export.trajectory);
}

#[test]
fn an_outcome_that_cannot_be_read_is_logged_and_the_rest_is_told() {
    let world = World::scripted(vec![(Reason, calls([find("1")])), (Observe, cites("p1"))]);
    world.run();
    let whole = trajectory(&world);
    let spoilt = [
        Body::Blob("gone".to_owned()),
        Body::Inline(serde_json::json!("nothing that anybody recorded")),
    ];
    for body in spoilt {
        for called in [RunTool::KIND, Ask::KIND] {
            let mut records = world.stored();
            let is_called = |record: &&Record| matches!(&record.entry, Entry::Intent { effect, .. } if effect == called);
            let path = records.iter().find(is_called).unwrap().path.clone();
            let outcome = |record: &&mut Record| {
                record.path == path && matches!(record.entry, Entry::Outcome { .. })
            };
            let record = records.iter_mut().find(outcome).unwrap();
            record.entry = Entry::Outcome { body: body.clone() };
            let seq = record.seq;
            let run = gloss_durable::RunId("run".to_owned());
            let export = Export::new(run, "0", records, Bodies::new());
            assert!(export.to_json().unwrap().contains("run_corrupt"));
            let told = export.trajectory;
            let errors = logged(&told, |what| match what {
                LogEntryKind::Error { failure } => Some(failure.code.clone()),
                _ => None,
            });
            let codes: Vec<&str> = errors.iter().map(|(_, _, code)| code.as_str()).collect();
            assert_eq!(codes, ["run_corrupt"], "{called} {body:?}");
            assert_eq!(told.status, whole.status);
            let answer = |told: &Trajectory| told.log.last().map(|last| last.seq);
            assert_eq!(answer(&told), answer(&whole));
            let rest = |told: &Trajectory| {
                let others = told.log.iter().filter(|logged| logged.seq != seq);
                others
                    .filter(|it| !matches!(it.what, LogEntryKind::Asked(_)))
                    .count()
            };
            assert_eq!(rest(&told), rest(&whole));
        }
    }
}

#[test]
fn what_a_call_asked_before_a_renewal_costs_beside_the_call_that_took_its_place() {
    let used = |tokens: u32| {
        json!({ "role_calls": [{ "model": "m", "usage": {
            "input_tokens": tokens, "output_tokens": 1 }, "cost": 1 }] })
    };
    let begins = |effect: &str| Entry::Intent {
        effect: effect.to_owned(),
        class: Class::Safe,
        fingerprint: Fingerprint::default(),
        attempt: 1,
        label: json!({ "step": 1, "call": "a", "tool": "web_search", "arguments": "{}" }),
    };
    let ends = |value: Value| Entry::Outcome {
        body: Body::Inline(value),
    };
    let mut ended = used(30);
    ended["result"] = json!({ "Ok": { "data": "found", "summary": { "key": "k" } } });
    ended["duration_ms"] = json!(5);
    let renewed = Entry::Restarted {
        revision: "r".to_owned(),
        gathered: json!({ "steps": 0, "spent": { "tokens": 101, "cost": 1, "unpriced": false }, "tool_calls": 0 }),
        keeps: Vec::new(),
    };
    let (call, step) = ("1/act/0/try.1", "1/act/0/try.1/grade.1");
    let entries = [
        (call, begins("tool")),
        (step, begins("grade")),
        (step, ends(used(100))),
        ("", Entry::Resumed),
        ("", renewed),
        (call, begins("tool")),
        (step, begins("grade")),
        (step, ends(used(30))),
        (call, ends(ended)),
    ];
    let record = |(seq, (path, entry)): (usize, (&str, Entry))| Record {
        v: 1,
        seq: seq as u64,
        path: match path {
            "" => Path::root(),
            path => Path::root().child(path),
        },
        at_ms: seq as u64,
        entry,
    };
    let records: Vec<Record> = entries.into_iter().enumerate().map(record).collect();
    let metrics = Trajectory::of(&records, &Bodies::new()).metrics;
    assert_eq!((metrics.tokens.input, metrics.tokens.output), (30, 1));
    assert_eq!(metrics.cost, Some(2));
}
