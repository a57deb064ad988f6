//! Tests of `OpenAI`'s Responses API, according to its documentation.

use super::*;

const API: Api = Api::Responses;

fn delta(kind: &str, delta: &str) -> Value {
    json!({ "type": format!("response.{kind}.delta"), "item_id": "i", "output_index": 0, "content_index": 0, "sequence_number": 4, "delta": delta })
}

fn text(text: &str) -> Value {
    delta("output_text", text)
}

fn response(status: &str, reason: Option<&str>) -> Value {
    json!({
        "id": "resp_1", "object": "response", "status": status, "error": null, "output": [],
        "incomplete_details": reason.map(|reason| json!({ "reason": reason })),
        "usage": {
            "input_tokens": 1011, "input_tokens_details": { "cached_tokens": 1000, "cache_write_tokens": 11 },
            "output_tokens": 7, "output_tokens_details": { "reasoning_tokens": 4 }, "total_tokens": 1018,
        },
    })
}

fn ended(status: &str, reason: Option<&str>) -> Value {
    json!({ "type": format!("response.{status}"), "sequence_number": 9, "response": response(status, reason) })
}

fn said(texts: &[&str]) -> Vec<Value> {
    let mut all = vec![
        json!({ "type": "response.created", "response": response("in_progress", None) }),
        json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": "message", "id": "i", "status": "in_progress", "role": "assistant", "content": [] } }),
        json!({ "type": "response.content_part.added", "output_index": 0, "part": { "type": "output_text", "text": "" } }),
    ];
    all.extend(texts.iter().map(|it| text(it)));
    all.push(
        json!({ "type": "response.output_text.done", "output_index": 0, "text": texts.concat() }),
    );
    all
}

fn thought() -> Value {
    json!({ "type": "reasoning", "id": "rs_1", "summary": [{ "type": "summary_text", "text": "Look." }], "encrypted_content": "Z2Vo", "status": null })
}

fn call(index: u32, kind: &str, arguments: &str) -> Value {
    let id = if index == 1 { "call_a" } else { "call_b" };
    json!({ "type": format!("response.output_item.{kind}"), "output_index": index, "item": {
        "type": "function_call", "id": format!("fc_{index}"), "call_id": id, "name": "find_in_page", "arguments": arguments, "status": "completed",
    } })
}

fn arguments(index: u32, kind: &str, field: &str, json: &str) -> Value {
    json!({ "type": format!("response.function_call_arguments.{kind}"), "output_index": index, "item_id": "fc", field: json })
}

/// A response with encrypted reasoning and two parallel calls.
fn calls() -> String {
    let x = "{\"query\":\"x\"}";
    events(&[
        json!({ "type": "response.output_item.added", "output_index": 0, "item": { "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "half" } }),
        json!({ "type": "response.reasoning_summary_part.added", "summary_index": 0 }),
        delta("reasoning_summary_text", "Look "),
        delta("reasoning_summary_text", "it up. 潮"),
        json!({ "type": "response.reasoning_summary_part.added", "summary_index": 1 }),
        delta("reasoning_summary_text", "Twice."),
        json!({ "type": "response.output_item.done", "output_index": 0, "item": thought() }),
        call(1, "added", ""),
        arguments(1, "delta", "delta", "{\"query\":"),
        call(2, "added", ""),
        arguments(1, "delta", "delta", "\"x\"}"),
        arguments(1, "done", "arguments", x),
        call(1, "done", x),
        call(2, "done", "{\"query\":\"y\"}"),
        ended("completed", None),
    ])
}

#[test]
fn an_answer_streams_with_its_usage() {
    let mut all = said(&["Zwei ", "\"Gezeiten\" ", "潮🌊\n"]);
    all.push(ended("completed", None));
    let reply = heard_by(API, &events(&all));
    assert_eq!(reply.text, "Zwei \"Gezeiten\" 潮🌊\n");
    assert_eq!(tokens(&reply), [1_011, 1_000, 7, 4]);
    assert_eq!(reply.usage.cache_written_tokens, 11);
    assert_eq!((reply.finish, reply.echo), (Finish::Stop, None));
}

#[test]
fn calls_at_once_after_reasoning_that_is_given_back() {
    let reply = heard_by(API, &calls());
    let (x, y) = (json!({ "query": "x" }), json!({ "query": "y" }));
    assert_eq!(called(&reply), [("call_a", &x), ("call_b", &y)]);
    assert_eq!(reply.reasoning, "Look it up. 潮\n\nTwice.");
    let request = after_calls(&reply);
    let body = body_of(API, &request);
    let kinds = |body: &Value| -> Vec<String> {
        let items = body["input"].as_array().unwrap().iter();
        items
            .map(|item| item["type"].as_str().unwrap_or("message").to_owned())
            .collect()
    };
    let calls = [
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output",
    ];
    assert_eq!(
        kinds(&body),
        [&["message", "reasoning"][..], &calls].concat()
    );
    let mut given = thought();
    given.as_object_mut().unwrap().remove("status");
    assert_eq!(body["input"][1], given);
    assert_eq!(body["input"][5]["call_id"], "call_b");
    // After the server has rejected reasoning, requests neither ask for it nor contain it.
    let mut shape = Shape::of(&profile(), false);
    shape.leave_out(Feature::Reasoning);
    let body = body_in_shape(API, &request, &shape);
    assert_eq!(kinds(&body), [&["message"][..], &calls].concat());
    assert_eq!(body.get("include"), None);
    // The reasoning of one model is not sent to another.
    let other = dialect_of(API).body(&request, "m-2", &Shape::of(&profile(), false));
    assert!(!other.contains("Z2Vo"));
}

#[test]
fn a_server_without_streaming_is_one_delta() {
    let mut body = response("completed", None);
    body["output"] = json!([
        { "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Two " }, { "type": "output_text", "text": "tides." }] },
    ]);
    let reply = heard_by(API, &format!("\n{body}"));
    assert_eq!(
        (reply.text.as_str(), tokens(&reply)),
        ("Two tides.", [1_011, 1_000, 7, 4])
    );
    body["output"] = json!([
        thought(),
        { "type": "function_call", "call_id": "call_a", "name": "find_in_page", "arguments": "{\"query\":\"x\"}" },
    ]);
    let reply = heard_by(API, &body.to_string());
    assert_eq!(called(&reply), [("call_a", &json!({ "query": "x" }))]);
    assert_eq!(reply.reasoning, "Look.");
    assert!(reply.echo.is_some());
    body["output"] =
        json!([{ "type": "message", "content": [{ "type": "refusal", "refusal": "No." }] }]);
    let reply = heard_by(API, &body.to_string());
    assert_eq!(
        (reply.text.as_str(), reply.finish),
        ("No.", Finish::Declined)
    );
}

#[test]
fn ends_are_told_apart() {
    for (status, reason, finish) in [
        ("completed", None, Finish::Stop),
        ("incomplete", Some("max_output_tokens"), Finish::Length),
        ("incomplete", None, Finish::Length),
        ("incomplete", Some("content_filter"), Finish::Filtered),
    ] {
        let mut all = said(&["Two."]);
        all.push(ended(status, reason));
        let reply = heard_by(API, &events(&all));
        assert_eq!(
            (reply.text.as_str(), reply.finish),
            ("Two.", finish),
            "{reason:?}"
        );
    }
    let all = [
        delta("refusal", "No"),
        delta("refusal", "."),
        ended("completed", None),
    ];
    let reply = heard_by(API, &events(&all));
    assert_eq!(
        (reply.text.as_str(), reply.finish),
        ("No.", Finish::Declined)
    );
}

#[test]
fn a_stream_without_its_end_is_no_answer() {
    let body = events(&said(&["Two."]));
    for cut in 0..body.len() {
        let fault = hear_by(API, &[&body.as_bytes()[..cut]]).unwrap_err();
        assert!(
            matches!(fault, Fault::Cut | Fault::Nonsense { .. }),
            "{cut}"
        );
    }
    assert_eq!(hear_by(API, &[body.as_bytes()]), Err(Fault::Cut));
    assert_eq!(hear_by(API, &[b"{\"object\": \"resp"]), Err(Fault::Cut));
}

#[test]
fn an_event_that_is_not_known_is_skipped() {
    let new = json!({ "type": "response.new_thing.delta", "delta": "潮" });
    let all = [
        new.clone(),
        text("Two "),
        new.clone(),
        json!({ "kind": 1 }),
        arguments(7, "delta", "delta", "{"),
        text("tides."),
        ended("completed", None),
    ];
    assert_eq!(heard_by(API, &events(&all)).text, "Two tides.");
    assert_eq!(hear_by(API, &[event(&new).as_bytes()]), Err(Fault::Cut));
    for none in ["data: {\"kind\": 1}\n\n", "{\"object\": \"list\"}"] {
        let heard = hear_by(API, &[none.as_bytes()]);
        assert_eq!(heard, Err(Fault::Nonsense { said: None }), "{none}");
    }
}

#[test]
fn an_error_within_a_stream_is_one() {
    let error = |code: &str| json!({ "code": code, "message": "x" });
    let failing = Fault::Failing {
        status: Some(500),
        retry_after_ms: None,
        said: Some("x".to_owned()),
    };
    for (code, expected) in [
        ("server_error", failing),
        (
            "rate_limit_exceeded",
            Fault::RateLimited {
                retry_after_ms: None,
            },
        ),
        ("insufficient_quota", Fault::QuotaEmpty),
        (
            "context_length_exceeded",
            Fault::ContextTooLong {
                said: Some("x".to_owned()),
            },
        ),
    ] {
        let mut top = error(code);
        top["type"] = "error".into();
        for failed in [
            json!({ "type": "response.failed", "response": { "status": "failed", "error": error(code) } }),
            json!({ "type": "error", "error": error(code) }),
            top,
        ] {
            let begun = event(&text("Two"));
            let heard = hear_by(API, &[begun.as_bytes(), event(&failed).as_bytes()]);
            assert_eq!(heard, Err(expected.clone()), "{failed}");
        }
        let mut whole = response("failed", None);
        whole["error"] = error(code);
        assert_eq!(hear_by(API, &[whole.to_string().as_bytes()]), Err(expected));
    }
}

#[test]
fn bodies_are_as_the_provider_documents_them() {
    insta::assert_snapshot!("responses", shown(body_of(API, &requests::rich(API))));
}
