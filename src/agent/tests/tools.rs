//! How the calls of a step are run.

use super::toys::{call, calls, find, says, words};
use super::world::{Ran, TAB, World, page};
use crate::agent::{Event, Goal, Need, Status};
use crate::host::Selection;
use crate::model::{Part, Purpose, Reply, ToolCall};
use Purpose::{Observe, Reason};
use serde_json::{Value, json};

fn nap(id: &str, ms: u64) -> ToolCall {
    call(id, "sleep", json!({ "ms": ms }))
}

fn change(id: &str) -> ToolCall {
    call(id, "change", json!({ "ms": 50 }))
}

fn after(mut call: ToolCall, other: &str) -> ToolCall {
    call.after = Some(other.to_owned());
    call
}

fn acting<const N: usize>(these: [ToolCall; N]) -> (World, Ran) {
    let world = World::scripted(vec![(Reason, calls(these)), (Observe, says("Done."))]);
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    (world, ran)
}

fn did<const N: usize>(these: [ToolCall; N]) -> String {
    acting(these).0.log.borrow().join(" ")
}

/// What the model read of each call.
fn results(world: &World) -> Vec<(String, Result<Value, String>)> {
    let asked = world.model.asked.borrow();
    let messages = asked.last().unwrap().transcript.messages();
    let parts = messages.flat_map(|message| message.parts.clone());
    let results = parts.filter_map(|part| match part {
        Part::Result { call, outcome, .. } => Some((call, outcome)),
        _ => None,
    });
    results.collect()
}

fn finished(ran: &Ran) -> Vec<(String, bool)> {
    let finished = ran.events.iter().filter_map(|event| match event {
        Event::ToolFinished { call, success, .. } => Some((call.clone(), *success)),
        _ => None,
    });
    finished.collect()
}

#[test]
fn independent_calls_overlap_and_the_others_wait_their_turn() {
    assert_eq!(
        did([nap("a", 9_000), nap("b", 90), nap("c", 900)]),
        "+a +b +c -b -c -a"
    );
    assert_eq!(did([after(nap("a", 9), "b"), nap("b", 900)]), "+b -b +a -a");
    assert_eq!(
        did([
            nap("a", 90),
            after(nap("b", 9), "a"),
            after(nap("c", 900), "a")
        ]),
        "+a -a +b +c -b -c"
    );
    assert_eq!(did([after(nap("a", 9), "nobody")]), "+a -a");
    assert_eq!(did([after(nap("a", 9), "a")]), "+a -a");
}

#[test]
fn a_circle_of_waiting_is_broken() {
    assert_eq!(
        did([
            after(nap("a", 9), "c"),
            after(nap("b", 9), "a"),
            after(nap("c", 9), "b")
        ]),
        "+a -a +b -b +c -c"
    );
}

#[test]
fn calls_that_change_the_world_go_one_at_a_time_in_order() {
    assert_eq!(
        did([change("a"), change("b"), change("c")]),
        "+a -a +b -b +c -c"
    );
    assert_eq!(
        did([
            change("a"),
            nap("b", 900),
            change("c"),
            after(nap("d", 9), "a")
        ]),
        "+b -b +a -a +d -d +c -c"
    );
}

#[test]
fn results_reach_the_model_in_the_order_of_the_calls() {
    let (world, ran) = acting([nap("a", 9_000), nap("b", 90)]);
    let order: Vec<String> = results(&world).into_iter().map(|(call, _)| call).collect();
    assert_eq!(order, ["a", "b"]);
    let ends: Vec<String> = finished(&ran).into_iter().map(|(call, _)| call).collect();
    assert_eq!(ends, ["b", "a"]);
}

#[test]
fn a_parallel_call_that_ended_is_told_and_kept_before_the_slow_one_ends() {
    let ended = |event: &Event| matches!(event, Event::ToolFinished { call, .. } if call == "fast");
    for kill_at in 0.. {
        let these = calls([nap("slow", 20_000), nap("fast", 10)]);
        let world = World::scripted(vec![(Reason, these), (Observe, says("Done."))]);
        assert!(
            world.life(kill_at).is_none(),
            "the fast one was never told first"
        );
        if world.told.events.borrow().iter().any(ended) {
            world.log.borrow_mut().clear();
            world.run();
            assert_eq!(world.log.borrow().join(" "), "+slow -slow");
            return;
        }
    }
}

#[test]
fn a_call_that_cannot_run_says_why_to_the_model() {
    let known = "there is no tool `find`; those most like it: find_in_page, \
                 explain_text_with_context, change";
    let table = [
        (call("1", "find", json!({})), known),
        (
            call("1", "find_in_page", json!({})),
            "argument `query`: expected a text that is not empty, got nothing",
        ),
        (
            call("1", "find_in_page", json!({ "query": 5 })),
            "argument `query`: expected a text that is not empty, got 5",
        ),
        (
            call("1", "find_in_page", json!("tide")),
            "argument `arguments`: expected an object with query, got \"tide\"",
        ),
        (
            call("1", "summarize_page_content", json!({ "detail": "huge" })),
            "argument `detail`: expected one of brief, normal, detailed, got \"huge\"",
        ),
        (
            call("1", "summarize_page_content", json!({ "focus": ["x"] })),
            "argument `focus`: expected a text, got [\"x\"]",
        ),
        (
            call("1", "explain_text_with_context", json!({ "text": "  " })),
            "argument `text`: expected a text that is not empty, got \"  \"",
        ),
    ];
    for (wrong, words) in table {
        let world = World::scripted(vec![
            (Reason, calls([wrong])),
            (Observe, says("Done.").sure(0.9)),
        ]);
        let ran = world.run();
        assert_eq!(results(&world), [("1".to_owned(), Err(words.to_owned()))]);
        assert_eq!(finished(&ran), [("1".to_owned(), false)]);
    }
}

#[test]
fn a_tool_that_timed_out_is_tried_once_more_after_a_second() {
    let slow = |ms: Value| call("1", "sleep", json!({ "ms": ms }));
    for (ms, success, log) in [
        (json!([40_000, 5]), true, "+1 +1 -1"),
        (json!([40_000, 40_000]), false, "+1 +1"),
    ] {
        let began_ms = {
            let (world, ran) = acting_unsure(slow(ms.clone()));
            assert_eq!(finished(&ran), [("1".to_owned(), success)], "{ms}");
            assert_eq!(world.log.borrow().join(" "), log, "{ms}");
            let begun: Vec<u64> = world
                .stored()
                .iter()
                .filter(|record| record.path.as_str().contains("try.") && is_intent(record))
                .map(|record| record.at_ms)
                .collect();
            begun
        };
        assert_eq!(began_ms.len(), 2);
        assert!(began_ms[1] - began_ms[0] >= 31_000, "{began_ms:?}");
    }
}

#[test]
fn what_may_have_changed_the_world_is_not_tried_again() {
    let (world, ran) = acting_unsure(call("1", "change", json!({ "ms": [40_000, 5] })));
    assert!(finished(&ran).is_empty());
    assert_eq!(world.log.borrow().join(" "), "+1");
    let asks = |event: &&Event| matches!(event, Event::PermissionNeeded { wait } if matches!(wait.need, Need::Outcome { .. }));
    assert_eq!(ran.events.iter().filter(asks).count(), 1);
}

fn acting_unsure(one: ToolCall) -> (World, Ran) {
    let world = World::scripted(vec![
        (Reason, calls([one])),
        (Observe, says("Done.").sure(0.9)),
    ]);
    let ran = world.run();
    (world, ran)
}

fn is_intent(record: &crate::durable::Record) -> bool {
    matches!(record.entry, crate::durable::Entry::Intent { .. })
}

#[test]
fn a_call_without_a_reason_is_not_run() {
    let unreasoned = |id| Reply {
        calls: vec![find(id)],
        ..Reply::default()
    };
    let world = World::scripted(vec![
        (Reason, unreasoned("1")),
        (Reason, unreasoned("2")),
        (Observe, says("Done.").sure(0.9)),
    ]);
    let ran = world.run();
    assert!(finished(&ran).is_empty());
    assert_eq!(world.model.calls().len(), 3);

    let told = World::scripted(vec![
        (Reason, unreasoned("1")),
        (Reason, calls([find("2")])),
        (Observe, says("Done.")),
    ]);
    assert_eq!(finished(&told.run()), [("2".to_owned(), true)]);
}

#[test]
fn a_calls_own_reason_serves() {
    let mut own = find("1");
    own.reasoning = Some(words("It may stand there."));
    let reply = Reply {
        calls: vec![own],
        ..Reply::default()
    };
    let world = World::scripted(vec![(Reason, reply), (Observe, says("Done."))]);
    let ran = world.run();
    assert_eq!(finished(&ran), [("1".to_owned(), true)]);
    let thought = ran.events.iter().find_map(|event| match event {
        Event::ThoughtFormed { thought, .. } => Some(thought.clone()),
        _ => None,
    });
    assert_eq!(thought, Some(words("It may stand there.")));
}

#[test]
fn a_search_after_a_summary_leaves_the_summarys_share() {
    let summary = call("1", "summarize_page_content", json!({}));
    for (these, share) in [
        (vec![summary.clone(), find("2")], Some(100)),
        (vec![summary], Some(100)),
        (vec![find("1")], None),
    ] {
        let replies = these.into_iter().map(|one| (Observe, calls([one])));
        let replies = [(Reason, calls([find("0")]))].into_iter().chain(replies);
        let world = World::scripted(replies.chain([(Observe, says("Done."))]).collect());
        assert_eq!(world.run().answer().share_percent, share);
    }
}

#[test]
fn explaining_a_selection_gives_its_block_as_context_while_it_is_selected() {
    let explained = |now_selected: &str| {
        let mut world = World::scripted(vec![(Observe, says("Done."))]);
        world.goal = Goal::Explain {
            selection: "neaps".to_owned(),
        };
        let mut shown = page();
        shown.selection = Some(Selection {
            text: now_selected.to_owned(),
            block: "Springs, and neaps.".to_owned(),
        });
        world.sim.set_page(TAB, Ok(shown));
        world.run();
        let asked = world.model.asked.borrow();
        let messages = asked.last().unwrap().transcript.messages();
        let parts: Vec<Part> = messages.flat_map(|m| m.parts.clone()).collect();
        parts
            .into_iter()
            .find_map(|part| match part {
                Part::Call { call } => Some(call.arguments),
                _ => None,
            })
            .unwrap()
    };
    assert_eq!(
        explained("neaps"),
        json!({ "text": "neaps", "context": "Springs, and neaps." })
    );
    assert_eq!(explained("springs"), json!({ "text": "neaps" }));
}
