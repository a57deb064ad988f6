//! Tests of the lessons from a failure, and of their wording.

use super::toys::{call, calls, says, task_and_state};
use super::world::World;
use crate::{Event, Lesson, OnToolFailure, Status};
use gloss_model::phrase::DisplayText;
use gloss_model::{Control, Part, Purpose, Reflection, Reply, Request, ToolCall};
use gloss_tools::{CallEnd, ErrorKind, Group};
use serde_json::json;
use std::rc::Rc;

/// Returns all text of a request.
pub(super) fn told(request: &Request) -> String {
    let messages = request.transcript.messages();
    let parts = messages.flat_map(|message| message.parts.iter());
    let texts = parts.map(|part| match part {
        Part::Text { text } => text.clone(),
        other => format!("{other:?}"),
    });
    texts
        .chain([task_and_state(request)])
        .collect::<Vec<_>>()
        .join("\n")
}

pub(super) fn reflects(why: &str, instead: &str, next: Reply) -> Reply {
    Reply {
        control: Control {
            observation: Some(DisplayText::words("It failed.")),
            goal_met: Some(false),
            reflection: Some(Reflection {
                why: Some(why.to_owned()),
                instead: instead.to_owned(),
            }),
            ..next.control
        },
        ..next
    }
}

pub(super) fn reflections(events: &[Event]) -> Vec<Lesson> {
    let learned = events.iter().filter_map(|event| match event {
        Event::Reflected { reflection, .. } => Some(reflection.clone()),
        _ => None,
    });
    learned.collect()
}

pub(super) fn ends(events: &[Event]) -> Vec<CallEnd> {
    let ends = events.iter().filter_map(|event| match event {
        Event::ToolFinished { end, .. } => Some(*end),
        _ => None,
    });
    ends.collect()
}

#[test]
fn where_a_model_says_nothing_of_it_the_kind_says_what_helps() {
    let wrong: ToolCall = call("a", "find_in_page", json!({ "words": "neaps" }));
    let world = World::scripted(vec![
        (Purpose::Reason, calls([wrong])),
        (Purpose::Observe, says("It can't be found.")),
    ]);
    let ran = world.run();
    let learned = reflections(&ran.events);
    assert_eq!(learned.len(), 1);
    assert!(
        matches!(&learned[0].fix, DisplayText::Phrase(phrase) if phrase.key == "reflection_validation")
    );
}

/// Runs two calls of a step that fail: the first because of its arguments, the second in the same
/// way if `alike` is true. The observation's control block is `said`. Returns the lessons.
fn two_that_fail(alike: bool, said: Control) -> Vec<Lesson> {
    let second = if alike {
        call("b", "find_in_page", json!({ "text": "springs" }))
    } else {
        call("b", "recall_details", json!({ "resultId": "r9" }))
    };
    let wrong = call("a", "find_in_page", json!({ "words": "neaps" }));
    let observes = Reply {
        control: said,
        ..says("It can't be found.")
    };
    let world = World::scripted(vec![
        (Purpose::Reason, calls([wrong, second])),
        (Purpose::Observe, observes),
    ]);
    reflections(&world.run().events)
}

/// Returns the lessons in the reflection task, failure by failure. A tool fails repeatedly with
/// errors of the same kind. If `is_well_between` is true, a call succeeds in between.
fn reflected_on(off: &[Group], is_well_between: bool) -> Vec<String> {
    let asked = std::cell::Cell::new(0);
    let world = World::new(Rc::new(move |request: &Request| {
        let number = asked.replace(asked.get() + 1);
        let words = json!({ "words": format!("neaps {number}") });
        let next = match number {
            1 if is_well_between => json!({ "query": "tide" }),
            0..3 => words,
            _ => return Ok(says("I don't know.")),
        };
        let next = calls([call(&number.to_string(), "find_in_page", next)]);
        Ok(match request.purpose {
            Purpose::Reason => next,
            _ => reflects("It was guessed.", &format!("Way {number}."), next),
        })
    }));
    world.switches.set(off.iter().copied().collect());
    world.run();
    let asked = world.model.asked.borrow();
    let tasks = asked.iter().map(task_and_state);
    tasks
        .filter(|task| task.contains("An action failed"))
        .collect()
}

#[test]
fn a_kind_that_comes_again_is_reflected_on_with_what_the_run_learned_of_it_with_memory_or_without()
{
    for off in [&[][..], &[Group::Memory]] {
        for is_well_between in [false, true] {
            let told = reflected_on(off, is_well_between);
            assert!(told.len() >= 2, "{told:?}");
            assert!(!told[0].contains("Way 1."));
            assert_eq!(told[1].matches("Way 1.").count(), 1, "{}", told[1]);
        }
    }
}

fn lesson(instead: &str) -> Reflection {
    Reflection {
        why: Some("It failed so.".to_owned()),
        instead: instead.to_owned(),
    }
}

fn fixes(learned: &[Lesson]) -> Vec<Option<&str>> {
    let words = learned.iter().map(|it| match &it.fix {
        DisplayText::Words(words) => Some(words.as_str()),
        DisplayText::Phrase(_) => None,
    });
    words.collect()
}

#[test]
fn of_calls_that_failed_in_several_ways_each_has_the_words_that_are_about_it() {
    let one = |instead| Control {
        reflection: Some(lesson(instead)),
        ..Control::default()
    };
    let each = |fixes: &[&str]| Control {
        reflections: fixes.iter().map(|fix| lesson(fix)).collect(),
        ..Control::default()
    };
    let table = [
        (false, each(&["A", "B"]), [Some("A"), Some("B")]),
        (true, each(&["A", "B"]), [Some("A"), Some("B")]),
        (true, one("A"), [Some("A"), Some("A")]),
        // It is unknown to which of the two failures the text refers.
        (false, one("A"), [None, None]),
        (false, each(&["A", "B", "C"]), [None, None]),
    ];
    for (alike, said, expected) in table {
        let learned = two_that_fail(alike, said);
        let kinds: Vec<ErrorKind> = learned.iter().map(|it| it.kind).collect();
        let second = if alike {
            ErrorKind::Validation
        } else {
            ErrorKind::NotFound
        };
        assert_eq!(kinds, [ErrorKind::Validation, second]);
        assert_eq!(fixes(&learned), expected);
        let said = learned.iter().map(|it| it.analysis.is_some());
        assert!(said.eq(expected.iter().map(Option::is_some)));
    }
}

#[test]
fn a_failure_that_ends_the_run_is_learned_from_by_its_kind() {
    let wrong = call("a", "sleep", json!({ "ms": 40_000 }));
    let world = World::scripted(vec![(Purpose::Reason, calls([wrong]))])
        .with(|settings| settings.on_tool_failure = OnToolFailure::Fail);
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Failed);
    let [learned] = &reflections(&ran.events)[..] else {
        panic!("{:?}", ran.events);
    };
    assert_eq!(learned.kind, ErrorKind::Timeout);
    assert!(
        matches!(&learned.fix, DisplayText::Phrase(phrase) if phrase.key == "reflection_timeout")
    );
    assert!(
        world
            .sim
            .shelved("reflections")
            .unwrap()
            .contains(&learned.id)
    );
    assert_eq!(world.model.calls().len(), 1);
}
