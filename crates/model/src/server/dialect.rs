//! What differs between the kinds of servers: a pure pair for each, the request and the
//! decoder of its response.
//!
//! Driving example: `ChatCompletions.body(…)` is the JSON of a question, and the
//! [`Decode`] of its decoder takes the events of the answer one by one. What they share
//! (addresses, waits, refusals, framing, the transcript's order) stands beside this.

use super::decode::Heard;
use super::{chat_completions, gemini, messages, ollama, request::Shape, responses};
use crate::{Api, Fault, Request};
use gloss_host::Secret;
use serde_json::Value;
use std::fmt::Debug;

/// What of a delta is passed on as it comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    /// The answer goes on.
    Content(&'a str),
    /// The thinking aloud goes on.
    Reasoning(&'a str),
}

/// Takes deltas as they come.
pub(super) type Take<'t> = dyn FnMut(Delta<'_>) + 't;

/// How a stream's events are set apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events; a body that begins with `{` is no stream.
    Events,
    /// One JSON object a line.
    Lines,
}

/// How a kind of server is spoken to.
pub(super) trait Dialect {
    /// The ends of addresses that people copy with the base URL, the one that is asked first,
    /// such as `/chat/completions`.
    fn endings(&self) -> &'static [&'static str];

    /// Where `model` is asked, behind the base URL's path.
    fn endpoint(&self, _model: &str, _shape: &Shape) -> String {
        self.endings()
            .first()
            .copied()
            .unwrap_or_default()
            .to_owned()
    }

    /// Where the models are listed, behind the base URL's path.
    fn list(&self) -> &'static str {
        "/models"
    }

    /// The headers that name us, and those that every request has.
    fn headers(&self, key: Option<&Secret>) -> Vec<(String, String)> {
        let value = |key: &Secret| format!("Bearer {}", key.expose());
        let header = key.map(|key| ("authorization".to_owned(), value(key)));
        header.into_iter().collect()
    }

    /// The request's JSON.
    fn body(&self, request: &Request, model: &str, shape: &Shape) -> String;

    /// How its streams are framed.
    fn framing(&self) -> Framing {
        Framing::Events
    }

    /// For one response.
    fn decoder(&self) -> Box<dyn Decode>;

    /// The name of one of the models that it lists; `None` of what can't answer.
    fn model_name(&self, listed: &Value) -> Option<String> {
        let named = ["id", "name"].iter().find_map(|field| listed.get(field));
        named.and_then(Value::as_str).map(str::to_owned)
    }
}

/// What one response says, event by event.
pub(super) trait Decode: Debug {
    /// Takes the data of an event, or a line. False if it is none of this dialect's,
    /// which is skipped; an event of the dialect that is not known here is one.
    ///
    /// # Errors
    /// When it says that the server failed.
    fn event(&mut self, data: &str, heard: &mut Heard, take: &mut Take<'_>) -> Result<bool, Fault>;

    /// Takes a body that is no stream. False if it is no answer.
    ///
    /// # Errors
    /// When it says that the server failed.
    fn whole(&mut self, body: &str, heard: &mut Heard, take: &mut Take<'_>) -> Result<bool, Fault>;
}

/// How servers of a kind are spoken to.
pub(super) fn of(api: Api) -> &'static dyn Dialect {
    match api {
        Api::ChatCompletions => &chat_completions::ChatCompletions,
        Api::Responses => &responses::Responses,
        Api::Messages => &messages::Messages,
        Api::Gemini => &gemini::Gemini,
        Api::Ollama => &ollama::Ollama,
    }
}
