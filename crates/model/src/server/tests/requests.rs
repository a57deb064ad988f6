//! Writes requests of every kind, for every API, to files. The test `tests/sdk/check.py` validates
//! these files with the types of the providers' own SDKs. `cargo xtask test` runs it.

use super::*;
use crate::server::tool_schema;
use gloss_text::tokens::estimate;
use std::fs;
use std::path::PathBuf;

/// A request in the third step of a run. It contains an image, parallel calls, a failed call, data
/// that is sent back to the provider, a message by Gloss, a later message of the user, and a
/// schema.
pub(super) fn rich(api: Api) -> Request {
    let mut request = bodies::long_request();
    let image = Image {
        media_type: "image/png".to_owned(),
        base64: "iVBORw0KGgo=".to_owned(),
    };
    request.transcript.push(Message {
        role: Role::User,
        parts: vec![
            Part::Text {
                text: "And this?".to_owned(),
            },
            Part::Image { image },
        ],
    });
    let call = ToolCall {
        id: "c".to_owned(),
        name: "find_in_page".to_owned(),
        arguments: json!({ "query": "ebb", "most": 3 }),
        reasoning: None,
        after: None,
    };
    request.transcript.push(Message {
        role: Role::Assistant,
        parts: vec![
            Part::Echo {
                echo: Echo {
                    api,
                    model: "m-1".to_owned(),
                    value: echoed(api),
                },
            },
            Part::Call { call },
        ],
    });
    request.transcript.push(Message {
        role: Role::Tool,
        parts: vec![Part::Result {
            call: "c".to_owned(),
            tool: "find_in_page".to_owned(),
            outcome: Ok(json!({ "passages": [] })),
        }],
    });
    request.tools = rich_tools().into();
    request
}

/// Data that is sent back to the provider, in the form in which the API's decoder returns it.
fn echoed(api: Api) -> Value {
    match api {
        Api::ChatCompletions => Value::Null,
        Api::Responses => {
            json!([{ "type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "Z2Vo" }])
        }
        Api::Messages => json!([
            { "type": "thinking", "thinking": "Hm.", "signature": "c2ln" },
            { "type": "redacted_thinking", "data": "ZGF0YQ==" },
        ]),
        Api::Gemini => json!({ "c": { "id": true, "thoughtSignature": "c2ln" } }),
        Api::Ollama => "Hm.".into(),
    }
}

/// Tools with every kind of schema that Gloss uses.
fn rich_tools() -> Rc<[ToolDefinition]> {
    let properties = json!({
        "query": { "type": "string", "minLength": 1, "description": "What." },
        "most": { "type": ["integer", "null"], "minimum": 1, "maximum": 9, "default": 3 },
        "kind": { "type": "string", "enum": ["text", "table"] },
        "within": { "type": "array", "items": { "anyOf": [{ "type": "string" }, { "type": "number" }] } },
        "near": { "type": "object", "properties": { "id": { "type": "string" } }, "additionalProperties": false },
    });
    let tool = |name: &str, parameters| ToolDefinition {
        name: name.to_owned(),
        description: "Finds passages.".to_owned(),
        parameters,
        examples: Vec::new(),
    };
    Rc::new([
        tool(
            "find_in_page",
            json!({ "$schema": "x", "type": "object", "properties": properties, "required": ["query"], "additionalProperties": false }),
        ),
        tool("page_title", json!({})),
    ])
}

fn for_a_program() -> Request {
    let schema = json!({
        "type": "object",
        "properties": { "grade": { "type": "string", "enum": ["good", "bad"] } },
        "required": ["grade"],
        "additionalProperties": false,
    });
    Request {
        tools: crate::Tools::None,
        schema: Some(Rc::new(Schema {
            name: "grading".to_owned(),
            schema,
        })),
        ..request()
    }
}

/// A request that follows a thought of the model, as in the strict cycle.
fn after_a_thought() -> Request {
    let mut request = request();
    request.purpose = Purpose::Act;
    request
        .transcript
        .push(Message::text(Role::Assistant, "Look for it. "));
    request
}

fn folder(api: Api) -> PathBuf {
    let name = serde_json::to_value(api).unwrap();
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target");
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(own, PathBuf::from);
    target.join("requests").join(name.as_str().unwrap())
}

#[test]
fn every_dialect_writes_its_requests_out() {
    for api in APIS {
        let folder = folder(api);
        fs::create_dir_all(&folder).unwrap();
        let mut bare = Shape::of(&profile(), false);
        for feature in [
            Feature::Temperature,
            Feature::UsageOption,
            Feature::Stream,
            Feature::Tools,
            Feature::Schema,
            Feature::Reasoning,
        ] {
            assert!(bare.leave_out(feature));
        }
        let rich = rich(api);
        for (name, body) in [
            ("question", body_of(api, &request())),
            ("rich", body_of(api, &rich)),
            ("text", body_in_shape(api, &rich, &bare)),
            ("schema", body_of(api, &for_a_program())),
            ("thought", body_of(api, &after_a_thought())),
        ] {
            assert!(body.is_object());
            fs::write(folder.join(format!("{name}.json")), format!("{body:#}")).unwrap();
        }
    }
}

#[test]
fn an_answer_for_a_program_has_its_form_until_it_is_refused() {
    let request = for_a_program();
    let mut without = Shape::of(&profile(), false);
    without.leave_out(Feature::Schema);
    for api in APIS {
        assert!(
            body_of(api, &request).to_string().contains("\"grade\""),
            "{api:?}"
        );
        let body = body_in_shape(api, &request, &without).to_string();
        assert!(!body.contains("\"grade\""), "{api:?}");
    }
}

#[test]
fn who_wants_the_person_to_have_the_last_word_is_given_one() {
    for (api, list) in [(Api::Messages, "messages"), (Api::Gemini, "contents")] {
        let body = body_of(api, &after_a_thought());
        let roles: Vec<&Value> = body[list]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| &it["role"])
            .collect();
        assert_eq!(roles.len(), 3, "{api:?}");
        assert_eq!(*roles[2], "user", "{api:?}");
    }
}

#[test]
fn a_tool_is_counted_with_the_reason_that_its_call_gives() {
    let bare = ToolDefinition {
        name: "recall".to_owned(),
        description: "Recalls.".to_owned(),
        parameters: json!({}),
        examples: Vec::new(),
    };
    let request = rich(Api::ChatCompletions);
    assert!(!request.tools.offered().is_empty());
    for tool in request.tools.offered().iter().chain([&bare]) {
        let wire = tool_schema::parameters(tool).to_string();
        let said = [tool.name.clone(), tool.description_with_examples(), wire]
            .map(|words| estimate(&words));
        let said: u32 = said.iter().sum();
        assert!(said <= tool.tokens(), "{}: {said}", tool.name);
        assert!(tool.tokens() <= said + 20, "{}: {said}", tool.name);
    }
}
