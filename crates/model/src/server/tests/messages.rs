//! Tests of Anthropic's Messages API, according to its documentation.

use super::*;

const API: Api = Api::Messages;

fn began(usage: &Value) -> Value {
    json!({ "type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m-1",
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    } })
}

fn block(index: u32, block: &Value) -> Value {
    json!({ "type": "content_block_start", "index": index, "content_block": block })
}

fn delta(index: u32, delta: &Value) -> Value {
    json!({ "type": "content_block_delta", "index": index, "delta": delta })
}

fn stop(index: u32) -> Value {
    json!({ "type": "content_block_stop", "index": index })
}

fn text(text: &str) -> Value {
    delta(0, &json!({ "type": "text_delta", "text": text }))
}

fn ended(reason: &str) -> [Value; 2] {
    [
        json!({ "type": "message_delta", "delta": { "stop_reason": reason, "stop_sequence": null }, "usage": { "output_tokens": 7 } }),
        json!({ "type": "message_stop" }),
    ]
}

fn said(texts: &[&str], reason: &str) -> String {
    let mut all = vec![
        began(&json!({ "input_tokens": 11, "output_tokens": 1 })),
        block(0, &json!({ "type": "text", "text": "" })),
        json!({ "type": "ping" }),
    ];
    all.extend(texts.iter().map(|it| text(it)));
    all.push(stop(0));
    all.extend(ended(reason));
    events(&all)
}

/// A response with signed and redacted thinking, and with two parallel calls.
fn calls() -> String {
    let tool = |id| json!({ "type": "tool_use", "id": id, "name": "find_in_page", "input": {} });
    let json = |index, json| {
        delta(
            index,
            &json!({ "type": "input_json_delta", "partial_json": json }),
        )
    };
    let mut all = vec![
        began(
            &json!({ "input_tokens": 11, "cache_creation_input_tokens": 100, "cache_read_input_tokens": 1000, "output_tokens": 1 }),
        ),
        block(
            0,
            &json!({ "type": "thinking", "thinking": "", "signature": "" }),
        ),
        delta(0, &json!({ "type": "thinking_delta", "thinking": "Look " })),
        delta(
            0,
            &json!({ "type": "thinking_delta", "thinking": "it up. 潮" }),
        ),
        delta(
            0,
            &json!({ "type": "signature_delta", "signature": "c2ln" }),
        ),
        stop(0),
        block(
            1,
            &json!({ "type": "redacted_thinking", "data": "ZGF0YQ==" }),
        ),
        stop(1),
        block(2, &tool("toolu_1")),
        json(2, ""),
        json(2, "{\"query\":"),
        json(2, " \"x\"}"),
        stop(2),
        block(3, &tool("toolu_2")),
        json(3, "{\"query\": \"y\"}"),
        stop(3),
    ];
    all.push(json!({ "type": "message_delta", "delta": { "stop_reason": "tool_use" }, "usage": { "output_tokens": 40, "output_tokens_details": { "thinking_tokens": 9 } } }));
    all.push(json!({ "type": "message_stop" }));
    events(&all)
}

#[test]
fn an_answer_streams_with_its_usage() {
    let named = said(&["Zwei ", "\"Gezeiten\" ", "潮🌊\n"], "end_turn")
        .replace("data: {", "event: whatever\ndata: {");
    for body in [
        said(&["Zwei ", "\"Gezeiten\" ", "潮🌊\n"], "end_turn"),
        named,
    ] {
        let reply = heard_by(API, &body);
        assert_eq!(reply.text, "Zwei \"Gezeiten\" 潮🌊\n");
        assert_eq!(
            (tokens(&reply), reply.finish),
            ([11, 0, 7, 0], Finish::Stop)
        );
        assert_eq!(reply.echo, None);
    }
}

#[test]
fn calls_at_once_after_thoughts_that_are_given_back() {
    let reply = heard_by(API, &calls());
    let (x, y) = (json!({ "query": "x" }), json!({ "query": "y" }));
    assert_eq!(called(&reply), [("toolu_1", &x), ("toolu_2", &y)]);
    assert_eq!(reply.reasoning, "Look it up. 潮");
    assert_eq!(tokens(&reply), [1_111, 1_000, 40, 9]);
    let body = body_of(API, &after_calls(&reply));
    let messages = body["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 3);
    let kinds = |at: usize| -> Vec<&str> {
        let blocks = messages[at]["content"].as_array().unwrap().iter();
        blocks
            .map(|block| block["type"].as_str().unwrap())
            .collect()
    };
    assert_eq!(
        kinds(1),
        ["thinking", "redacted_thinking", "tool_use", "tool_use"]
    );
    let blocks = &messages[1]["content"];
    assert_eq!(
        blocks[0],
        json!({ "type": "thinking", "thinking": "Look it up. 潮", "signature": "c2ln" })
    );
    assert_eq!(
        blocks[1],
        json!({ "type": "redacted_thinking", "data": "ZGF0YQ==" })
    );
    assert_eq!(messages[1]["content"][2]["input"], json!({ "query": "x" }));
    assert_eq!(kinds(2), ["tool_result", "tool_result"]);
    assert_eq!(messages[2]["content"][1]["tool_use_id"], "toolu_2");
    // After the server has rejected signed blocks, requests leave them out.
    let mut shape = Shape::of(&profile(), false);
    shape.leave_out(Feature::Reasoning);
    let body = body_in_shape(API, &after_calls(&reply), &shape);
    assert_eq!(body["messages"][1]["content"][0]["type"], "tool_use");
}

#[test]
fn a_server_without_streaming_is_one_delta() {
    let body = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m-1",
        "content": [
            { "type": "thinking", "thinking": "Hm.", "signature": "c2ln" },
            { "type": "text", "text": "Two." },
            { "type": "tool_use", "id": "toolu_1", "name": "find_in_page", "input": { "query": "x" } },
        ],
        "stop_reason": "tool_use", "usage": { "input_tokens": 5, "output_tokens": 2 },
    });
    let reply = heard_by(API, &format!("\n{body}"));
    assert_eq!(called(&reply), [("toolu_1", &json!({ "query": "x" }))]);
    assert_eq!(
        reply.control.thought,
        Some(DisplayText::Words("Two.".to_owned()))
    );
    assert_eq!(
        (reply.reasoning.as_str(), tokens(&reply)),
        ("Hm.", [5, 0, 2, 0])
    );
    let given = reply.echo.unwrap().value;
    assert_eq!(
        given,
        json!([{ "type": "thinking", "thinking": "Hm.", "signature": "c2ln" }])
    );
}

#[test]
fn ends_are_told_apart() {
    for (reason, finish) in [
        ("end_turn", Finish::Stop),
        ("stop_sequence", Finish::Stop),
        ("pause_turn", Finish::Stop),
        ("max_tokens", Finish::Length),
        ("model_context_window_exceeded", Finish::Length),
        ("refusal", Finish::Declined),
    ] {
        let reply = heard_by(API, &said(&["Two."], reason));
        assert_eq!(
            (reply.text.as_str(), reply.finish),
            ("Two.", finish),
            "{reason}"
        );
    }
}

#[test]
fn a_stream_without_its_end_is_no_answer() {
    let body = said(&["Two."], "end_turn");
    let end = body.find("\"message_delta\"").unwrap();
    for cut in 0..end {
        let fault = hear_by(API, &[&body.as_bytes()[..cut]]).unwrap_err();
        assert!(
            matches!(fault, Fault::Cut | Fault::Nonsense { .. }),
            "{cut}"
        );
    }
    assert_eq!(hear_by(API, &[&body.as_bytes()[..end]]), Err(Fault::Cut));
    assert_eq!(
        hear_by(API, &[b"{\"type\": \"message\", \"con"]),
        Err(Fault::Cut)
    );
}

#[test]
fn an_event_that_is_not_known_is_skipped() {
    let new = event(&json!({ "type": "content_block_note", "index": 0, "note": "潮" }));
    let other = event(&delta(
        0,
        &json!({ "type": "citations_delta", "citation": {} }),
    ));
    let bad = "data: {\n\n".to_owned();
    let body = said(&["Two ", "tides."], "end_turn");
    let middle = body.find("data: {\"delta\":{\"text\":\"tides.\"").unwrap();
    let (before, after) = body.split_at(middle);
    let body = [&new, before, &new, &other, &bad, after, &new].concat();
    assert_eq!(heard_by(API, &body).text, "Two tides.");
    assert_eq!(hear_by(API, &[new.as_bytes()]), Err(Fault::Cut));
    let none = hear_by(API, &[b"data: {\"kind\": 1}\n\n"]);
    assert_eq!(none, Err(Fault::Nonsense { said: None }));
}

#[test]
fn an_error_within_a_stream_is_one() {
    let failing = |status, said: &str| Fault::Failing {
        status: Some(status),
        retry_after_ms: None,
        said: Some(said.to_owned()),
    };
    for (kind, words, expected) in [
        ("overloaded_error", "Overloaded", failing(529, "Overloaded")),
        (
            "api_error",
            "Internal server error",
            failing(500, "Internal server error"),
        ),
        (
            "rate_limit_error",
            "x",
            Fault::RateLimited {
                retry_after_ms: None,
            },
        ),
        (
            "authentication_error",
            "x",
            Fault::BadKey { status: Some(401) },
        ),
        (
            "invalid_request_error",
            "prompt is too long: 210000 tokens > 200000 maximum",
            Fault::ContextTooLong {
                said: Some("prompt is too long: 210000 tokens > 200000 maximum".to_owned()),
            },
        ),
    ] {
        let error = json!({ "type": "error", "error": { "type": kind, "message": words } });
        let begun = event(&text("Two"));
        let heard = hear_by(API, &[begun.as_bytes(), event(&error).as_bytes()]);
        assert_eq!(heard, Err(expected.clone()), "{kind}");
        assert_eq!(hear_by(API, &[error.to_string().as_bytes()]), Err(expected));
    }
}

#[test]
fn bodies_are_as_the_provider_documents_them() {
    insta::assert_snapshot!("messages", shown(body_of(API, &requests::rich(API))));
}

#[test]
fn ids_are_what_it_takes_and_unique_in_the_conversation() {
    let call = |id: &str| ToolCall {
        id: id.to_owned(),
        name: "find_in_page".to_owned(),
        arguments: json!({}),
        reasoning: None,
        after: None,
    };
    let reply = |ids: &[&str]| Reply {
        calls: ids.iter().map(|id| call(id)).collect(),
        ..Reply::default()
    };
    let mut request = after_calls(&reply(&["call_0", "2/act:潮", ""]));
    for message in after_calls(&reply(&["call_0", "call_0_2"]))
        .transcript
        .messages()
        .skip(1)
    {
        request.transcript.push(message.clone());
    }
    let body = body_of(API, &request);
    let ids = |field: &str| -> Vec<&str> {
        let messages = body["messages"].as_array().unwrap().iter();
        let blocks = messages.flat_map(|it| it["content"].as_array().unwrap());
        blocks.filter_map(|block| block[field].as_str()).collect()
    };
    let expected = ["call_0", "2_act__", "_2", "call_0_2", "call_0_2_2"];
    assert_eq!(ids("id"), expected);
    assert_eq!(ids("tool_use_id"), expected);
}
