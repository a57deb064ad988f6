//! Tests of the decoders. Each response is split at every position.

use super::*;

fn heard(body: &str) -> Reply {
    heard_by(Api::ChatCompletions, body)
}

fn hear(pieces: &[&[u8]]) -> Result<Reply, Fault> {
    hear_by(Api::ChatCompletions, pieces)
}

fn calls(deltas: &[Value]) -> Vec<(String, String, Value)> {
    let events = deltas
        .iter()
        .map(|calls| event(&json!({ "choices": [{ "delta": { "tool_calls": calls } }] })));
    let body = events.collect::<String>() + &finished("tool_calls") + DONE;
    let reply = heard(&body);
    assert_eq!(reply.malformed, None);
    let calls = reply.calls.into_iter();
    calls
        .map(|call| (call.id, call.name, call.arguments))
        .collect()
}

#[test]
fn an_answer_streams_with_its_usage() {
    let body = [
        ": a comment\n\n".to_owned(),
        event(
            &json!({ "id": "x", "object": "chat.completion.chunk", "choices": [{ "index": 0, "delta": { "role": "assistant", "content": "" }, "logprobs": null, "finish_reason": null }], "usage": null }),
        ),
        content("<gloss>{\"confidence\": 0.9}</gloss>\nZwei \"Gezeiten\" "),
        content("潮🌊\n"),
        finished("stop"),
        event(
            &json!({ "choices": [], "usage": { "prompt_tokens": 11, "prompt_tokens_details": { "cached_tokens": 4, "cache_write_tokens": 2 }, "completion_tokens": 3, "total_tokens": 14 } }),
        ),
        DONE.to_owned(),
    ];
    let reply = heard(&body.concat());
    assert_eq!(reply.text, "Zwei \"Gezeiten\" 潮🌊\n");
    assert_eq!(reply.control.confidence, Some(0.9));
    assert_eq!(
        (reply.usage.input_tokens, reply.usage.output_tokens),
        (11, 3)
    );
    let cache = (reply.usage.cached_tokens, reply.usage.cache_written_tokens);
    assert_eq!(cache, (4, 2));
    assert_eq!(reply.finish, Finish::Stop);
}

#[test]
#[expect(clippy::needless_pass_by_value, reason = "quickcheck gives values")]
fn chunks_that_differ_in_their_content_alone_mean_what_they_say() {
    fn law(texts: Vec<String>) -> bool {
        // Text that looks like another chunk must not affect the chunk after it.
        let quotes = [
            "\"},\"finish_reason\":\"length\"",
            "\\",
            "\n",
            "\u{0}",
            "",
            "a",
            "潮",
        ];
        let all: Vec<&str> = texts.iter().map(String::as_str).chain(quotes).collect();
        let body: String = all.iter().map(|text| content(text)).collect();
        let mut decoder = StreamDecoder::default();
        let fed = decoder.feed(body.as_bytes());
        fed.is_ok() && !decoder.is_whole() && decoder.content() == all.concat()
    }
    quickcheck::QuickCheck::new()
        .tests(2_000)
        .quickcheck(law as fn(Vec<String>) -> bool);
    // The last event of a stream is similar to the events before it.
    let twice = content("a") + &content("b") + &finished("length");
    assert_eq!(heard(&twice).finish, Finish::Length);
}

#[test]
fn a_server_without_streaming_is_one_delta() {
    for text in [
        json!("Two."),
        json!([{ "type": "text", "text": "Tw" }, { "type": "text", "text": "o." }]),
    ] {
        let body = json!({
            "object": "chat.completion",
            "choices": [{ "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
            "usage": { "prompt_tokens": 5, "completion_tokens": 2 },
        });
        let reply = heard(&format!("\n {body}"));
        assert_eq!((reply.text.as_str(), reply.usage.input_tokens), ("Two.", 5));
    }
    let called = json!({ "choices": [{ "message": { "content": null, "toolCalls": [
        { "id": "a", "type": "function", "function": { "name": "find_in_page", "arguments": { "query": "x" } } }
    ] }, "finish_reason": "tool_calls" }] });
    let reply = heard(&called.to_string());
    assert_eq!(reply.calls[0].arguments, json!({ "query": "x" }));
}

#[test]
fn parallel_calls_are_put_together_however_they_are_told_apart() {
    let (x, y) = (json!({ "query": "x" }), json!({ "query": "y" }));
    let name = "find_in_page".to_owned();
    let both = vec![
        ("a".to_owned(), name.clone(), x.clone()),
        ("b".to_owned(), name.clone(), y.clone()),
    ];
    let given = |first: &str, second: &str| {
        vec![
            (first.to_owned(), name.clone(), x.clone()),
            (second.to_owned(), name.clone(), y.clone()),
        ]
    };
    let table = [
        (
            "by index, interleaved",
            json!([
                [{ "index": 0, "id": "a", "type": "function", "function": { "name": "find_in_page", "arguments": "" } }],
                [{ "index": 1, "id": "b", "function": { "name": "find_in_page", "arguments": "{\"qu" } }],
                [{ "index": 0, "function": { "arguments": "{\"query\":" } }, { "index": 1, "function": { "arguments": "ery\": \"y\"}" } }],
                [{ "index": 0, "function": { "arguments": "\"x\"}" } }],
            ]),
            both.clone(),
        ),
        (
            "by id",
            json!([
                [{ "id": "a", "function": { "name": "find_in_page", "arguments": "{\"query\":" } }],
                [{ "id": "a", "function": { "arguments": "\"x\"}" } }],
                [{ "id": "b", "function": { "name": "find_in_page", "arguments": "{\"query\": \"y\"}" } }],
            ]),
            both.clone(),
        ),
        (
            "all as number 0",
            json!([
                [{ "index": 0, "id": "a", "function": { "name": "find_in_page", "arguments": "{\"query\": \"x\"}" } }],
                [{ "index": 0, "id": "b", "function": { "name": "find_in_page", "arguments": "{\"query\": \"y\"}" } }],
            ]),
            both.clone(),
        ),
        (
            "at once, whole",
            json!([[
                { "id": "a", "function": { "name": "find_in_page", "arguments": "{\"query\": \"x\"}" } },
                { "id": "b", "function": { "name": "find_in_page", "arguments": "{\"query\": \"y\"}" } },
            ]]),
            both,
        ),
        (
            "without ids",
            json!([
                [{ "index": 0, "function": { "name": "find_in_page", "arguments": "{\"query\": \"x\"}" } }],
                [{ "index": 1, "function": { "name": "find_in_page", "arguments": "{\"query\": \"y\"}" } }],
            ]),
            given("call_0", "call_1"),
        ),
        (
            "without both",
            json!([
                [{ "function": { "name": "find_in_page", "arguments": "{\"query\":" } }],
                [{ "function": { "arguments": "\"x\"}" } }],
                [{ "function": { "name": "find_in_page", "arguments": "{\"query\": \"y\"}" } }],
            ]),
            given("call_0", "call_1"),
        ),
        (
            "the name each time",
            json!([
                [{ "index": 0, "id": "a", "function": { "name": "find_in_page", "arguments": "{\"query\":" } }],
                [{ "index": 0, "id": "a", "function": { "name": "find_in_page", "arguments": "\"x\"}" } }],
                [{ "index": 1, "id": "a", "function": { "name": "find_in_page", "arguments": "{\"query\": \"y\"}" } }],
            ]),
            given("a", "call_1"),
        ),
    ];
    for (name, deltas, expected) in table {
        assert_eq!(calls(deltas.as_array().unwrap()), expected, "{name}");
    }
}

#[test]
fn arguments_are_read_with_patience_and_no_further() {
    for (text, read) in [
        ("", Some(json!({}))),
        ("null", Some(json!({}))),
        ("{\"query\": \"x\",}", Some(json!({ "query": "x" }))),
        (
            "\"{\\\"query\\\": \\\"x\\\"}\"",
            Some(json!({ "query": "x" })),
        ),
        ("{\"query\": \"x\"", Some(json!({ "query": "x" }))),
        (
            "{\"query\": \"a\\ud83d\"}",
            Some(json!({ "query": "a\u{FFFD}" })),
        ),
        ("{\"query\": \"Fres", None),
        ("\"{\\\"query\\\": \\\"Fres\"", None),
        ("[1]", None),
        ("tide", None),
    ] {
        let chunk = json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 0, "id": "a", "function": { "name": "find_in_page", "arguments": text } }] } }] });
        let reply = heard(&(event(&chunk) + &finished("tool_calls")));
        assert_eq!(
            reply.calls.first().map(|call| call.arguments.clone()),
            read,
            "{text}"
        );
        assert_eq!(reply.malformed.is_some(), read.is_none(), "{text}");
        // This text is only for the model. The request that asks for the call again contains it.
        let wrote = match read {
            Some(_) => String::new(),
            None => format!("find_in_page {text}"),
        };
        assert_eq!((reply.written, reply.text), (wrote.clone(), String::new()));
        let beside = content("I look.") + &event(&chunk) + &finished("tool_calls");
        let said = if reply.malformed.is_some() {
            "I look."
        } else {
            ""
        };
        let beside = heard(&beside);
        assert_eq!((beside.text.as_str(), beside.written), (said, wrote));
    }
}

#[test]
fn content_beside_calls_is_their_thought() {
    let call = json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 0, "id": "a", "function": { "name": "find_in_page", "arguments": "{\"query\": \"x\", \"reasoning\": \"It may be there.\"}" } }] } }] });
    let body = content("I look it up.") + &event(&call) + &finished("tool_calls") + DONE;
    let reply = heard(&body);
    assert_eq!(reply.text, "");
    assert_eq!(
        reply.control.thought,
        Some(DisplayText::Words("I look it up.".to_owned()))
    );
    assert_eq!(
        reply.calls[0].reasoning,
        Some(DisplayText::Words("It may be there.".to_owned()))
    );
    assert_eq!(reply.calls[0].arguments, json!({ "query": "x" }));
}

#[test]
fn thinking_aloud_is_no_part_of_the_answer() {
    for field in ["reasoning_content", "reasoning"] {
        let thinks = json!({ "choices": [{ "delta": { field: "Hm. " } }] });
        let body = event(&thinks).repeat(2) + &content("Two.") + &finished("stop") + DONE;
        let reply = heard(&body);
        assert_eq!(
            (reply.text.as_str(), reply.reasoning.as_str()),
            ("Two.", "Hm. Hm. ")
        );
    }
}

#[test]
fn thoughts_before_calls_are_given_back_by_their_name() {
    for (field, given) in [("reasoning_content", Some("Hm. 潮")), ("reasoning", None)] {
        let thinks = |text| event(&json!({ "choices": [{ "delta": { field: text } }] }));
        let call = event(
            &json!({ "choices": [{ "delta": { "tool_calls": [{ "index": 0, "id": "a", "function": { "name": "find_in_page", "arguments": "{}" } }] } }] }),
        );
        let body = thinks("Hm. ") + &thinks("潮") + &call + &finished("tool_calls");
        let request = after_calls(&heard(&body));
        let mut shape = Shape::of(&profile(), false);
        let message = |shape: &Shape| {
            body_in_shape(Api::ChatCompletions, &request, shape)["messages"][2].clone()
        };
        assert_eq!(message(&shape)["reasoning_content"].as_str(), given);
        shape.leave_out(Feature::Reasoning);
        assert_eq!(message(&shape).get("reasoning_content"), None);
    }
}

#[test]
fn ends_are_told_apart() {
    for (reason, finish) in [
        ("stop", Finish::Stop),
        ("tool_calls", Finish::Stop),
        ("length", Finish::Length),
        ("content_filter", Finish::Filtered),
        ("eos", Finish::Stop),
    ] {
        assert_eq!(
            heard(&(content("Two.") + &finished(reason))).finish,
            finish,
            "{reason}"
        );
    }
    let declines = json!({ "choices": [{ "delta": { "refusal": "No." } }] });
    let reply = heard(&(event(&declines) + &finished("stop")));
    assert_eq!(
        (reply.text.as_str(), reply.finish),
        ("No.", Finish::Declined)
    );
}

#[test]
fn usage_that_no_server_gives_is_estimated() {
    let reply = heard(&(content("Four four 潮汐") + DONE));
    assert_eq!(
        (reply.usage.input_tokens, reply.usage.output_tokens),
        (3, 4)
    );
}

#[test]
fn a_stream_without_its_end_is_no_answer() {
    let whole = content("Two.") + &content("Three.");
    for end in 0..whole.len() {
        // The first byte may be white space. Any form of body can begin with white space.
        assert_eq!(
            hear(&[&whole.as_bytes()[..end]])
                .err()
                .map(|f| matches!(f, Fault::Cut | Fault::Nonsense { .. })),
            Some(true),
            "{end}"
        );
    }
    assert_eq!(hear(&[whole.as_bytes()]), Err(Fault::Cut));
    assert_eq!(hear(&[b"{\"choices\": [{\"mess"]), Err(Fault::Cut));
    assert_eq!(hear(&[b""]), Err(Fault::Cut));
}

#[test]
fn what_is_no_answer_is_said_to_be_none() {
    for body in ["<!DOCTYPE html><title>Log in</title>", "Hello there"] {
        let said = Some(body.to_owned());
        assert_eq!(hear(&[body.as_bytes()]), Err(Fault::Nonsense { said }));
    }
    // Text that is meant for programs is never part of an error message.
    for body in [
        "{\"hello\": 1}",
        "{\"choices\": []}",
        "{\"choices\" nonsense}",
        "{\"choices\": [{\"index\": 1, \"message\": {\"content\": \"Two.\"}}]}",
        "[1, 2]",
        "data: nonsense\n\n",
        "data: nonsense\n\ndata: [DONE]\n\n",
        "data: null\n\ndata: []\n\ndata: [DONE]\n\n",
        "data: {\"choices\": 7}\n\n",
    ] {
        let expected = Err(Fault::Nonsense { said: None });
        assert_eq!(hear(&[body.as_bytes()]), expected, "{body}");
    }
}

#[test]
fn an_event_that_cannot_be_read_is_skipped() {
    for bad in [
        "null",
        "[]",
        "\"x\"",
        "{\"choices\": [",
        "{",
        "x",
        "{\"choices\": 7}",
    ] {
        let bad = format!("data: {bad}\n\n");
        let body = [
            bad.clone(),
            content("Two "),
            bad.clone(),
            content("tides."),
            bad.clone(),
            finished("stop"),
            bad.clone(),
            DONE.to_owned(),
        ];
        assert_eq!(
            hear(&[body.concat().as_bytes()]).unwrap().text,
            "Two tides.",
            "{bad}"
        );
        let open = [bad.clone(), content("Two"), bad].concat();
        assert_eq!(hear(&[open.as_bytes()]), Err(Fault::Cut));
    }
}

#[test]
fn an_optional_field_of_another_form_spoils_no_answer() {
    for usage in [
        r#"{"prompt_tokens": -5}"#,
        r#"{"prompt_tokens": 3.5, "completion_tokens": "12"}"#,
        r#"{"prompt_tokens": 1e30, "completion_tokens": [4]}"#,
        r#"{"prompt_tokens": 99999999999, "completion_tokens": {}}"#,
        r#""none""#,
        "7",
        "true",
        "[1, [2]]",
    ] {
        let last = format!("data: {{\"choices\": [], \"usage\": {usage}}}\n\n");
        let reply = heard(&(content("Four four 潮汐") + &finished("stop") + &last + DONE));
        let tokens = (reply.usage.input_tokens, reply.usage.output_tokens);
        assert_eq!(
            (reply.text.as_str(), tokens),
            ("Four four 潮汐", (3, 4)),
            "{usage}"
        );
        let body = format!(
            "{{\"choices\": [{{\"message\": {{\"content\": \"Two.\"}}}}], \"usage\": {usage}}}"
        );
        assert_eq!(heard(&body).text, "Two.", "{usage}");
    }
    for choice in [
        r#"{"index": "0", "delta": {"content": "Two."}}"#,
        r#"{"index": -1, "delta": {"content": "Two.", "tool_calls": "none"}}"#,
        r#"{"delta": {"content": "Two.", "tool_calls": [null, 7]}, "finish_reason": 7}"#,
        r#"{"delta": {"content": ["?", {"text": "Two."}]}, "message": null}"#,
        r#"{"delta": "none", "message": {"content": "Two."}}"#,
        r#"{"delta": {"content": "Two."}}, 7, null"#,
    ] {
        let body = format!("data: {{\"choices\": [{choice}]}}\n\n") + &finished("stop");
        assert_eq!(heard(&body).text, "Two.", "{choice}");
    }
    let bare = json!([[{ "index": "x", "id": 7, "function": { "name": "find_in_page", "arguments": { "query": "x" } } }]]);
    let read = calls(bare.as_array().unwrap());
    assert_eq!(read[0].2, json!({ "query": "x" }));
}

#[test]
fn another_choice_is_none_of_ours() {
    let other = |text: &str| {
        event(
            &json!({ "choices": [{ "index": 1, "delta": { "content": text }, "finish_reason": "length" }] }),
        )
    };
    let both = event(&json!({ "choices": [
        { "index": 1, "delta": { "content": "Drei " } }, { "index": 0, "delta": { "content": "tides" } },
    ] }));
    let body = [
        other("Drei "),
        content("Two "),
        other("Gezeiten"),
        both,
        other("!"),
        content("."),
    ];
    assert_eq!(hear(&[body.concat().as_bytes()]), Err(Fault::Cut));
    let reply = heard(&(body.concat() + &finished("stop")));
    assert_eq!(
        (reply.text.as_str(), reply.finish),
        ("Two tides.", Finish::Stop)
    );
}

#[test]
fn an_error_within_a_stream_is_one() {
    for (error, expected) in [
        (
            json!({ "error": { "message": "Overloaded", "code": 502 } }),
            Fault::Failing {
                status: Some(502),
                retry_after_ms: None,
                said: Some("Overloaded".to_owned()),
            },
        ),
        (
            json!({ "error": "out of memory" }),
            Fault::Failing {
                status: None,
                retry_after_ms: None,
                said: Some("out of memory".to_owned()),
            },
        ),
        (
            json!({ "error": { "message": "x", "code": 429 } }),
            Fault::RateLimited {
                retry_after_ms: None,
            },
        ),
        (
            json!({ "error": { "code": "insufficient_quota" } }),
            Fault::QuotaEmpty,
        ),
    ] {
        assert_eq!(
            hear(&[content("Two.").as_bytes(), event(&error).as_bytes()]),
            Err(expected.clone())
        );
        assert_eq!(hear(&[error.to_string().as_bytes()]), Err(expected));
    }
}

#[test]
fn calls_that_were_not_offered_take_no_text_s_place() {
    let call = json!({ "index": 0, "id": "a", "function": { "name": "", "arguments": "{" } });
    let called = event(&json!({ "choices": [{ "delta": { "tool_calls": [call] } }] }));
    let sim = Sim::new(1);
    sim.serve(move |_, _| {
        Answer::status(200)
            .send(content("Two."))
            .send(called.clone())
            .send(DONE)
    });
    let mut question = request();
    question.tools = crate::Tools::None;
    let model = model(&sim, profile(), CANARY);
    let reply = ask(&sim, &model, &question).0.unwrap();
    assert_eq!(
        (reply.text.as_str(), reply.calls.len(), reply.malformed),
        ("Two.", 0, None)
    );
}
