//! Tests of Ollama's own API, according to its documentation.

use super::*;

const API: Api = Api::Ollama;

fn line(message: &Value) -> Value {
    json!({ "model": "m-1", "created_at": "2026-01-01T00:00:00.123456789Z", "message": message, "done": false })
}

fn text(text: &str) -> Value {
    line(&json!({ "role": "assistant", "content": text }))
}

fn ended(reason: &str) -> Value {
    json!({
        "model": "m-1", "created_at": "2026-01-01T00:00:01Z", "message": { "role": "assistant", "content": "" },
        "done_reason": reason, "done": true, "total_duration": 4_883_583_458_u64,
        "prompt_eval_count": 26, "eval_count": 290,
    })
}

fn said(texts: &[&str], reason: &str) -> String {
    let all: Vec<Value> = texts
        .iter()
        .map(|it| text(it))
        .chain([ended(reason)])
        .collect();
    lines(&all)
}

fn calls() -> String {
    let call =
        |query| json!({ "function": { "name": "find_in_page", "arguments": { "query": query } } });
    lines(&[
        line(&json!({ "role": "assistant", "content": "", "thinking": "Look " })),
        line(&json!({ "role": "assistant", "content": "", "thinking": "it up. 潮" })),
        line(&json!({ "role": "assistant", "content": "", "tool_calls": [call("x"), call("y")] })),
        ended("stop"),
    ])
}

#[test]
fn an_answer_streams_with_its_usage() {
    let reply = heard_by(API, &said(&["Zwei ", "\"Gezeiten\" ", "潮🌊\n"], "stop"));
    assert_eq!(reply.text, "Zwei \"Gezeiten\" 潮🌊\n");
    assert_eq!(
        (tokens(&reply), reply.finish),
        ([26, 0, 290, 0], Finish::Stop)
    );
    // The last line may lack a line break.
    assert_eq!(
        heard_by(API, said(&["Two."], "stop").trim_end()).text,
        "Two."
    );
}

#[test]
fn calls_at_once_after_thoughts_that_are_given_back() {
    let reply = heard_by(API, &calls());
    let (x, y) = (json!({ "query": "x" }), json!({ "query": "y" }));
    assert_eq!(called(&reply), [("call_0", &x), ("call_1", &y)]);
    assert_eq!(reply.reasoning, "Look it up. 潮");
    let body = body_of(API, &after_calls(&reply));
    let messages = body["messages"].as_array().unwrap();
    let roles: Vec<&str> = messages
        .iter()
        .map(|it| it["role"].as_str().unwrap())
        .collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool"]);
    assert_eq!(messages[2]["thinking"], "Look it up. 潮");
    assert_eq!(messages[2]["tool_calls"][1]["function"]["arguments"], y);
    assert_eq!(messages[4]["tool_name"], "find_in_page");
}

#[test]
fn a_server_without_streaming_is_one_delta() {
    let mut body = ended("stop");
    body["message"]["content"] = "Two.".into();
    assert_eq!(heard_by(API, &body.to_string()).text, "Two.");
}

#[test]
fn ends_are_told_apart() {
    for (reason, finish) in [("stop", Finish::Stop), ("length", Finish::Length)] {
        assert_eq!(
            heard_by(API, &said(&["Two."], reason)).finish,
            finish,
            "{reason}"
        );
    }
}

#[test]
fn usage_of_nothing_is_estimated() {
    let mut end = ended("stop");
    end["prompt_eval_count"] = 0.into();
    end["eval_count"] = 0.into();
    let reply = heard_by(API, &lines(&[text("Four four 潮汐"), end]));
    assert_eq!(tokens(&reply), [3, 0, 4, 0]);
}

#[test]
fn a_stream_without_its_end_is_no_answer() {
    let body = lines(&[text("Two."), text("Three.")]);
    for cut in 0..body.len() {
        let fault = hear_by(API, &[&body.as_bytes()[..cut]]).unwrap_err();
        assert!(
            matches!(fault, Fault::Cut | Fault::Nonsense { .. }),
            "{cut}"
        );
    }
    assert_eq!(hear_by(API, &[body.as_bytes()]), Err(Fault::Cut));
}

#[test]
fn a_line_that_is_not_known_is_skipped() {
    let all = [
        text("Two "),
        json!({ "status": "loading" }),
        json!([1]),
        text("tides."),
        ended("stop"),
    ];
    assert_eq!(heard_by(API, &lines(&all)).text, "Two tides.");
    for (body, said) in [
        ("{\"status\": \"ok\"}\n", None),
        ("<html>\n", Some("<html>")),
    ] {
        let said = said.map(str::to_owned);
        assert_eq!(
            hear_by(API, &[body.as_bytes()]),
            Err(Fault::Nonsense { said })
        );
    }
}

#[test]
fn an_error_within_a_stream_is_one() {
    let error = json!({ "error": "an error was encountered while running the model" });
    let failing = Fault::Failing {
        status: None,
        retry_after_ms: None,
        said: Some("an error was encountered while running the model".to_owned()),
    };
    let heard = hear_by(API, &[lines(&[text("Two"), error]).as_bytes()]);
    assert_eq!(heard, Err(failing));
}

#[test]
fn bodies_are_as_the_provider_documents_them() {
    insta::assert_snapshot!("ollama", shown(body_of(API, &requests::rich(API))));
}

#[test]
fn the_window_is_the_person_s_own_figure_or_one_that_a_page_fits() {
    let window = |facts| {
        let profile = Profile {
            facts,
            ..profile_of(API)
        };
        let body = body_in_shape(API, &request(), &Shape::of(&profile, false));
        body["options"]["num_ctx"].clone()
    };
    let facts = crate::Facts {
        window: Some(8_192),
        ..Default::default()
    };
    assert_eq!(window(Some(facts)), 8_192);
    assert_eq!(window(None), 32_768);
}
