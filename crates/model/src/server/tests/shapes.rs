//! Tests of servers that reject parts of a request.

use super::*;

/// A server that rejects certain parts of a body. Each row has the part, the status and the
/// message.
fn refuses(table: &'static [(&'static str, u16, &'static str)]) -> (Sim, ServerModel) {
    let sim = Sim::new(5);
    sim.serve(move |sent, _| {
        let body = sent.body.clone().unwrap_or_default();
        let refused = table.iter().find(|(part, _, _)| body.contains(part));
        match refused {
            Some((_, status, words)) => Answer::status(*status).send(words),
            None => well("Two."),
        }
    });
    let model = model(&sim, profile(), CANARY);
    (sim, model)
}

const TEMPERATURE: (&str, u16, &str) = (
    "\"temperature\":",
    400,
    r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.7 with this model.","param":"temperature"}}"#,
);
const USAGE: (&str, u16, &str) = (
    "\"stream_options\":",
    422,
    r#"{"detail":[{"type":"extra_forbidden","loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}"#,
);
const TOOLS: (&str, u16, &str) = (
    "\"tools\":",
    400,
    r#"{"error":{"message":"registry.ollama.ai/library/gemma:2b does not support tools"}}"#,
);
const STREAM: (&str, u16, &str) = (
    "\"stream\":true",
    400,
    r#"{"error":{"message":"streaming is not supported","param":"stream"}}"#,
);

#[test]
fn what_is_refused_is_left_out_and_asked_again_once_each() {
    for (table, requests) in [
        (&[][..], 1),
        (&[TEMPERATURE][..], 2),
        (&[USAGE][..], 2),
        (&[TOOLS][..], 2),
        (&[STREAM][..], 2),
        (&[TEMPERATURE, USAGE, TOOLS, STREAM][..], 5),
    ] {
        let (sim, model) = refuses(table);
        assert_eq!(ask(&sim, &model, &request()).0.unwrap().text, "Two.");
        assert_eq!(sim.requests().len(), requests);
        // Rejections are not remembered between calls, because the server may be updated in
        // between.
        assert!(ask(&sim, &model, &request()).0.is_ok());
        assert_eq!(sim.requests().len(), 2 * requests);
    }
}

#[test]
fn a_server_that_refuses_for_ever_is_not_asked_for_ever() {
    let (sim, model) = refuses(&[("m-1", 400, TEMPERATURE.2)]);
    let (result, _) = ask(&sim, &model, &request());
    assert!(matches!(
        fault(&result),
        Fault::Rejected {
            status: Some(400),
            ..
        }
    ));
    assert_eq!(sim.requests().len(), 2);
}

#[test]
fn without_tools_of_its_own_a_server_is_spoken_to_by_text() {
    let sim = Sim::new(6);
    sim.serve(|sent, _| {
        let body: Value = serde_json::from_str(sent.body.as_deref().unwrap()).unwrap();
        if body.get("tools").is_some() {
            return Answer::status(TOOLS.1).send(TOOLS.2);
        }
        let system = body["messages"][0]["content"].as_str().unwrap();
        assert!(system.contains("find_in_page"));
        well("I look.\n```json\n{\"tool_calls\": [{\"id\": \"a\", \"name\": \"find_in_page\", \"arguments\": {\"query\": \"tide\"}, \"reasoning\": \"It may say so.\"}]}\n```")
    });
    let model = model(&sim, profile(), CANARY);
    let (result, shown) = ask(&sim, &model, &request());
    let reply = result.unwrap();
    assert_eq!(reply.calls[0].arguments, json!({ "query": "tide" }));
    assert_eq!(
        reply.calls[0].reasoning,
        Some(DisplayText::Words("It may say so.".to_owned()))
    );
    assert_eq!(
        reply.control.thought,
        Some(DisplayText::Words("I look.".to_owned()))
    );
    assert_eq!(shown, "I look.\n");
}
