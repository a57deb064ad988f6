//! Tests that no reply of a model can break the run's order and limits.

use super::toys::{call, find, words};
use super::world::{RunResult, World};
use crate::{Bound, Cycle, Event, Phase, Status, Style};
use gloss_durable::{Entry, Record};
use gloss_model::{Complexity, Control, Purpose, Reply, ToolCall, Usage};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use serde_json::json;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A model with arbitrary replies. The reply to each request is made from the next number.
#[derive(Debug, Clone)]
pub(super) struct Script {
    numbers: Vec<u16>,
    strict: bool,
    style: u8,
    max_steps: Option<u8>,
    max_tool_calls: u8,
    max_tokens: Option<u16>,
}

impl Arbitrary for Script {
    fn arbitrary(g: &mut Gen) -> Self {
        Self {
            numbers: Vec::arbitrary(g),
            strict: bool::arbitrary(g),
            style: u8::arbitrary(g),
            max_steps: Option::arbitrary(g),
            max_tool_calls: u8::arbitrary(g) % 12,
            max_tokens: None,
        }
    }
}

/// Returns an arbitrary reply for each number, whether or not tools are offered.
fn reply(number: u16) -> Reply {
    let bit = |place: u32| (number >> place) & 1 == 1;
    let one = |place: u16| -> ToolCall {
        let id = format!("{place}");
        let mut call = match ((number >> 2) + place) & 7 {
            0 => call(&id, "fly", json!({})),
            1 => call(&id, "find_in_page", json!({ "query": 5 })),
            2 => call(&id, "sleep", json!({ "ms": [40_000, 9, 9, 9] })),
            3 => call(&id, "sleep", json!({ "ms": 30 })),
            4 => call(&id, "change", json!({ "ms": 30 })),
            _ => find(&id),
        };
        call.reasoning = Some(words("Why not?")).filter(|_| bit(5));
        call.after = bit(6).then(|| format!("{}", (place + 1) % 3));
        call
    };
    Reply {
        text: if bit(7) {
            "A word.".to_owned()
        } else {
            String::new()
        },
        calls: (0..number & 3).map(one).collect(),
        control: Control {
            thought: Some(words("Think.")).filter(|_| bit(8)),
            observation: Some(words("See.")).filter(|_| bit(9)),
            goal_met: bit(10).then(|| bit(11)),
            completed: Vec::new(),
            decisions: Vec::new(),
            reflection: None,
            reflections: Vec::new(),
            // NaN can't be written as a number in JSON.
            confidence: bit(12).then_some(if bit(15) { f32::NAN } else { 0.9 }),
            complexity: bit(13).then_some(Complexity::Complex),
            remark: None,
            leads: Vec::new(),
        },
        usage: Usage {
            input_tokens: u32::from(number) / 16,
            output_tokens: 1,
            ..Usage::default()
        },
        ..Reply::default()
    }
}

impl Script {
    pub(super) fn run(&self) -> (World, RunResult) {
        let world = self.world();
        let ran = world.run();
        (world, ran)
    }

    /// Returns an instant at which the worker may be killed.
    pub(super) fn kill_at(&self) -> u64 {
        let sum: u64 = self.numbers.iter().map(|number| u64::from(*number)).sum();
        sum % 64
    }

    /// Returns the world of this script.
    pub(super) fn world(&self) -> World {
        let (numbers, next) = (self.numbers.clone(), Cell::new(0));
        World::new(Rc::new(move |_| {
            let place = next.replace(next.get() + 1);
            Ok(reply(numbers.get(place).copied().unwrap_or_default()))
        }))
        .with(|settings| {
            settings.cycle = if self.strict {
                Cycle::Strict
            } else {
                Cycle::Fused
            };
            settings.style =
                [Style::ToolFirst, Style::Balanced, Style::Direct][usize::from(self.style) % 3];
            settings.max_steps = self.max_steps;
            settings.max_tool_calls = u32::from(self.max_tool_calls);
            if let Some(most) = self.max_tokens {
                // The limit is the reserve for the closing call and the cost of one or two calls.
                settings.max_tokens = 5_500 + u32::from(most) % 3_500;
            }
        })
    }
}

/// The seed of the scripts, so that each test run uses the same scripts.
pub(super) const SEED: u64 = 6;

/// The number of scripts with which each property is checked.
const CASES: u32 = 200;

/// The minimum share of scripts for which a property's premise must hold, in percent.
const LEAST_PERCENT: u32 = 30;

/// A property and its premise. `says` panics if the property doesn't hold for a run.
struct Law {
    number: u8,
    premise: fn(&World, &RunResult) -> bool,
    says: fn(&Script, &World, &RunResult),
    held: Rc<Cell<u32>>,
}

impl Testable for Law {
    fn result(&self, generator: &mut Gen) -> TestResult {
        let mut script = Script::arbitrary(generator);
        if self.number == 15 {
            script.max_tokens = Some(u16::arbitrary(generator));
        }
        let (world, ran) = script.run();
        let holds = (self.premise)(&world, &ran);
        self.held.set(self.held.get() + u32::from(holds));
        (self.says)(&script, &world, &ran);
        TestResult::passed()
    }
}

/// Checks a property with random scripts, and prints for how many of them the premise held. Fails
/// if the premise held for too few scripts.
pub(super) fn property(
    number: u8,
    premise: fn(&World, &RunResult) -> bool,
    law: fn(&Script, &World, &RunResult),
) {
    let held = Rc::new(Cell::new(0));
    let quick = QuickCheck::new().rng(Gen::from_size_and_seed(24, SEED));
    let mut quick = quick.min_tests_passed(CASES.into()).tests(CASES.into());
    quick.quickcheck(Law {
        number,
        premise,
        says: law,
        held: held.clone(),
    });
    let held = held.get();
    let percent = held * 100 / CASES;
    println!("Property {number}: its premise held in {held} of {CASES} cases ({percent} %)");
    assert!(percent >= LEAST_PERCENT, "Property {number}: {percent} %");
}

/// Returns true if a tool was called.
pub(super) fn acts(_: &World, ran: &RunResult) -> bool {
    let started = |event: &Event| matches!(event, Event::ToolStarted { .. });
    ran.events.iter().any(started)
}

fn thought_in(events: &[Event], of: u8) -> bool {
    let thought = |event: &Event| matches!(event, Event::ThoughtFormed { step, .. } if *step == of);
    events.iter().any(thought)
}

fn tries(records: &[Record]) -> BTreeMap<String, u32> {
    let mut tries = BTreeMap::new();
    for record in records {
        if let Entry::Intent { effect, .. } = &record.entry
            && effect == "tool"
        {
            let call = record.path.as_str().rsplit_once('/').unwrap().0;
            *tries.entry(call.to_owned()).or_default() += 1;
        }
    }
    tries
}

/// Feature: agent-architecture-upgrade, Property 1: for any agent execution, the total number of
/// steps shall not exceed the configured maxSteps (default 5), and the total number of retries for
/// any single action shall not exceed maxRetries (default 3).
#[test]
fn no_run_takes_more_steps_or_tries_than_it_may() {
    property(1, acts, |script, world, ran| {
        let most = script.max_steps.map_or(8, |set| set.clamp(1, 10));
        assert!(ran.steps() <= usize::from(most), "{script:?}");
        let tries = tries(&world.stored());
        assert!(tries.values().all(|tries| *tries <= 3), "{script:?}");
        assert!(
            tries.len() <= usize::from(script.max_tool_calls),
            "{script:?}"
        );
        // A step makes at most four calls: reason, a request for the reason, act, and observe. One
        // closing call follows the last step.
        assert!(
            world.model.calls().len() <= ran.steps() * 4 + 1,
            "{script:?}"
        );
    });
}

/// Feature: agent-architecture-upgrade, Property 2: for any tool invocation in the agent
/// loop, there shall exist a preceding thought step that contains reasoning for the tool
/// selection.
#[test]
fn no_tool_starts_before_its_step_has_a_thought() {
    property(2, acts, |script, _, ran| {
        for (place, event) in ran.events.iter().enumerate() {
            if let Event::ToolStarted { step, .. } = event {
                assert!(thought_in(&ran.events[..place], *step), "{script:?}");
            }
        }
    });
}

/// Feature: agent-architecture-upgrade, Property 3: for any tool result in the agent loop,
/// there shall exist a subsequent observation step that analyzes whether the result meets
/// the goal.
#[test]
fn every_tool_that_ended_is_observed_before_the_next_thought() {
    property(3, acts, |script, _, ran| {
        for (place, event) in ran.events.iter().enumerate() {
            let Event::ToolFinished { step: of, .. } = event else {
                continue;
            };
            let next = ran.events[place..].iter().find(|event| {
                matches!(
                    event,
                    Event::ObservationMade { .. }
                        | Event::ThoughtFormed { .. }
                        | Event::AnswerGiven { .. }
                )
            });
            let observed = matches!(next, Some(Event::ObservationMade { step, .. }) if step == of);
            assert!(observed, "{script:?}");
        }
    });
}

/// Returns the phase that must come before an event, if it needs one.
fn phase_before(event: &Event, strict: bool) -> Option<(u8, &'static [Phase])> {
    match event {
        Event::ToolStarted { step, .. } => Some((*step, &[Phase::Executing])),
        Event::ObservationMade { step, .. } => Some((
            *step,
            &[
                Phase::Analysing,
                Phase::Reflecting,
                Phase::Thinking,
                Phase::Executing,
            ],
        )),
        // In the fused cycle, a step after the first may use the thought of the last observation.
        Event::ThoughtFormed { step, .. } if *step == 1 || strict => {
            Some((*step, &[Phase::Thinking, Phase::Executing]))
        }
        _ => None,
    }
}

/// Returns true if the run changed from one phase to another.
fn changes(_: &World, ran: &RunResult) -> bool {
    let phase = |event: &&Event| matches!(event, Event::PhaseChanged { .. });
    ran.events.iter().filter(phase).count() > 2
}

/// Feature: agent-architecture-upgrade, Property 17: for any phase transition in the agent
/// loop, a status update callback shall be invoked with the new phase information.
#[test]
fn every_phase_is_told_when_it_begins() {
    property(17, changes, |script, world, ran| {
        let mut now = None;
        let mut told = Vec::new();
        for event in &ran.events {
            if let Event::PhaseChanged {
                phase,
                step,
                max_steps,
            } = event
            {
                assert!(step <= max_steps, "{script:?}");
                now = Some((*step, *phase));
                told.push(*phase);
            }
            if let Some((step, phases)) = phase_before(event, script.strict) {
                let (at, phase) = now.expect("a phase");
                assert!(
                    at == step && phases.contains(&phase),
                    "{script:?}: {event:?}"
                );
            }
        }
        let asked: Vec<Phase> = world.stored().iter().filter_map(phase_of).collect();
        assert_eq!(told, asked, "{script:?}");
    });
}

/// Returns the phase that a record begins, independently of the timeline's code.
fn phase_of(record: &Record) -> Option<Phase> {
    let Entry::Intent { effect, label, .. } = &record.entry else {
        return None;
    };
    match effect.as_str() {
        "page" => Some(Phase::Reading),
        "tool" => Some(Phase::Executing),
        "model" => {
            let purpose: Purpose = serde_json::from_value(label["purpose"].clone()).unwrap();
            let reflects = label["reflects"] == true;
            Some(match purpose {
                Purpose::Observe if reflects => Phase::Reflecting,
                Purpose::Reason => Phase::Thinking,
                Purpose::Act => Phase::Executing,
                Purpose::Observe | Purpose::Compact | Purpose::Grade | Purpose::Rewrite => {
                    Phase::Analysing
                }
                Purpose::Synthesise => Phase::Synthesising,
            })
        }
        _ => None,
    }
}

#[test]
fn every_run_ends_once_with_one_answer_and_its_bound_in_words() {
    let always = |_: &World, _: &RunResult| true;
    property(0, always, |script, world, ran| {
        let ends = ran
            .events
            .iter()
            .filter(|e| matches!(e, Event::RunEnded { .. }));
        assert_eq!(ends.count(), 1, "{script:?}");
        assert!(matches!(ran.events.last(), Some(Event::RunEnded { .. })));
        let bound = ran.events.iter().find_map(|event| match event {
            Event::BoundHit { bound, .. } => Some(*bound),
            _ => None,
        });
        let expected = bound.map_or(Status::Completed, Status::Terminated);
        assert_eq!(ran.closing.status, expected, "{script:?}");
        let says = |bound: Bound| ran.remarks().contains(&bound.remark(&world.settings).key);
        assert!(bound.is_none_or(says), "{script:?}");
    });
}
