//! Tests of Google's Gemini, according to its documentation.

use super::*;

const API: Api = Api::Gemini;

fn chunk(parts: &Value) -> Value {
    json!({
        "candidates": [{ "content": { "parts": parts, "role": "model" }, "index": 0 }],
        "usageMetadata": { "promptTokenCount": 11, "candidatesTokenCount": 1, "totalTokenCount": 12 },
        "modelVersion": "m-1", "responseId": "r",
    })
}

fn ended(reason: &str) -> Value {
    json!({
        "candidates": [{ "content": { "parts": [{ "text": "" }], "role": "model" }, "finishReason": reason, "index": 0 }],
        "usageMetadata": { "promptTokenCount": 1011, "cachedContentTokenCount": 1000, "candidatesTokenCount": 3, "thoughtsTokenCount": 4, "totalTokenCount": 1018 },
    })
}

fn said(texts: &[&str], reason: &str) -> String {
    let chunks = texts.iter().map(|text| chunk(&json!([{ "text": text }])));
    let all: Vec<Value> = chunks.chain([ended(reason)]).collect();
    events(&all)
}

fn calls(ids: [Option<&str>; 2]) -> String {
    let call = |id: Option<&str>, query: &str| {
        let mut call = json!({ "name": "find_in_page", "args": { "query": query } });
        if let Some(id) = id {
            call["id"] = id.into();
        }
        call
    };
    events(&[
        chunk(&json!([{ "text": "Look it up. 潮", "thought": true }])),
        chunk(&json!([
            { "functionCall": call(ids[0], "x"), "thoughtSignature": "c2ln" },
            { "functionCall": call(ids[1], "y") },
        ])),
        ended("STOP"),
    ])
}

#[test]
fn an_answer_streams_with_its_usage() {
    let reply = heard_by(API, &said(&["Zwei ", "\"Gezeiten\" ", "潮🌊\n"], "STOP"));
    assert_eq!(reply.text, "Zwei \"Gezeiten\" 潮🌊\n");
    assert_eq!(tokens(&reply), [1_011, 1_000, 7, 4]);
    assert_eq!((reply.finish, reply.echo), (Finish::Stop, None));
    // Gemini ends its lines with CR LF.
    let crlf = said(&["Two."], "STOP").replace('\n', "\r\n");
    assert_eq!(heard_by(API, &crlf).text, "Two.");
}

#[test]
fn calls_at_once_after_thoughts_whose_signature_is_given_back() {
    let (x, y) = (json!({ "query": "x" }), json!({ "query": "y" }));
    for (ids, known) in [
        ([Some("a1"), Some("b2")], ["a1", "b2"]),
        ([None, None], ["call_0", "call_1"]),
    ] {
        let reply = heard_by(API, &calls(ids));
        assert_eq!(called(&reply), [(known[0], &x), (known[1], &y)]);
        assert_eq!(reply.reasoning, "Look it up. 潮");
        let body = body_of(API, &after_calls(&reply));
        let contents = body["contents"].as_array().unwrap();
        let roles: Vec<&str> = contents
            .iter()
            .map(|it| it["role"].as_str().unwrap())
            .collect();
        assert_eq!(roles, ["user", "model", "user"]);
        for place in 0..2 {
            let call = &contents[1]["parts"][place];
            let signature = (place == 0).then_some("c2ln");
            assert_eq!(call["thoughtSignature"].as_str(), signature);
            assert_eq!(call["functionCall"]["id"].as_str(), ids[place]);
            let result = &contents[2]["parts"][place]["functionResponse"];
            assert_eq!(result["id"].as_str(), ids[place]);
            assert_eq!(result["name"], "find_in_page");
            assert!(result["response"]["output"].is_string());
        }
    }
}

#[test]
fn a_call_that_another_made_is_marked_as_such() {
    let reply = Reply {
        echo: None,
        ..heard_by(API, &calls([None, None]))
    };
    let mut shape = Shape::of(&profile(), false);
    let signatures = |shape: &Shape| -> Vec<Value> {
        let body = body_in_shape(API, &after_calls(&reply), shape);
        let parts = body["contents"][1]["parts"].as_array().unwrap().iter();
        parts.map(|part| part["thoughtSignature"].clone()).collect()
    };
    let unsigned = Value::from("skip_thought_signature_validator");
    assert_eq!(signatures(&shape), [unsigned, Value::Null]);
    shape.leave_out(Feature::Reasoning);
    assert_eq!(signatures(&shape), [Value::Null, Value::Null]);
}

#[test]
fn a_server_without_streaming_is_one_delta() {
    let mut body = ended("STOP");
    body["candidates"][0]["content"]["parts"] = json!([{ "text": "Two " }, { "text": "tides." }]);
    let reply = heard_by(API, &format!("\n{body:#}"));
    assert_eq!(
        (reply.text.as_str(), tokens(&reply)),
        ("Two tides.", [1_011, 1_000, 7, 4])
    );
}

#[test]
fn ends_are_told_apart() {
    for (reason, finish) in [
        ("STOP", Finish::Stop),
        ("MAX_TOKENS", Finish::Length),
        ("SAFETY", Finish::Filtered),
        ("RECITATION", Finish::Filtered),
        ("PROHIBITED_CONTENT", Finish::Filtered),
        ("A_NEW_ONE", Finish::Filtered),
    ] {
        let reply = heard_by(API, &said(&["Two."], reason));
        assert_eq!(
            (reply.text.as_str(), reply.finish),
            ("Two.", finish),
            "{reason}"
        );
    }
    let blocked = json!({ "promptFeedback": { "blockReason": "SAFETY" }, "usageMetadata": { "promptTokenCount": 4 } });
    for body in [event(&blocked), blocked.to_string()] {
        let reply = heard_by(API, &body);
        assert_eq!((reply.text.as_str(), reply.finish), ("", Finish::Filtered));
    }
}

#[test]
fn a_call_that_it_could_not_write_is_for_the_model_to_mend() {
    let mut malformed = ended("MALFORMED_FUNCTION_CALL");
    assert_eq!(
        heard_by(API, &event(&malformed)).malformed.as_deref(),
        Some("MALFORMED_FUNCTION_CALL")
    );
    malformed["candidates"][0]["finishMessage"] = "Malformed function call: print(x".into();
    let reply = heard_by(API, &event(&malformed));
    assert_eq!(
        reply.malformed.as_deref(),
        Some("Malformed function call: print(x")
    );
}

#[test]
fn a_stream_without_its_end_is_no_answer() {
    let body = events(&[chunk(&json!([{ "text": "Two." }]))]);
    for cut in 0..body.len() {
        let fault = hear_by(API, &[&body.as_bytes()[..cut]]).unwrap_err();
        assert!(
            matches!(fault, Fault::Cut | Fault::Nonsense { .. }),
            "{cut}"
        );
    }
    assert_eq!(hear_by(API, &[body.as_bytes()]), Err(Fault::Cut));
    assert_eq!(hear_by(API, &[b"{\"candidates\": [{"]), Err(Fault::Cut));
}

#[test]
fn what_is_not_known_is_skipped() {
    let new = chunk(&json!([{ "executableCode": { "code": "1" } }, { "text": "" }]));
    let other =
        json!({ "candidates": [{ "index": 1, "content": { "parts": [{ "text": "Drei" }] } }] });
    let all = [
        chunk(&json!([{ "text": "Two " }])),
        new,
        other,
        json!({ "kind": 1 }),
        json!({ "modelVersion": "m-1" }),
        chunk(&json!([{ "text": "tides." }])),
        ended("STOP"),
    ];
    assert_eq!(heard_by(API, &events(&all)).text, "Two tides.");
    for none in [
        "data: {\"kind\": 1}\n\n",
        "{\"kind\": 1}",
        "{\"modelVersion\": \"m-1\"}",
    ] {
        let heard = hear_by(API, &[none.as_bytes()]);
        assert_eq!(heard, Err(Fault::Nonsense { said: None }), "{none}");
    }
}

#[test]
fn an_error_within_a_stream_is_one() {
    let error = |code: u16, status: &str| {
        json!({ "error": { "code": code, "message": "x", "status": status, "details": [
            { "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s" },
        ] } })
    };
    for (error, expected) in [
        (
            error(503, "UNAVAILABLE"),
            Fault::Failing {
                status: Some(503),
                retry_after_ms: None,
                said: Some("x".to_owned()),
            },
        ),
        (
            error(429, "RESOURCE_EXHAUSTED"),
            Fault::RateLimited {
                retry_after_ms: Some(34_500),
            },
        ),
    ] {
        let begun = event(&chunk(&json!([{ "text": "Two" }])));
        let heard = hear_by(API, &[begun.as_bytes(), event(&error).as_bytes()]);
        assert_eq!(heard, Err(expected.clone()));
        assert_eq!(hear_by(API, &[error.to_string().as_bytes()]), Err(expected));
    }
}

#[test]
fn bodies_are_as_the_provider_documents_them() {
    insta::assert_snapshot!("gemini", shown(body_of(API, &requests::rich(API))));
}

#[test]
fn a_model_s_name_stands_in_the_address() {
    let dialect = dialect_of(API);
    let mut shape = Shape::of(&profile(), false);
    for (name, part) in [
        ("gemini-2.5-flash", "gemini-2.5-flash"),
        ("models/gemini-2.5-flash", "gemini-2.5-flash"),
        ("a/b?c#d é", "a%2Fb%3Fc%23d%20%C3%A9"),
        ("../x", "..%2Fx"),
    ] {
        let expected = format!("/models/{part}:streamGenerateContent?alt=sse");
        assert_eq!(dialect.endpoint(name, &shape), expected);
    }
    shape.leave_out(Feature::Stream);
    assert_eq!(dialect.endpoint("m", &shape), "/models/m:generateContent");
    let named = |name: &str, methods: &[&str]| {
        dialect.model_name(&json!({ "name": name, "supportedGenerationMethods": methods }))
    };
    assert_eq!(
        named("models/a", &["generateContent"]).as_deref(),
        Some("a")
    );
    assert_eq!(named("models/e", &["embedContent"]), None);
    assert_eq!(named("models/other", &["predict"]), None);
}
