//! Tests of tasks that fail in each possible way. They succeed with a lesson, and fail without it.
//! The scripted model depends only on its requests. In the control tests, the lessons are removed
//! from the requests. The tests prove the mechanism, and say nothing about real models.

use super::reflexion::{ends, reflections, reflects, told};
use super::toys::{Answers, call, calls, says};
use super::world::World;
use crate::reflexion::tests::KINDS;
use crate::{Event, Goal, Status};
use gloss_host::HttpError;
use gloss_host_sim::Answer;
use gloss_model::phrase::DisplayText;
use gloss_model::{Message, Part, Purpose, Role, Transcript};
use gloss_tools::{CallEnd, ErrorKind};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A task, and the way in which it fails.
struct Task {
    kind: ErrorKind,
    /// The call that the model makes without the lesson.
    wrong: fn() -> (&'static str, Value),
    /// The lesson that the model writes, in a sentence that occurs nowhere else.
    instead: &'static str,
    /// The call that the model makes after it has read that sentence.
    right: fn() -> (&'static str, Value),
    /// A text in the result of the right call that occurs nowhere else.
    found: &'static str,
}

fn fetch(path: &str) -> (&'static str, Value) {
    let url = format!("https://a.example/{path}");
    ("web_fetch", json!({ "urls": [url] }))
}

fn lamp() -> (&'static str, Value) {
    fetch("lamp")
}

fn neaps() -> (&'static str, Value) {
    ("find_in_page", json!({ "query": "neaps" }))
}

const OF_PAGE: &str = "neaps when they do not";
const OF_LAMP: &str = "The lamp was lit in 1823.";

const TASKS: [Task; 8] = [
    Task {
        kind: ErrorKind::Validation,
        wrong: || ("find_in_page", json!({ "words": "neaps" })),
        instead: "Give it a query.",
        right: neaps,
        found: OF_PAGE,
    },
    Task {
        kind: ErrorKind::NotFound,
        wrong: || fetch("404"),
        instead: "The lamp has a page of its own.",
        right: lamp,
        found: OF_LAMP,
    },
    Task {
        kind: ErrorKind::Timeout,
        wrong: || ("sleep", json!({ "ms": 40_000 })),
        instead: "Let it sleep for less.",
        right: || ("sleep", json!({ "ms": 4_321 })),
        found: "slept",
    },
    Task {
        kind: ErrorKind::Network,
        wrong: || fetch("503"),
        instead: "Leave that server's door alone.",
        right: lamp,
        found: OF_LAMP,
    },
    Task {
        kind: ErrorKind::RateLimit,
        wrong: || fetch("429"),
        instead: "Ask the quiet page.",
        right: lamp,
        found: OF_LAMP,
    },
    Task {
        kind: ErrorKind::Refused,
        wrong: || fetch("403"),
        instead: "Ask the page that anybody may read.",
        right: lamp,
        found: OF_LAMP,
    },
    Task {
        kind: ErrorKind::Empty,
        wrong: || fetch("picture"),
        instead: "Ask for the page with words.",
        right: lamp,
        found: OF_LAMP,
    },
    Task {
        kind: ErrorKind::Other,
        wrong: || ("image_generate", json!({ "description": "neaps" })),
        instead: "Quote the page in place of drawing it.",
        right: neaps,
        found: OF_PAGE,
    },
];

/// Makes the wrong call until a request contains the lesson, and then the right call.
fn pupil(task: &'static Task) -> Answers {
    Rc::new(move |request| {
        let told = told(request);
        let next = || {
            let (id, (tool, arguments)) = if told.contains(task.instead) {
                ("right", (task.right)())
            } else {
                ("wrong", (task.wrong)())
            };
            calls([call(id, tool, arguments)])
        };
        Ok(match request.purpose {
            _ if told.contains(task.found) => says("There it is."),
            Purpose::Reason => next(),
            Purpose::Observe => reflects("That was the way not to.", task.instead, next()),
            _ => says("I don't know."),
        })
    })
}

/// Returns true if a message contains lessons.
fn is_lesson(message: &Message) -> bool {
    let learned =
        |part: &Part| matches!(part, Part::Text { text } if text.starts_with("The lessons below"));
    message.role == Role::User && message.parts.iter().any(learned)
}

/// Returns the same model with all lessons removed from its requests. Also returns the number of
/// removed messages.
fn without_lessons(model: Answers) -> (Answers, Rc<Cell<usize>>) {
    let cut = Rc::new(Cell::new(0));
    let counted = cut.clone();
    let answers: Answers = Rc::new(move |request| {
        let mut request = request.clone();
        let mut transcript = Transcript::default();
        for message in request.transcript.messages() {
            if is_lesson(message) {
                counted.set(counted.get() + 1);
            } else {
                transcript.push(message.clone());
            }
        }
        request.transcript = transcript;
        model(&request)
    });
    (answers, cut)
}

fn world(answers: Answers) -> World {
    let mut world = World::new(answers);
    let pages = ["404", "503", "429", "403", "picture", "lamp"];
    let pages = pages.map(|path| format!("https://a.example/{path}"));
    world.goal = Goal::Ask {
        question: format!("What do {} say of it?", pages.join(", ")),
    };
    world.sim.grant("https://a.example");
    world.sim.serve(|request, _| {
        let (kind, body) = match request.url.rsplit('/').next() {
            Some("lamp") => ("text/html", "<main><p>The lamp was lit in 1823.</p></main>"),
            Some("picture") => ("image/png", "x"),
            Some("503") => {
                return Answer::refuse(HttpError::Unreachable {
                    message: "refused".to_owned(),
                });
            }
            status => {
                let status = status.and_then(|it| it.parse().ok());
                return Answer::status(status.expect("a status"));
            }
        };
        Answer::status(200).header("content-type", kind).send(body)
    });
    world
}

#[test]
fn there_is_a_task_for_each_kind_of_error() {
    let tasks: BTreeSet<ErrorKind> = TASKS.iter().map(|task| task.kind).collect();
    assert_eq!(tasks, KINDS.into());
}

#[test]
fn with_what_was_learned_each_task_is_solved_at_the_next_try() {
    for task in &TASKS {
        let ran = world(pupil(task)).run();
        assert_eq!(ran.closing.status, Status::Completed, "{:?}", task.kind);
        assert_eq!(ran.answer().markdown, "There it is.", "{:?}", task.kind);
        let [learned] = &reflections(&ran.events)[..] else {
            panic!("{:?}: {:?}", task.kind, ran.events);
        };
        assert_eq!(learned.kind, task.kind);
        assert_eq!(learned.fix, DisplayText::Words(task.instead.to_owned()));
        let ends = ends(&ran.events);
        let made: Vec<&CallEnd> = ends.iter().filter(|it| **it != CallEnd::Skipped).collect();
        assert!(made[0].is_error() && made.len() == 2, "{ends:?}");
        let applied = ran.events.iter().any(|event| {
            matches!(event, Event::ReflectionApplied { ids, .. } if ids.contains(&learned.id))
        });
        // A lesson counts as applied only if the same tool succeeds.
        let same_tool = (task.right)().0 == (task.wrong)().0;
        assert_eq!(applied, same_tool, "{:?}", task.kind);
    }
}

#[test]
fn without_what_was_learned_the_same_model_solves_none() {
    for task in &TASKS {
        let (answers, cut) = without_lessons(pupil(task));
        let ran = world(answers).run();
        assert_ne!(ran.answer().markdown, "There it is.", "{:?}", task.kind);
        assert!(
            cut.get() > 0,
            "{:?}: there was nothing to cut out",
            task.kind
        );
        // The same call is not made again.
        let ends = ends(&ran.events);
        assert!(ends[0].is_error() && ends.len() > 1, "{ends:?}");
        assert!(ends[1..].iter().all(|end| *end == CallEnd::Skipped));
    }
}

#[test]
fn a_later_run_that_is_given_it_solves_each_task_at_once() {
    for task in &TASKS {
        let learned = reflections(&world(pupil(task)).run().events);
        let later = |answers| {
            let mut world = world(answers);
            world.lessons = learned.clone();
            world.run()
        };
        let ran = later(pupil(task));
        assert_eq!(ran.answer().markdown, "There it is.", "{:?}", task.kind);
        assert!(reflections(&ran.events).is_empty());
        assert_eq!(ends(&ran.events), [CallEnd::Completed]);
        let (answers, cut) = without_lessons(pupil(task));
        let ran = later(answers);
        assert_ne!(ran.answer().markdown, "There it is.", "{:?}", task.kind);
        assert!(cut.get() > 0);
    }
}
