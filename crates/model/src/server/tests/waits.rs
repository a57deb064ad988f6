//! Tests of timeouts and aborted requests.

use super::*;
use crate::Awaited;
use futures::future::{Either, select};
use std::pin::pin;

#[test]
fn an_answer_that_stands_waits_for_nothing_more() {
    // The usage of the call never arrives: the server is silent, or the connection breaks. The
    // answer is still used.
    let ended = || {
        Answer::status(200)
            .send(content("Two."))
            .send(finished("stop"))
    };
    for answer in [
        ended().wait(600_000),
        ended().cut(),
        ended(),
        ended().send(DONE).wait(600_000),
    ] {
        let sim = Sim::new(2);
        sim.serve(move |_, _| answer.clone());
        let model = model(&sim, profile(), CANARY);
        let before = sim.now_ms();
        assert_eq!(ask(&sim, &model, &request()).0.unwrap().text, "Two.");
        assert!(sim.now_ms() - before < 10_000);
    }
}

/// An answer, followed by a comment every 15 s that keeps the connection open.
fn pinging(answer: Answer) -> Answer {
    (0..100).fold(answer, |answer, _| answer.wait(15_000).send(": ping\n\n"))
}

#[test]
fn signs_of_life_keep_nobody_waiting_for_ever() {
    let before_a_word = pinging(Answer::status(200));
    let after_a_word = pinging(Answer::status(200).send(content("Two")));
    for (answer, awaited, most_ms) in [
        (before_a_word, Awaited::FirstWord, 300_000),
        (after_a_word, Awaited::NextWord, 600_000),
    ] {
        let sim = Sim::new(2);
        sim.serve(move |_, _| answer.clone());
        let model = model(&sim, profile(), CANARY);
        let before = sim.now_ms();
        let (result, _) = ask(&sim, &model, &request());
        let after_ms = 300_000;
        assert_eq!(fault(&result), &Fault::TimedOut { awaited, after_ms });
        let waited = sim.now_ms() - before;
        assert!((300_000..most_ms + 1_000).contains(&waited), "{waited}");
    }
}

#[test]
fn a_call_that_is_written_slowly_is_waited_for() {
    let piece = |text: &str| {
        let function = json!({ "name": "find_in_page", "arguments": text });
        let call = json!({ "index": 0, "id": "a", "function": function });
        event(&json!({ "choices": [{ "delta": { "tool_calls": [call] } }] }))
    };
    let (begins, ends) = (piece("{\"query\":"), piece(" \"tide\"}"));
    let slow = (0..30).fold(Answer::status(200).send(begins), |answer, _| {
        answer.wait(30_000).send(piece(" "))
    });
    let slow = slow.send(ends).send(finished("tool_calls")).send(DONE);
    let sim = Sim::new(2);
    sim.serve(move |_, _| slow.clone());
    let model = model(&sim, profile(), CANARY);
    let reply = ask(&sim, &model, &request()).0.unwrap();
    assert_eq!(reply.calls[0].arguments, json!({ "query": "tide" }));
}

#[test]
fn signs_of_life_keep_no_whole_answer_from_its_end() {
    let answer = Answer::status(200)
        .send(content("Two."))
        .send(finished("stop"));
    let answer = (0..100).fold(answer, |answer, _| answer.wait(1_000).send(": ping\n\n"));
    let sim = Sim::new(2);
    sim.serve(move |_, _| answer.clone());
    let model = model(&sim, profile(), CANARY);
    let before = sim.now_ms();
    assert_eq!(ask(&sim, &model, &request()).0.unwrap().text, "Two.");
    assert!(sim.now_ms() - before < 10_000);
}

#[test]
fn dropping_a_call_aborts_it_wherever_it_is() {
    for answer in [
        Answer::status(200).head_after(60_000),
        Answer::status(200).send(content("Two")).wait(50_000),
        Answer::status(500).wait(5_000),
    ] {
        for seed in 0..20 {
            let sim = Sim::new(seed);
            let served = answer.clone();
            sim.serve(move |_, _| served.clone());
            let model = model(&sim, profile(), CANARY);
            let clock = sim.host().clock;
            let stopped = sim.life(u64::MAX, async {
                let question = request();
                let asked = pin!(model.ask(&question, |_| ()));
                matches!(select(asked, clock.sleep(1_000)).await, Either::Right(_))
            });
            assert_eq!(stopped, Some(true));
            assert_eq!((sim.requests().len(), sim.abandoned_requests()), (1, 1));
        }
    }
}

#[test]
fn a_wait_that_is_over_aborts_the_request() {
    let sim = Sim::new(3);
    sim.serve(|_, _| Answer::status(200).send(content("Two")).wait(600_000));
    let model = model(&sim, profile(), CANARY);
    let (result, shown) = ask(&sim, &model, &request());
    assert!(matches!(
        fault(&result),
        Fault::TimedOut {
            awaited: Awaited::NextWord,
            ..
        }
    ));
    assert_eq!((shown.as_str(), sim.abandoned_requests()), ("Two", 1));
    let Err(ModelError::Server { partial, .. }) = result else {
        panic!()
    };
    assert_eq!(partial, "Two");
}

#[test]
fn what_is_for_the_person_is_shown_as_it_comes() {
    let sim = Sim::new(4);
    sim.serve(|_, _| {
        Answer::status(200)
            .send(content("<gloss>{\"thought\": \"Known.\"}"))
            .send(content("</gloss>Two "))
            .send(content("tides."))
            .send(DONE)
    });
    let model = model(&sim, profile(), CANARY);
    let mut shown = Vec::new();
    let question = request();
    let asked = model.ask(&question, |text| shown.push(text.to_owned()));
    let reply = sim.life(u64::MAX, asked).unwrap().unwrap();
    assert_eq!(shown, ["Two ", "tides."]);
    assert_eq!(reply.text, "Two tides.");
}

#[test]
fn a_reply_without_end_is_cut_off_and_not_listened_to_any_longer() {
    let long = content(&"[".repeat(50_000));
    let streams = (0..20).fold(Answer::status(200), |answer, _| answer.send(&long));
    let message = json!({ "role": "assistant", "content": "[".repeat(1_000_000) });
    let whole = json!({ "choices": [{ "index": 0, "message": message, "finish_reason": "stop" }] });
    for answer in [
        streams.wait(600_000),
        Answer::status(200).send(whole.to_string()),
    ] {
        let sim = Sim::new(2);
        sim.serve(move |_, _| answer.clone());
        let model = model(&sim, profile(), CANARY);
        let before = sim.now_ms();
        let reply = ask(&sim, &model, &request()).0.unwrap();
        assert_eq!(reply.finish, Finish::Length);
        assert_eq!(reply.text.len(), super::decoded_response::LONGEST_REPLY);
        assert!(sim.now_ms() - before < 10_000);
    }
}
