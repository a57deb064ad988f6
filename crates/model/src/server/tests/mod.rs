//! A server with scripted responses, and a user's question to it.

mod bodies;
mod decoding;
mod dialects;
mod faults;
mod gemini;
mod images;
mod kills;
mod messages;
mod ollama;
mod requests;
mod responses;
mod shapes;
mod waits;

use super::testing::{body_of, profile, request, tools};
use super::*;
use crate::phrase::DisplayText;
use crate::{
    Api, Calling, Echo, Finish, Image, Message, Part, Purpose, Role, Schema, Source, ToolCall,
    ToolDefinition,
};
use gloss_durable::StoreError;
use gloss_host::KeyError;
use gloss_host_sim::{Answer, Sim};
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::ready;

const ORIGIN: &str = "https://api.example";
/// A key. It must not appear anywhere except in its header.
const CANARY: &str = "sk-canary-8c1f03";

/// Keys by their names, each with its origin. The error, if there is one, is returned for any key.
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

const APIS: [Api; 5] = [
    Api::ChatCompletions,
    Api::Responses,
    Api::Messages,
    Api::Gemini,
    Api::Ollama,
];

/// The profile of the same server, with another API.
fn profile_of(api: Api) -> Profile {
    Profile { api, ..profile() }
}

fn body_in_shape(api: Api, request: &Request, shape: &Shape) -> Value {
    let body = dialect_of(api).body(request, "m-1", shape);
    serde_json::from_str(&body).unwrap()
}

/// A request's body for a snapshot. The instructions for the reply format are shortened, because
/// they have snapshots of their own.
fn shown(mut body: Value) -> String {
    shorten(&mut body);
    serde_json::to_string_pretty(&body).unwrap()
}

fn shorten(value: &mut Value) {
    match value {
        Value::String(text) if text.len() > 1_000 => {
            *text = format!("… {}", text.rsplit("\n\n").next().unwrap());
        }
        Value::Array(all) => all.iter_mut().for_each(shorten),
        Value::Object(all) => all.values_mut().for_each(shorten),
        _ => {}
    }
}

/// Decodes a body. Checks that the reply is the same if the body arrives in two parts, for every
/// split.
fn heard_by(api: Api, body: &str) -> Reply {
    let whole = hear_by(api, &[body.as_bytes()]).unwrap();
    let bytes = body.as_bytes();
    for cut in 0..=bytes.len() {
        let (before, after) = bytes.split_at(cut);
        let reply = hear_by(api, &[before, after]).unwrap();
        assert_eq!(reply, whole, "cut at {cut}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(hear_by(api, &single).unwrap(), whole);
    whole
}

fn hear_by(api: Api, pieces: &[&[u8]]) -> Result<Reply, Fault> {
    let mut hearing = ResponseReader {
        decoder: StreamDecoder::of(api),
        listener: ReplyParser::new(Calling::Native, tools().into()),
        listened: 0,
    };
    let mut shown = String::new();
    let mut show = |text: &str| shown.push_str(text);
    for piece in pieces {
        hearing.take(piece, &mut show)?;
    }
    hearing.end(&mut show)?;
    let (heard, speech) = hearing.finish(&mut show);
    let beside = answer::Beside {
        heard,
        by: (api, "m-1"),
        body: "0123456789",
        tools: &tools().into(),
    };
    let reply = answer::reply(speech, beside);
    if reply.calls.is_empty() && reply.finish != Finish::Declined {
        assert_eq!(reply.text, shown);
    }
    Ok(reply)
}

/// The names and arguments of the calls in a reply.
fn called(reply: &Reply) -> Vec<(&str, &Value)> {
    assert_eq!(reply.malformed, None);
    let calls = reply.calls.iter();
    calls
        .map(|call| (call.id.as_str(), &call.arguments))
        .collect()
}

/// The token counts of a reply: input, cached input, output, reasoning.
fn tokens(reply: &Reply) -> [u32; 4] {
    let usage = reply.usage;
    [
        usage.input_tokens,
        usage.cached_tokens,
        usage.output_tokens,
        usage.reasoning_tokens,
    ]
}

/// A request that follows the calls of this reply and their results.
fn after_calls(reply: &Reply) -> Request {
    let mut request = request();
    request.purpose = Purpose::Observe;
    let calls = reply
        .calls
        .iter()
        .map(|call| Part::Call { call: call.clone() });
    let echo = reply
        .echo
        .iter()
        .map(|echo| Part::Echo { echo: echo.clone() });
    request.transcript.push(Message {
        role: Role::Assistant,
        parts: echo.chain(calls).collect(),
    });
    let given = reply.calls.iter().map(|call| Part::Result {
        call: call.id.clone(),
        tool: call.name.clone(),
        outcome: Ok(json!("It may be so.")),
    });
    request.transcript.push(Message {
        role: Role::Tool,
        parts: given.collect(),
    });
    request
}

/// A stream of events.
fn events(all: &[Value]) -> String {
    all.iter().map(event).collect()
}

/// A stream of lines.
fn lines(all: &[Value]) -> String {
    let lines = all.iter().map(Value::to_string);
    lines.chain([String::new()]).collect::<Vec<_>>().join("\n")
}

fn ollama() -> Profile {
    Profile {
        name: "Ollama".to_owned(),
        base_url: "http://localhost:11434/v1".to_owned(),
        model: "qwen3:8b".to_owned(),
        ..profile()
    }
}

/// The model of a profile. An empty `key` means that there is no key.
fn model(sim: &Sim, profile: Profile, key: &str) -> ServerModel {
    let keys = Keys::default();
    if let Ok(address) = Address::of(&profile.base_url, dialect_of(profile.api)) {
        sim.grant(&address.origin);
        if !key.is_empty() {
            let kept = (address.origin, Secret::new(key));
            keys.0.borrow_mut().insert(profile.id.clone(), kept);
        }
    }
    let host = sim.host();
    ServerModel {
        profile: Rc::new(profile),
        http: host.http,
        web: host.web,
        grants: host.grants,
        secrets: Rc::new(keys),
        clock: host.clock,
    }
}

/// One event of a stream.
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

/// A streamed answer without errors.
fn well(text: &str) -> Answer {
    let usage =
        event(&json!({ "choices": [], "usage": { "prompt_tokens": 11, "completion_tokens": 3 } }));
    Answer::status(200)
        .send(content(text))
        .send(finished("stop"))
        .send(usage)
        .send(DONE)
}

/// The result of one call, and the text that was shown to the user before the call ended.
fn ask(sim: &Sim, model: &ServerModel, request: &Request) -> (Result<Reply, ModelError>, String) {
    let mut shown = String::new();
    let asked = model.ask(request, |text| shown.push_str(text));
    let result = sim.life(u64::MAX, asked).unwrap();
    (result, shown)
}

/// The result of a question to a server with this response, and the number of requests.
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
