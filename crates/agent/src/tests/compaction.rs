//! Tests of Property 11: some facts survive every compaction.

use super::context::windowed;
use super::toys::{calls, find, says, task_and_state, words};
use super::world::World;
use crate::{Cycle, Event, Exchange, Goal, KnownFacts};
use gloss_durable::sorted::SortedSet;
use gloss_model::{Control, ModelError, Part, Purpose, Reply, Request, Source};
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The replies of each step, and the reply to a compaction.
#[derive(Debug, Clone)]
struct Says {
    goal: String,
    preference: String,
    /// For each step: the finished task, the decision, the observation.
    steps: Vec<(Option<String>, Option<String>, String)>,
    strict: bool,
    /// The light model's rewritten text; `None` if the light model fails.
    anew: Option<String>,
}

fn phrase(g: &mut Gen, least: usize, most: usize) -> String {
    let from = [
        "the tide of Brest",
        "潮汐在布雷斯特",
        "\"7.3 m\"",
        "[[p2.1]]",
        "<b>springs</b>",
        "neaps\\lows",
        "[r2]",
        "are known.",
        "ébb",
        "{{steps}}",
    ];
    let count = least + usize::arbitrary(g) % (most - least);
    let words = (0..count).map(|_| *g.choose(&from).unwrap());
    words.collect::<Vec<_>>().join(" ")
}

impl Arbitrary for Says {
    fn arbitrary(g: &mut Gen) -> Self {
        let step = |g: &mut Gen, number: usize| {
            let numbered = |words: String| format!("{number}: {words}");
            let some = |g: &mut Gen| bool::arbitrary(g).then(|| numbered(phrase(g, 1, 4)));
            (some(g), some(g), phrase(g, 30, 60))
        };
        Self {
            goal: format!("Why is there a tide? {}", phrase(g, 1, 12)),
            preference: format!("The user prefers {}", phrase(g, 1, 6)),
            steps: (0..7).map(|number| step(g, number)).collect(),
            strict: bool::arbitrary(g),
            anew: bool::arbitrary(g).then(|| phrase(g, 0, 12)),
        }
    }
}

/// Returns true if a prompt contains this text as escaped data.
fn is_in(words: &str, task: &str) -> bool {
    let json = serde_json::to_string(words).unwrap();
    let escaped = json.replace('<', "\\u003c");
    task.contains(&escaped) || task.contains(&json)
}

/// Returns the task of a request, and what the request quotes as known about the user.
fn known(request: &Request) -> String {
    let parts = request.transcript.messages().flat_map(|it| &it.parts);
    let quoted = parts.filter_map(|part| match part {
        Part::Quoted {
            source: Source::Memory,
            text,
        } => Some(text.as_str()),
        _ => None,
    });
    let quoted: String = quoted.collect();
    format!("{}\n{quoted}", task_and_state(request))
}

/// For each request, the facts that it must contain.
type Due = Rc<RefCell<Vec<(Purpose, String, Vec<String>)>>>;

fn world(script: &Says) -> (World, Due) {
    let due = Due::default();
    let (asked, script_of) = (due.clone(), script.clone());
    let observed = Cell::new(0);
    let said = RefCell::new(vec![
        script.goal.clone(),
        format!("{} [id f1]", script.preference),
    ]);
    let answers = move |request: &Request| -> Result<Reply, ModelError> {
        let purpose = request.purpose;
        if purpose == Purpose::Compact {
            let words = script_of.anew.clone();
            return words.map(|words| says(&words)).ok_or(ModelError::Failed {
                message: "broken".to_owned(),
            });
        }
        let held = said.borrow().clone();
        asked.borrow_mut().push((purpose, known(request), held));
        if purpose == Purpose::Synthesise {
            return Ok(says("The closing answer."));
        }
        let step = observed.get();
        let mut reply = calls([find(&format!("c{step}"))]);
        let is_observed = purpose == Purpose::Observe;
        if let Some((completed, decided, seen)) = script_of.steps.get(step).filter(|_| is_observed)
        {
            observed.set(step + 1);
            let new = [completed, decided].into_iter().flatten();
            said.borrow_mut().extend(new.cloned());
            reply.control = Control {
                observation: Some(words(seen)),
                completed: completed.iter().cloned().collect(),
                decisions: decided.iter().cloned().collect(),
                ..reply.control
            };
        }
        Ok(reply)
    };
    let mut world = World::new(Rc::new(answers)).asked_for(Goal::Ask {
        question: script.goal.clone(),
    });
    world.settings.max_steps = Some(7);
    if script.strict {
        world.settings.cycle = Cycle::Strict;
    }
    world.history = vec![Exchange {
        provenance: crate::tests::toys::of_a_page(),
        goal: Goal::Ask {
            question: "What is a neap?".to_owned(),
        },
        answer: "The neap tide is the lower one of the two. ".repeat(80),
    }];
    world.model_chosen = windowed(6_000);
    let off = ["web_search", "web_fetch", "memory_save", "image_generate"];
    world.tools_off = off.map(str::to_owned).into_iter().collect::<SortedSet<_>>();
    world.known = KnownFacts::Facts;
    let fact = json!({ "id": "f1", "content": script.preference, "pinned": true,
        "source": { "how": "typed" }, "created_at_ms": 1 });
    let facts = json!({ "format": "gloss-facts", "version": 1, "facts": [fact] });
    world.sim.set_shelved("facts", &facts.to_string());
    (world, due)
}

/// Feature: agent-architecture-upgrade, Property 11: goal, finished subtasks, key decisions and
/// preferences survive every compaction word for word. Each later request that asks for a thought
/// contains them.
#[test]
fn what_a_run_must_not_lose_stands_in_every_later_request() {
    #[expect(clippy::needless_pass_by_value, reason = "quickcheck hands it over")]
    fn holds(script: Says) -> TestResult {
        let (world, due) = world(&script);
        let ran = world.run();
        let compacted = |event: &Event| matches!(event, Event::Compacted { .. });
        if !ran.events.iter().any(compacted) {
            return TestResult::discard();
        }
        let purposes = [Purpose::Reason, Purpose::Observe, Purpose::Synthesise];
        let due = due.borrow();
        for purpose in purposes {
            assert!(due.iter().any(|(of, ..)| *of == purpose), "{purpose:?}");
        }
        for (purpose, task, held) in due.iter().filter(|(of, ..)| purposes.contains(of)) {
            for words in held {
                assert!(
                    is_in(words, task),
                    "{purpose:?}: {words:?} is not in {task}"
                );
            }
        }
        TestResult::passed()
    }
    QuickCheck::new()
        .tests(100)
        .min_tests_passed(100)
        .max_tests(400)
        .quickcheck(holds as fn(Says) -> TestResult);
}
