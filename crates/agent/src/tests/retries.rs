//! Tests of a model that fails, and of a model whose calls can't be read.

use super::toys::{Answers, ReplyWith as _, find, says};
use super::world::{RunResult, World};
use crate::{Cycle, Event, Status};
use gloss_model::{Fault, Finish, ModelError, Purpose, Reply, Role, Server, ServerKind, Usage};
use std::cell::RefCell;
use std::rc::Rc;

fn failed(fault: Fault) -> ModelError {
    ModelError::Server {
        server: Box::new(Server {
            name: "Acme".to_owned(),
            origin: "https://api.acme.example".to_owned(),
            model: "m".to_owned(),
            kind: ServerKind::Other,
        }),
        fault,
        partial: String::new(),
        used: Usage::default(),
    }
}

/// Replies with these results in order, to any request.
fn in_order(results: Vec<Result<Reply, ModelError>>) -> Answers {
    let left = RefCell::new(results.into_iter());
    Rc::new(move |_| left.borrow_mut().next().expect("no more is asked"))
}

fn retries(ran: &RunResult) -> Vec<(u8, u64)> {
    let retried = ran.events.iter().filter_map(|event| match event {
        Event::ModelRetried {
            attempt, wait_ms, ..
        } => Some((*attempt, *wait_ms)),
        _ => None,
    });
    retried.collect()
}

fn sure() -> Reply {
    says("The Moon.").sure(1.0)
}

#[test]
fn a_model_that_may_help_itself_is_asked_again_after_a_wait() {
    let limited = |retry_after_ms| failed(Fault::RateLimited { retry_after_ms });
    let failing = || {
        failed(Fault::Failing {
            status: Some(500),
            retry_after_ms: None,
            said: None,
        })
    };
    let table = [
        // The wait is exactly the one that the server requests. Without such a request, it is up to
        // a quarter longer than the backoff.
        (vec![limited(Some(7_000))], vec![(2, 7_000..=7_000)]),
        (
            vec![limited(None), failing()],
            vec![(2, 1_000..=1_250), (3, 2_000..=2_500)],
        ),
        (vec![failed(Fault::Cut)], vec![(2, 1_000..=1_250)]),
    ];
    for (errors, expected) in table {
        let results = errors.into_iter().map(Err).chain([Ok(sure())]);
        let world = World::new(in_order(results.collect()));
        let before_ms = world.sim.now_ms();
        let ran = world.run();
        assert_eq!(ran.answer().markdown, "The Moon.");
        let retries = retries(&ran);
        assert_eq!(retries.len(), expected.len(), "{retries:?}");
        for ((attempt, wait_ms), (expected, range)) in retries.iter().zip(&expected) {
            assert_eq!(attempt, expected);
            assert!(range.contains(wait_ms), "{retries:?}");
        }
        let waited: u64 = retries.iter().map(|(_, wait_ms)| wait_ms).sum();
        assert!(world.sim.now_ms() - before_ms >= waited);
    }
}

#[test]
fn the_third_failure_is_the_runs() {
    let world = World::new(in_order(vec![Err(failed(Fault::Cut)); 3]));
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Failed);
    assert_eq!(retries(&ran).len(), 2);
    assert_eq!(ran.closing.failure.expect("a failure").code, "model_cut");
}

#[test]
fn what_trying_again_cannot_help_is_told_at_once() {
    let faults = [
        Fault::BadKey { status: Some(401) },
        Fault::QuotaEmpty,
        Fault::MissingModel,
        Fault::Unreachable,
        Fault::RateLimited {
            retry_after_ms: Some(3_600_000),
        },
    ];
    for fault in faults {
        let world = World::new(in_order(vec![Err(failed(fault.clone()))]));
        let ran = world.run();
        assert_eq!(ran.closing.status, Status::Failed, "{fault:?}");
        assert_eq!(retries(&ran), [], "{fault:?}");
    }
}

fn malformed(text: &str) -> Reply {
    Reply {
        malformed: Some("a brace is missing".to_owned()),
        ..says(text).sure(1.0)
    }
}

#[test]
fn a_call_that_cannot_be_read_is_asked_for_again_with_a_hint() {
    let mut call = find("1");
    call.reasoning = Some(super::toys::words("The page may say it."));
    let good = Reply {
        calls: vec![call],
        ..Reply::default()
    };
    let world = World::new(in_order(vec![
        Ok(malformed("{\"action\":")),
        Ok(good),
        Ok(sure()),
    ]));
    let ran = world.run();
    assert_eq!(ran.answer().markdown, "The Moon.");
    let asked = world.model.asked.borrow();
    let hint = asked[1].transcript.messages().last().expect("a hint");
    assert_eq!(hint.role, Role::System);
    assert!(format!("{hint:?}").contains("a brace is missing"));
    assert_eq!(asked[1].purpose, Purpose::Reason);
    let temperatures: Vec<f32> = asked.iter().map(|it| it.temperature).collect();
    assert_eq!(temperatures, [0.7, 0.0, 0.7]);
}

#[test]
fn the_reason_of_a_call_is_asked_for_again_at_temperature_0() {
    for (cycle, expected) in [
        (Cycle::Fused, vec![0.7, 0.0, 0.7]),
        (Cycle::Strict, vec![0.7, 0.7, 0.0, 0.7, 0.7]),
    ] {
        let mute = || Reply {
            calls: vec![find("1")],
            ..Reply::default()
        };
        let mut replies = vec![Ok(mute()), Ok(mute())];
        if cycle == Cycle::Strict {
            replies.insert(0, Ok(Reply::default()));
        }
        replies.extend([Ok(sure()), Ok(sure())]);
        let world = World::new(in_order(replies)).with(|settings| settings.cycle = cycle);
        world.run();
        let asked = world.model.asked.borrow();
        let temperatures: Vec<f32> = asked.iter().map(|it| it.temperature).collect();
        assert_eq!(temperatures, expected[..temperatures.len()], "{cycle:?}");
        assert!(temperatures.contains(&0.0), "{cycle:?}");
    }
}

#[test]
fn after_two_hints_what_was_said_beside_the_call_is_the_answer() {
    // The gate would refuse each reply once, because none states its confidence.
    for cycle in [Cycle::Fused, Cycle::Strict] {
        for prose in ["", "I look it up."] {
            let unread = || {
                let mut reply = malformed(prose);
                reply.control.confidence = None;
                "{\"tool_calls\": [{\"name\": ".clone_into(&mut reply.written);
                Ok(reply)
            };
            let mut replies: Vec<_> = (0..8).map(|_| unread()).collect();
            if cycle == Cycle::Strict {
                replies.insert(0, Ok(Reply::default()));
            }
            let world = World::new(in_order(replies)).with(|it| it.cycle = cycle);
            let ran = world.run();
            assert_eq!(ran.answer().markdown, prose, "{cycle:?}");
            assert_eq!(ran.remarks(), ["remark_call_unread"], "{cycle:?}");
            let asked = world.model.asked.borrow();
            let planned = usize::from(cycle == Cycle::Strict);
            assert_eq!(asked.len(), planned + 3, "{cycle:?} {prose}");
            // The model reads the text of its own reply.
            let last = serde_json::to_string(&asked[planned + 2].transcript).unwrap();
            assert_eq!(last.matches("tool_calls").count(), 2, "{last}");
        }
    }
}

#[test]
fn an_answer_that_was_cut_off_by_its_length_says_so() {
    let cut = Reply {
        finish: Finish::Length,
        ..sure()
    };
    let ran = World::new(in_order(vec![Ok(cut)])).run();
    assert_eq!(ran.answer().finish, Finish::Length);
    assert_eq!(ran.remarks(), ["remark_cut_off"]);
}
