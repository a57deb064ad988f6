//! A scripted server, and a person's question to it.

mod bodies;
mod decoding;
mod faults;
mod kills;
mod shapes;
mod waits;

use super::*;
use crate::host::sim::{Answer, Sim};
use crate::host::{KeyError, StoreError};
use crate::model::{
    Api, Calling, Message, Part, Purpose, Role, Source, ToolCall, ToolDefinition, Transcript,
};
use crate::phrase::Said;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::ready;

const ORIGIN: &str = "https://api.example";
/// A key that must turn up nowhere but in its header.
const CANARY: &str = "sk-canary-8c1f03";

/// Keys in a map, each with its origin.
#[derive(Default)]
struct Keys(
    RefCell<BTreeMap<String, (String, Secret)>>,
    Option<StoreError>,
);

impl Secrets for Keys {
    fn get(&self, name: &str, origin: &str) -> Fut<Result<Option<Secret>, KeyError>> {
        let found = self.0.borrow().get(name).cloned();
        let found = found.filter(|(own, _)| own == origin).map(|(_, key)| key);
        let refused = self.1.clone().map(KeyError::from);
        Box::pin(ready(refused.map_or(Ok(found), Err)))
    }
}

fn profile() -> Profile {
    Profile {
        id: "p1".to_owned(),
        name: "Example".to_owned(),
        base_url: format!("{ORIGIN}/v1"),
        model: "m-1".to_owned(),
        api: Api::ChatCompletions,
        calling: Calling::Native,
        ..Profile::default()
    }
}

fn ollama() -> Profile {
    Profile {
        name: "Ollama".to_owned(),
        base_url: "http://localhost:11434/v1".to_owned(),
        model: "qwen3:8b".to_owned(),
        ..profile()
    }
}

/// The model of a profile, with a key unless it is empty.
fn model(sim: &Sim, profile: Profile, key: &str) -> Hosted {
    let keys = Keys::default();
    if let Ok(address) = Address::of(&profile.base_url, dialect::of(profile.api)) {
        sim.grant(&address.origin);
        if !key.is_empty() {
            let kept = (address.origin, Secret::new(key));
            keys.0.borrow_mut().insert(profile.id.clone(), kept);
        }
    }
    let host = sim.host();
    Hosted {
        profile: Rc::new(profile),
        http: host.http,
        grants: host.grants,
        secrets: Rc::new(keys),
        clock: host.clock,
    }
}

fn tools() -> Rc<[ToolDefinition]> {
    Rc::new([ToolDefinition {
        name: "find_in_page".to_owned(),
        description: "Finds passages.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "query": { "type": "string" } },
            "required": ["query"],
        }),
    }])
}

fn request() -> Request {
    let mut transcript = Transcript::default();
    transcript.push(Message::text(Role::User, "How many tides?"));
    Request {
        purpose: Purpose::Reason,
        transcript,
        tools: tools(),
        temperature: 0.7,
        page: None,
        schema: None,
    }
}

/// A stream's event.
fn event(chunk: &Value) -> String {
    format!("data: {chunk}\n\n")
}

fn content(text: &str) -> String {
    event(&json!({ "choices": [{ "index": 0, "delta": { "content": text } }] }))
}

fn finished(reason: &str) -> String {
    event(&json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] }))
}

const DONE: &str = "data: [DONE]\n\n";

/// An answer that streams well.
fn well(text: &str) -> Answer {
    let usage =
        event(&json!({ "choices": [], "usage": { "prompt_tokens": 11, "completion_tokens": 3 } }));
    Answer::status(200)
        .send(content(text))
        .send(finished("stop"))
        .send(usage)
        .send(DONE)
}

/// What one call gave, and what was shown meanwhile.
fn ask(sim: &Sim, model: &Hosted, request: &Request) -> (Result<Reply, ModelError>, String) {
    let mut shown = String::new();
    let asked = model.ask(request, |text| shown.push_str(text));
    let result = sim.life(u64::MAX, asked).unwrap();
    (result, shown)
}

/// What a server that always answers so makes of a question, and how often it was asked.
fn answered(profile: Profile, answer: Answer) -> (Result<Reply, ModelError>, usize) {
    let sim = Sim::new(1);
    sim.serve(move |_, _| answer.clone());
    let model = model(&sim, profile, CANARY);
    let (result, _) = ask(&sim, &model, &request());
    (result, sim.requests().len())
}

fn fault(result: &Result<Reply, ModelError>) -> &Fault {
    match result {
        Err(ModelError::Server { fault, .. }) => fault,
        other => panic!("no fault: {other:?}"),
    }
}
