//! Tests of the tool definitions that are sent to each kind of server.

use super::*;
use gloss_host_sim::Sim;
use gloss_model::protocol::instructions;
use gloss_model::testing::{body_of, request};
use gloss_model::{Api, Calling, Request, ToolDefinition};
use gloss_reader::PageService;
use gloss_reader::retrieval::words_only;
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A request with all tools and their examples.
fn asking() -> Request {
    let all = all(&Sim::new(1).host(), &PageService::in_process(words_only()));
    let all: Rc<[ToolDefinition]> = all.iter().map(|tool| tool.definition()).collect();
    Request {
        tools: all.into(),
        ..request()
    }
}

/// The name, description and schema of each tool, without the parts that the dialect adds around
/// them.
fn told(api: Api) -> Vec<(Value, Value, Value)> {
    let body = body_of(api, &asking());
    let tools = match api {
        Api::Gemini => &body["tools"][0]["functionDeclarations"],
        _ => &body["tools"],
    };
    let told = tools.as_array().unwrap().iter().map(|tool| {
        let tool = tool.get("function").unwrap_or(tool);
        let schema = ["parameters", "input_schema", "parametersJsonSchema"];
        let schema = schema.iter().find_map(|name| tool.get(name)).unwrap();
        let [name, description] = ["name", "description"].map(|it| tool[it].clone());
        (name, description, schema.clone())
    });
    told.collect()
}

#[test]
fn each_tool_is_sent_as_it_is_published() {
    let native = told(Api::ChatCompletions);
    assert!(native.len() > 12, "{}", native.len());
    for api in [Api::Responses, Api::Messages, Api::Ollama] {
        assert_eq!(told(api), native, "{api:?}");
    }
    for (name, tools) in [
        ("tools.native", native),
        ("tools.gemini", told(Api::Gemini)),
    ] {
        insta::assert_snapshot!(name, serde_json::to_string_pretty(&tools).unwrap());
    }
    let text = instructions(Calling::Text, &asking());
    insta::assert_snapshot!("tools.text", text);
}

/// Gemini supports only a part of JSON Schema. All values of a choice must survive the conversion.
#[test]
fn no_choice_of_a_real_tool_is_lost_to_gemini() {
    for ((name, _, sent), (_, _, native)) in
        told(Api::Gemini).iter().zip(told(Api::ChatCompletions))
    {
        assert_eq!(choices(sent), choices(&native), "{name}");
    }
}

/// All values of all choices. A list of choices that may also be a single item contains them twice.
fn choices(schema: &Value) -> BTreeSet<String> {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("enum").and_then(Value::as_array);
            let own = own.into_iter().flatten().filter_map(Value::as_str);
            let within = fields.values().flat_map(choices);
            own.map(str::to_owned).chain(within).collect()
        }
        Value::Array(items) => items.iter().flat_map(choices).collect(),
        _ => BTreeSet::new(),
    }
}
