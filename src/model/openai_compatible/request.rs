//! A request in Chat Completions' form: pure, from what is asked to the body's JSON.

use super::messages::{self, WireMessage};
use crate::model::protocol::{REASONING, REASONING_MEANS};
use crate::model::{Calling, Profile, Request, ToolDefinition};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// A part of a request that not every server takes. Each is left out once one says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Feature {
    /// `temperature`: reasoning models have one of their own.
    Temperature,
    /// `stream_options`.
    UsageOption,
    /// `stream`.
    Stream,
    /// The role `developer` for the system's message.
    DeveloperRole,
    /// `tools`: the text protocol does instead.
    Tools,
}

/// What a server takes.
#[derive(Debug, Clone)]
pub(super) struct Shape {
    refused: BTreeSet<Feature>,
}

impl Shape {
    /// What is tried first: `OpenAI`'s own host names the system's role otherwise.
    pub(super) fn of(profile: &Profile, is_openai: bool) -> Self {
        let mut refused = BTreeSet::new();
        if !is_openai {
            refused.insert(Feature::DeveloperRole);
        }
        if profile.calling == Calling::Text {
            refused.insert(Feature::Tools);
        }
        Self { refused }
    }

    pub(super) fn has(&self, feature: Feature) -> bool {
        !self.refused.contains(&feature)
    }

    /// Leaves a feature out; false if it was left out already.
    pub(super) fn leave_out(&mut self, feature: Feature) -> bool {
        self.refused.insert(feature)
    }

    /// How tools are called.
    pub(super) fn calling(&self) -> Calling {
        if self.has(Feature::Tools) {
            Calling::Native
        } else {
            Calling::Text
        }
    }
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<WireMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f32>,
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

/// The body's JSON.
pub(super) fn body(request: &Request, model: &str, shape: &Shape) -> String {
    let streams = shape.has(Feature::Stream);
    let tools = match shape.calling() {
        Calling::Native => request.tools.iter().map(tool).collect(),
        Calling::Text => Vec::new(),
    };
    let body = Body {
        model,
        messages: messages::of(request, shape),
        tools,
        temperature: shape
            .has(Feature::Temperature)
            .then_some(request.temperature),
        stream: streams,
        stream_options: (streams && shape.has(Feature::UsageOption)).then_some(StreamOptions {
            include_usage: true,
        }),
    };
    serde_json::to_string(&body).unwrap_or_default()
}

/// A tool as a function, which also takes the reason of its call (DETAILS §2).
fn tool(tool: &ToolDefinition) -> Value {
    let mut parameters = match &tool.parameters {
        Value::Object(schema) => schema.clone(),
        _ => Map::new(),
    };
    parameters.entry("type").or_insert_with(|| "object".into());
    let properties = parameters.entry("properties").or_insert_with(|| json!({}));
    if let Value::Object(properties) = properties {
        let reasoning = || json!({ "type": "string", "description": REASONING_MEANS });
        properties.entry(REASONING).or_insert_with(reasoning);
    }
    let required = parameters.entry("required").or_insert_with(|| json!([]));
    if let Value::Array(required) = required
        && !required.iter().any(|name| name == REASONING)
    {
        required.push(REASONING.into());
    }
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": parameters,
        },
    })
}
