//! Tests of the number of model calls in a run, and of each call's purpose.

use super::toys::{ReplyWith as _, calls, find, says, words};
use super::world::World;
use crate::{Cycle, Goal, Status};
use Purpose::{Act, Observe, Reason, Synthesise};
use gloss_model::{Control, Message, Part, Purpose, Reply, Role};

fn plan(thought: &str) -> Reply {
    Reply {
        control: Control {
            thought: Some(words(thought)),
            ..Control::default()
        },
        ..Reply::default()
    }
}

fn observed(goal_met: bool) -> Reply {
    Reply {
        control: Control {
            observation: Some(words("Seen.")),
            goal_met: Some(goal_met),
            ..Control::default()
        },
        ..Reply::default()
    }
}

fn strict(replies: Vec<(Purpose, Reply)>) -> World {
    World::scripted(replies).with(|settings| settings.cycle = Cycle::Strict)
}

#[test]
fn fused_n_steps_cost_n_plus_one_calls() {
    for steps in 1..=5 {
        let mut replies = vec![(Reason, calls([find("1")]))];
        for _ in 1..steps {
            replies.push((Observe, calls([find("1")])));
        }
        replies.push((Observe, says("The Moon.")));
        let world = World::scripted(replies);
        let ran = world.run();
        assert_eq!(ran.closing.status, Status::Completed);
        assert_eq!((ran.steps(), world.model.calls().len()), (steps, steps + 1));
        assert_eq!(ran.answer().markdown, "The Moon.");
    }
}

#[test]
fn a_button_costs_one_call() {
    let explain = Goal::Explain {
        selection: "neaps".to_owned(),
    };
    for goal in [Goal::Summarize, explain] {
        let world = World::scripted(vec![(Observe, says("The Moon."))]).asked_for(goal);
        let ran = world.run();
        assert_eq!(ran.answer().markdown, "The Moon.");
        assert_eq!(world.model.calls(), [(Observe, true)]);
    }
}

#[test]
fn an_answer_given_inline_is_not_asked_for_again_and_a_missing_one_is_asked_for_once() {
    let inline = says("The Moon.").sure(0.9);
    let act = calls([find("1")]);
    for (name, world, expected) in [
        (
            "answered at once",
            World::scripted(vec![(Reason, inline.clone())]),
            vec![Reason],
        ),
        (
            "answered when observing",
            World::scripted(vec![(Reason, act.clone()), (Observe, inline.clone())]),
            vec![Reason, Observe],
        ),
        (
            "fused, never answered",
            World::scripted(vec![(Reason, act.clone())]),
            vec![Reason, Observe, Synthesise],
        ),
        (
            "strict, answered when observing",
            strict(vec![(Act, act.clone()), (Observe, inline)]),
            vec![Reason, Act, Observe],
        ),
        (
            "strict, never answered",
            strict(vec![
                (Reason, plan("Look.")),
                (Act, act),
                (Observe, observed(true)),
            ]),
            vec![Reason, Act, Observe, Synthesise],
        ),
    ] {
        let ran = world.run();
        assert_eq!(ran.closing.status, Status::Completed, "{name}");
        let purposes: Vec<Purpose> = world.model.calls().iter().map(|call| call.0).collect();
        assert_eq!(purposes, expected, "{name}");
    }
}

#[test]
fn only_the_strict_cycles_act_call_offers_tools() {
    let world = strict(vec![
        (Reason, plan("Look.")),
        (Act, calls([find("1")])),
        (Observe, observed(false)),
        (Reason, plan("Look again.")),
        (Act, calls([find("1")])),
        (Observe, observed(true)),
    ]);
    assert_eq!(world.run().steps(), 2);
    let step = [(Reason, false), (Act, true), (Observe, false)];
    let expected: Vec<_> = step
        .into_iter()
        .chain(step)
        .chain([(Synthesise, false)])
        .collect();
    assert_eq!(world.model.calls(), expected);
}

#[test]
fn the_strict_cycle_observes_even_when_no_tool_ran() {
    let world = strict(vec![
        (Reason, plan("Nothing to do.")),
        (Observe, observed(true)),
    ]);
    assert_eq!(world.run().closing.status, Status::Completed);
    let purposes: Vec<Purpose> = world.model.calls().iter().map(|call| call.0).collect();
    assert_eq!(purposes, [Reason, Act, Observe, Synthesise]);
}

#[test]
fn what_was_thought_and_observed_is_read_again() {
    let world = strict(vec![
        (Reason, plan("First the Moon.")),
        (Observe, observed(false)),
    ]);
    world.run();
    let asked = world.model.asked.borrow();
    let said = |message: &Message| match (&message.role, message.parts.first()) {
        (Role::Assistant, Some(Part::Text { text })) => Some(text.clone()),
        _ => None,
    };
    let read = |place: usize| {
        asked[place]
            .transcript
            .messages()
            .filter_map(said)
            .collect::<Vec<_>>()
    };
    assert_eq!(read(1), ["First the Moon."]);
    assert_eq!(read(3), ["First the Moon.", "Seen."]);
}

#[test]
fn calls_that_were_not_offered_hide_no_answer() {
    let unruly = Reply {
        text: "The Moon.".to_owned(),
        ..calls([find("1")])
    };
    let world = World::scripted(vec![(Reason, calls([find("1")])), (Synthesise, unruly)]);
    assert_eq!(world.run().answer().markdown, "The Moon.");
}
