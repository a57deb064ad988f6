//! Tests of the limits that end a run before its goal is met.

use super::toys::{ReplyWith as _, call, calls, find, queue};
use super::world::World;
use crate::{Bound, Cycle, Event, Settings, Status};
use gloss_model::{Complexity, Purpose, Reply};
use serde_json::json;
use std::rc::Rc;

/// A model that calls a tool in every reply.
fn insatiable(reply: Reply) -> World {
    let closing = queue(Vec::new());
    World::new(Rc::new(move |request| match request.purpose {
        Purpose::Synthesise => closing(request),
        _ => Ok(reply.clone()),
    }))
}

#[test]
fn the_steps_go_by_complexity_unless_the_person_set_them() {
    let table = [
        (None, None, 5),
        (Some(Complexity::Simple), None, 2),
        (Some(Complexity::Moderate), None, 5),
        (Some(Complexity::Complex), None, 8),
        (Some(Complexity::Complex), Some(3), 3),
        (None, Some(10), 10),
        (None, Some(0), 1),
        (None, Some(200), 10),
    ];
    for (complexity, max_steps, expected) in table {
        for cycle in [Cycle::Fused, Cycle::Strict] {
            let mut reply = calls([find("1")]);
            reply.control.complexity = complexity;
            let world = insatiable(reply).with(|settings| {
                settings.max_steps = max_steps;
                settings.cycle = cycle;
            });
            let ran = world.run();
            assert_eq!(
                ran.steps(),
                expected,
                "{complexity:?} {max_steps:?} {cycle:?}"
            );
            assert_eq!(ran.closing.status, Status::Terminated(Bound::Steps));
            assert_eq!(ran.remarks(), ["bound_steps"]);
        }
    }
}

#[test]
fn the_bound_that_is_shown_first_is_the_one_that_holds() {
    let world = insatiable(calls([find("1")])).with(|settings| settings.max_steps = Some(200));
    let shown = world.run().events.iter().find_map(|event| match event {
        Event::RunStarted { max_steps, .. } => Some(*max_steps),
        _ => None,
    });
    assert_eq!(shown, Some(10));
}

type Set = fn(&mut Settings);

#[test]
fn each_bound_ends_the_run_under_its_own_name() {
    let nap = || calls([call("1", "sleep", json!({ "ms": 20_000 }))]);
    let two = || calls([find("1"), find("2")]);
    let table: [(&str, Reply, Set, Bound, &str, usize); 4] = [
        (
            "tokens",
            calls([find("1")]).costs(9_000, 1_000),
            |settings| settings.max_tokens = 30_000,
            Bound::Tokens,
            "bound_tokens",
            2,
        ),
        (
            "tokens beyond counting",
            calls([find("1")]).costs(u32::MAX, u32::MAX),
            |_| (),
            Bound::Tokens,
            "bound_tokens",
            1,
        ),
        (
            "tool calls",
            two(),
            |settings| settings.max_tool_calls = 3,
            Bound::ToolCalls,
            "bound_tool_calls",
            2,
        ),
        (
            "active time",
            nap(),
            |settings| settings.max_active_ms = 30_000,
            Bound::Time,
            "bound_time",
            2,
        ),
    ];
    for (name, reply, set, bound, remark, steps) in table {
        let ran = insatiable(reply).with(set).run();
        assert_eq!(ran.closing.status, Status::Terminated(bound), "{name}");
        assert!(ran.remarks().contains(&remark.to_owned()), "{name}");
        assert_eq!(ran.steps(), steps, "{name}");
        let hits =
            |event: &&Event| matches!(event, Event::BoundHit { bound: b, .. } if *b == bound);
        assert_eq!(ran.events.iter().filter(hits).count(), 1, "{name}");
        assert_eq!(ran.answer().markdown, "The closing answer.", "{name}");
    }
}

#[test]
fn calls_beyond_the_bound_are_not_run() {
    let ran = insatiable(calls([find("1"), find("2")]))
        .with(|settings| settings.max_tool_calls = 3)
        .run();
    let started = |event: &&Event| matches!(event, Event::ToolStarted { .. });
    assert_eq!(ran.events.iter().filter(started).count(), 3);
}

#[test]
fn sleep_between_lives_is_not_active_time() {
    for kill_at in [4, 8, 12, 16] {
        let world = insatiable(calls([find("1")])).with(|s| s.max_active_ms = 60_000);
        assert!(world.life(kill_at).is_none());
        world.sim.jump_clock(3_600_000);
        assert_eq!(
            world.run().closing.status,
            Status::Terminated(Bound::Steps),
            "{kill_at}"
        );
    }
}

#[test]
fn a_model_that_fails_ends_the_run_in_words() {
    let world = World::new(Rc::new(|_| {
        Err(gloss_model::ModelError::Failed {
            message: "no credit".to_owned(),
        })
    }));
    let closing = world.run().closing;
    assert_eq!(closing.status, Status::Failed);
    let failure = closing.failure.unwrap();
    assert_eq!(failure.code, "model_failed");
    assert_eq!(failure.remedy.args, ["no credit"]);
}
