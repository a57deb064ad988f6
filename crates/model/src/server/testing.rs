//! Requests in the form that servers receive, for tests of this crate and of crates that use it.

use super::apis::dialect_of;
use super::rejected_features::Shape;
use crate::{
    Api, Calling, Language, Message, Profile, Purpose, Request, Role, ToolDefinition, Transcript,
};
use serde_json::{Value, json};
use std::rc::Rc;

pub use super::conversation::in_words;
pub use super::tool_schema::parameters as sent_parameters;

/// A server with native tool calls.
pub fn profile() -> Profile {
    Profile {
        id: "p1".to_owned(),
        name: "Example".to_owned(),
        base_url: "https://api.example/v1".to_owned(),
        model: "m-1".to_owned(),
        api: Api::ChatCompletions,
        calling: Calling::Native,
        ..Profile::default()
    }
}

/// The body of a request to a server that accepts all features.
pub fn body_of(api: Api, request: &Request) -> Value {
    let shape = Shape::of(&profile(), false);
    let body = dialect_of(api).body(request, "m-1", &shape);
    serde_json::from_str(&body).unwrap_or_default()
}

/// A list with one tool.
pub fn tools() -> Rc<[ToolDefinition]> {
    Rc::new([ToolDefinition {
        name: "find_in_page".to_owned(),
        description: "Finds passages.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "query": { "type": "string" } },
            "required": ["query"],
        }),
        examples: Vec::new(),
    }])
}

/// A question that a tool can help to answer.
pub fn request() -> Request {
    let mut transcript = Transcript::default();
    transcript.push(Message::text(Role::User, "How many tides?"));
    Request {
        purpose: Purpose::Reason,
        transcript,
        tools: tools().into(),
        temperature: 0.7,
        page: None,
        schema: None,
        task: String::new(),
        state: String::new(),
        language: Language::English,
    }
}
