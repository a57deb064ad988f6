//! Tests of the tool calls of a step.

use super::context::{refuses, steps};
use super::toys::{ReplyWith as _, call, calls, find, says, words};
use super::world::{RunResult, TAB, World, page};
use crate::trajectory::{Bodies, LogEntryKind, Trajectory};
use crate::{Event, Goal, MissingRight, OnToolFailure, Status};
use Purpose::{Observe, Reason};
use gloss_host::{HttpRequest, Selection};
use gloss_host_sim::Answer;
use gloss_model::{Part, Purpose, Reply, ToolCall};
use gloss_text::tokens::estimate;
use gloss_tools::CallEnd;
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

fn acting<const N: usize>(these: [ToolCall; N]) -> (World, RunResult) {
    let world = World::scripted(vec![(Reason, calls(these)), (Observe, says("Done."))]);
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    (world, ran)
}

fn did<const N: usize>(these: [ToolCall; N]) -> String {
    acting(these).0.log.borrow().join(" ")
}

/// Returns the result of each call, as the model read it.
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

fn finished(ran: &RunResult) -> Vec<(String, bool)> {
    let finished = ran.events.iter().filter_map(|event| match event {
        Event::ToolFinished { call, end, .. } => Some((call.clone(), *end == CallEnd::Completed)),
        _ => None,
    });
    finished.collect()
}

/// Returns the way in which each call ended, in order.
fn ends(ran: &RunResult) -> Vec<(String, CallEnd)> {
    let ends = ran.events.iter().filter_map(|event| match event {
        Event::ToolFinished { call, end, .. } => Some((call.clone(), *end)),
        _ => None,
    });
    ends.collect()
}

#[test]
fn calls_beyond_the_bound_are_not_made_and_the_model_is_told_so() {
    let these = calls([find("1"), nap("2", 5), nap("3", 5)]);
    let world = World::scripted(vec![(Reason, these), (Observe, says("Done."))])
        .with(|settings| settings.max_tool_calls = 2);
    let ran = world.run();
    let ended = [("3", CallEnd::Skipped), ("1", CallEnd::Completed)];
    let ended = ended.map(|(id, end)| (id.to_owned(), end));
    assert_eq!(ends(&ran)[..2], ended);
    assert_eq!(world.log.borrow().join(" "), "+2 -2");
    let results = results(&world);
    let told = results[2].1.clone().unwrap_err();
    assert!(told.starts_with("not made: "), "{told}");
    // The log contains the same error, and does not count it as an error of the run.
    let trajectory = Trajectory::of(&world.stored(), &Bodies::new());
    let returned = trajectory
        .log
        .iter()
        .filter_map(|logged| match &logged.what {
            LogEntryKind::Result(returned) => Some((returned.id.as_str(), returned.end)),
            _ => None,
        });
    let returned: Vec<_> = returned.collect();
    assert!(returned.contains(&("3", CallEnd::Skipped)), "{returned:?}");
    assert_eq!(trajectory.metrics.errors, 0);
}

#[test]
fn what_a_step_calls_is_told_before_the_first_of_it_begins() {
    let chosen = |ran: &RunResult| -> Vec<Vec<String>> {
        let chosen = ran.events.iter().filter_map(|event| match event {
            Event::CallsChosen { calls } => Some(calls.iter().map(|it| it.call.clone()).collect()),
            _ => None,
        });
        chosen.collect()
    };
    let (_, ran) = acting([nap("a", 9), nap("b", 9)]);
    assert_eq!(chosen(&ran), [["a", "b"]]);
    let place = |wanted: fn(&Event) -> bool| ran.events.iter().position(wanted);
    assert!(
        place(|event| matches!(event, Event::CallsChosen { .. }))
            < place(|event| matches!(event, Event::ToolStarted { .. }))
    );
    // The event of chosen calls is not reported for a single call.
    assert!(chosen(&acting([nap("a", 9)]).1).is_empty());
}

#[test]
fn each_end_of_a_call_is_told_by_its_name() {
    for (one, end) in [
        (find("1"), CallEnd::Completed),
        (call("1", "find_in_page", json!({})), CallEnd::Failed),
        (nap("1", 40_000), CallEnd::TimedOut),
        (
            call("1", "web_search", json!({ "query": "site:evil.example" })),
            CallEnd::Rejected,
        ),
    ] {
        let (_, ran) = acting_unsure(one.clone());
        assert_eq!(ends(&ran), [("1".to_owned(), end)], "{one:?}");
    }
}

#[test]
fn a_result_says_what_a_model_reads_of_it() {
    let (world, ran) = acting([find("1")]);
    let read = estimate(&results(&world)[0].1.clone().unwrap().to_string());
    let told = ran.events.iter().find_map(|event| match event {
        Event::ToolFinished { tokens, cost, .. } => Some((*tokens, *cost)),
        _ => None,
    });
    assert!(read > 10);
    assert_eq!(told, Some((read, Some(0))));
}

fn fetch(id: &str, url: &str) -> ToolCall {
    call(id, "web_fetch", json!({ "urls": [url] }))
}

/// A run that reads these addresses in one call. The user wrote the addresses, so all may be read.
fn reading(
    urls: &[&str],
    serve: impl FnMut(&HttpRequest, usize) -> Answer + 'static,
) -> (World, RunResult) {
    let one = call("1", "web_fetch", json!({ "urls": urls }));
    let answer = says("It was lit in 1823 [[w1a1.p1]].").sure(0.9);
    let mut world = World::scripted(vec![(Reason, calls([one])), (Observe, answer)]);
    world.goal = Goal::Ask {
        question: format!("What do {} say?", urls.join(" and ")),
    };
    for url in urls {
        let site: Vec<&str> = url.splitn(4, '/').take(3).collect();
        world.sim.grant(&site.join("/"));
    }
    world.sim.serve(serve);
    let ran = world.run();
    (world, ran)
}

fn lamp() -> Answer {
    Answer::status(200)
        .header("content-type", "text/html")
        .send("<title>Lamps</title><main><p>The lamp was lit in 1823.</p></main>")
}

#[test]
fn a_passage_of_a_page_that_was_fetched_is_cited_with_its_page() {
    let (world, ran) = reading(&["https://a.example/x"], |_, _| lamp());
    let answer = ran.answer();
    let [cited] = &answer.citations[..] else {
        panic!("{answer:?}");
    };
    assert_eq!(cited.passage, "w1a1.p1");
    assert_eq!(cited.quote, "The lamp was lit in 1823.");
    assert_eq!(
        cited.url,
        "https://a.example/x#:~:text=The%20lamp%20was%20lit%20in%201823."
    );
    assert_eq!(cited.elsewhere.as_deref(), Some("Lamps"));
    // The trajectory marks the step's result as used.
    let trajectory = Trajectory::of(&world.stored(), &Bodies::new());
    let used = trajectory
        .log
        .iter()
        .any(|it| matches!(&it.what, LogEntryKind::Result(it) if it.used));
    assert!(used);
}

#[test]
fn of_more_addresses_than_are_read_the_others_are_named_even_if_none_could_be() {
    let urls: Vec<String> = (0..40).map(|n| format!("https://a.example/{n}")).collect();
    let urls: Vec<&str> = urls.iter().map(String::as_str).collect();
    let (world, _) = reading(&urls, |_, _| lamp());
    let given = results(&world)[0].1.clone().unwrap();
    assert_eq!(given["fetchedCount"], 3);
    let left = given["notRead"].as_array().unwrap();
    assert_eq!(left.len(), 21);
    assert_eq!(
        (&left[0], &left[20]),
        (&json!("https://a.example/3"), &json!("and 17 more"))
    );
    let (world, ran) = reading(&urls[..5], |_, _| Answer::status(404));
    let told = results(&world)[0].1.clone().unwrap_err();
    assert!(
        told.ends_with("not read, as only 3 are: https://a.example/3, https://a.example/4"),
        "{told}"
    );
    assert_eq!(said(&ran), [("fetch_none", vec!["3"])]);
}

#[test]
fn of_pages_that_are_read_side_by_side_it_is_told_how_many_are_done() {
    let urls = [
        "https://a.example/x",
        "https://a.example/y",
        "https://a.example/z",
    ];
    let doing = |urls: &[&str]| {
        let (_, ran) = reading(urls, |request, _| {
            let late = u64::from(request.url.ends_with("/x")) * 100;
            lamp().head_after(10 + late)
        });
        let doing = ran.events.into_iter().filter_map(|event| match event {
            Event::ToolProgressed { doing, .. } => Some((doing.key, doing.args.join(" of "))),
            _ => None,
        });
        doing.collect::<Vec<_>>()
    };
    let pages = |done: usize| ("doing_pages".to_owned(), format!("{done} of 3"));
    // There is one event when each page begins, and one when each page ends.
    let expected = [0, 0, 0, 1, 2, 3].map(pages);
    assert_eq!(doing(&urls), expected);
    let one = ("doing_read".to_owned(), "a.example".to_owned());
    assert_eq!(doing(&urls[..1]), [one]);
}

#[test]
fn what_was_read_before_the_person_was_asked_is_not_asked_for_again() {
    let urls = ["https://a.example/x", "https://b.example/y"];
    let one = call("1", "web_fetch", json!({ "urls": urls, "fresh": true }));
    let replies = vec![(Reason, calls([one])), (Observe, says("Done.").sure(0.9))];
    let mut world = World::scripted(replies);
    world.goal = Goal::Ask {
        question: format!("What do {} say?", urls.join(" and ")),
    };
    world.sim.grant("https://a.example");
    world.sim.serve(|_, _| lamp());
    let ran = world.run();
    let wait = ran.events.iter().find_map(|event| match event {
        Event::PermissionNeeded { wait } => Some(wait.clone()),
        _ => None,
    });
    let origins = ["https://b.example", "https://www.b.example"].map(str::to_owned);
    let origins = origins.to_vec();
    assert_eq!(
        wait.map(|wait| wait.need),
        Some(MissingRight::Pages { origins })
    );
    let asked: Vec<String> = world.sim.requests().into_iter().map(|it| it.url).collect();
    assert_eq!(asked, [urls[0]]);
}

/// Returns the summary of each end that is shown to the user.
fn said(ran: &RunResult) -> Vec<(&str, Vec<&str>)> {
    let said = ran.events.iter().filter_map(|event| match event {
        Event::ToolFinished { summary, .. } => {
            let words = summary.args.iter().map(String::as_str).collect();
            Some((summary.key.as_str(), words))
        }
        _ => None,
    });
    said.collect()
}

#[test]
fn the_user_is_asked_about_a_call_with_an_address_that_they_did_not_write() {
    let urls = [
        "https://evil.example/in?q=secret",
        "https://a.example/x",
        "https://evil.example/",
    ];
    let one = call("1", "web_fetch", json!({ "urls": urls }));
    let replies = vec![(Reason, calls([one])), (Observe, says("Done.").sure(0.9))];
    let mut world = World::scripted(replies);
    world.goal = Goal::Ask {
        question: format!("What does {} say?", urls[1]),
    };
    world.sim.grant("https://a.example");
    world.sim.grant("https://evil.example");
    world.sim.serve(|_, _| lamp());
    let ran = world.run();
    let need = ran.events.iter().find_map(|event| match event {
        Event::PermissionNeeded { wait } => Some(wait.need.clone()),
        _ => None,
    });
    let Some(MissingRight::Send(request)) = need else {
        panic!("{need:?}");
    };
    assert_eq!(request.unedited(), urls.join("\n"));
    assert_eq!(request.to, "evil.example");
    assert!(world.sim.requests().is_empty());
}

#[test]
fn why_a_page_could_not_be_read_is_told_in_the_persons_language() {
    let none = || {
        Answer::status(200)
            .header("content-type", "image/png")
            .send("x")
    };
    for (answer, key) in [
        (Answer::status(404), "fetch_not_found"),
        (Answer::status(401), "fetch_status"),
        (none(), "fetch_no_text"),
    ] {
        let answer = std::cell::RefCell::new(Some(answer));
        let serve = move |_: &HttpRequest, _| answer.take().expect("one request");
        let (_, ran) = reading(&["https://a.example/x"], serve);
        let [(said, words)] = &said(&ran)[..] else {
            panic!("{key}");
        };
        assert_eq!((*said, words[0]), (key, "a.example"));
    }
}

#[test]
fn a_page_that_comes_too_late_takes_no_other_along() {
    let (world, ran) = reading(
        &["https://a.example/x", "https://b.example/y"],
        |request, _| {
            let late = if request.url.contains("b.example") {
                60_000
            } else {
                10
            };
            lamp().head_after(late)
        },
    );
    assert_eq!(ends(&ran), [("1".to_owned(), CallEnd::Completed)]);
    let given = results(&world)[0].1.clone().unwrap();
    assert_eq!(
        (&given["fetchedCount"], &given["failedCount"]),
        (&json!(1), &json!(1))
    );
    let took = ran.events.iter().find_map(|event| match event {
        Event::ToolFinished { duration_ms, .. } => Some(*duration_ms),
        _ => None,
    });
    assert!(took.is_some_and(|ms| ms <= 30_000), "{took:?}");
}

#[test]
fn pages_of_two_calls_are_fetched_at_the_same_time() {
    let urls = ["https://a.example/x", "https://b.example/y"];
    let these = calls([fetch("1", urls[0]), fetch("2", urls[1])]);
    let mut world = World::scripted(vec![(Reason, these), (Observe, says("Done."))]);
    world.goal = Goal::Ask {
        question: format!("What do {} and {} say?", urls[0], urls[1]),
    };
    world.sim.grant("https://a.example");
    world.sim.grant("https://b.example");
    world.sim.serve(|_, _| {
        Answer::status(200)
            .header("content-type", "text/html")
            .head_after(10_000)
            .send("<main><p>The lamp was lit in 1823.</p></main>")
    });
    let began_ms = world.sim.now_ms();
    let ran = world.run();
    assert_eq!(ends(&ran).len(), 2);
    assert!(ends(&ran).iter().all(|(_, end)| *end == CallEnd::Completed));
    let took_ms = world.sim.now_ms() - began_ms;
    assert!((10_000..15_000).contains(&took_ms), "{took_ms}");
}

#[test]
fn a_tool_that_is_off_is_offered_to_nobody_and_a_call_of_it_ends_no_run() {
    let replies = vec![
        (Reason, calls([find("1"), nap("2", 5)])),
        (Observe, says("Done.")),
    ];
    let mut world = World::scripted(replies);
    world.tools_off = ["find_in_page".to_owned()].into();
    world.settings.on_tool_failure = OnToolFailure::Fail;
    let ran = world.run();
    assert_eq!(ran.closing.status, Status::Completed);
    let asked = world.model.asked.borrow();
    let offered = asked
        .iter()
        .flat_map(|request| request.tools.offered().iter());
    assert!(offered.clone().any(|tool| tool.name == "sleep"));
    assert!(!offered.clone().any(|tool| tool.name == "find_in_page"));
    drop(asked);
    let results = results(&world);
    let refused = results[0].1.clone().unwrap_err();
    assert!(refused.starts_with("unknown tool `find_in_page`; the most similar: "));
    assert_eq!(refused.matches("find_in_page").count(), 1, "{refused}");
    assert!(results[1].1.is_ok());
}

#[test]
fn a_button_has_its_own_tool_whatever_is_off() {
    let mut world = World::scripted(vec![(Observe, says("Tides."))]).asked_for(Goal::Summarize);
    world.tools_off = ["summarize_page_content".to_owned()].into();
    let ran = world.run();
    assert_eq!(finished(&ran), [("1".to_owned(), true)]);
}

#[test]
fn by_setting_a_run_ends_when_a_tool_fails_and_says_which() {
    for (mode, status) in [
        (OnToolFailure::Continue, Status::Completed),
        (OnToolFailure::Fail, Status::Failed),
    ] {
        let replies = vec![
            (Reason, calls([nap("1", 40_000)])),
            (Observe, says("Done.")),
        ];
        let mut world = World::scripted(replies);
        world.settings.on_tool_failure = mode;
        let ran = world.run();
        assert_eq!(ran.closing.status, status);
        assert_eq!(finished(&ran), [("1".to_owned(), false)]);
        let failure = ran.closing.failure.map(|it| (it.code, it.title.args));
        let named = ("tool_ended".to_owned(), vec!["sleep".to_owned()]);
        assert_eq!(failure, (mode == OnToolFailure::Fail).then_some(named));
    }
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
    let known = "unknown tool `find`; the most similar: find_in_page, \
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
    // The rule also holds for Gloss's own stores: the write is repeated under the same key.
    for (tool, ms, success, log, worked_ms) in [
        ("sleep", json!([40_000, 5]), true, "+1 +1 -1", 30_000),
        ("sleep", json!([40_000, 40_000]), false, "+1 +1", 60_000),
        ("keep", json!([40_000, 5]), true, "+1 +1 -1", 30_000),
        ("keep", json!([40_000, 40_000]), false, "+1 +1", 60_000),
    ] {
        let began_ms = {
            let (world, ran) = acting_unsure(call("1", tool, json!({ "ms": ms })));
            let worked = ran.events.iter().find_map(|event| match event {
                Event::ToolFinished { duration_ms, .. } => Some(*duration_ms),
                _ => None,
            });
            // The duration of all tries, without the wait between them.
            let expected = worked_ms..worked_ms + 900;
            assert!(
                worked.is_some_and(|ms| expected.contains(&ms)),
                "{worked:?}"
            );
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
    let asks = |event: &&Event| matches!(event, Event::PermissionNeeded { wait } if matches!(wait.need, MissingRight::Outcome { .. }));
    assert_eq!(ran.events.iter().filter(asks).count(), 1);
}

fn acting_unsure(one: ToolCall) -> (World, RunResult) {
    let world = World::scripted(vec![
        (Reason, calls([one])),
        (Observe, says("Done.").sure(0.9)),
    ]);
    let ran = world.run();
    (world, ran)
}

fn is_intent(record: &gloss_durable::Record) -> bool {
    matches!(record.entry, gloss_durable::Entry::Intent { .. })
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
fn a_reason_that_comes_alone_is_that_of_the_call_that_wanted_one() {
    let unreasoned = Reply {
        calls: vec![find("1")],
        ..Reply::default()
    };
    let why = Reply {
        reasoning: "It may stand there.".to_owned(),
        ..Reply::default()
    };
    let world = World::scripted(vec![
        (Reason, unreasoned),
        (Reason, why),
        (Observe, says("Done.")),
    ]);
    assert_eq!(finished(&world.run()), [("1".to_owned(), true)]);
}

#[test]
fn a_model_that_never_gives_a_reason_ends_with_what_is_known() {
    let world = World::new(steps(
        |_, _| Reply {
            calls: vec![find("1")],
            ..Reply::default()
        },
        refuses,
    ));
    let ran = world.run();
    assert!(finished(&ran).is_empty());
    assert_eq!(ran.closing.status, Status::Completed);
    let calls = world.model.calls();
    assert!(calls.len() <= 6, "{calls:?}");
}

#[test]
fn a_closing_call_that_only_calls_is_asked_for_words_once() {
    for (last, expected, key) in [
        (says("In 1823."), "In 1823.", None),
        (calls([find("z")]), "", Some("answer_empty")),
    ] {
        let closings = std::cell::Cell::new(0);
        let world = World::new(std::rc::Rc::new(move |request| {
            if request.purpose != Purpose::Synthesise {
                let mut next = calls([find("1")]);
                next.control.complexity = Some(gloss_model::Complexity::Simple);
                return Ok(next);
            }
            closings.set(closings.get() + 1);
            assert!(request.tools.offered().is_empty());
            Ok(match closings.get() {
                1 => calls([find("c")]),
                2 => last.clone(),
                n => panic!("asked {n} times for the closing answer"),
            })
        }));
        let ran = world.run();
        assert_eq!(ran.answer().markdown, expected);
        let remarks = ran.remarks();
        assert!(
            key.is_none_or(|key| remarks.iter().any(|it| it == key)),
            "{remarks:?}"
        );
        assert!(remarks.iter().all(|it| *it != "remark_call_unread"));
    }
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
