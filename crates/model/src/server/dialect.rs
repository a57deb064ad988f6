//! The differences between the APIs: for each, a pure pair of request and response decoder.
//!
//! Driving example: `ChatCompletions.body(…)` is the JSON of a question, and the [`Decode`] of its
//! decoder takes the events of the answer one by one. Shared code (addresses, timeouts, refusals,
//! framing, the transcript's order) is in the neighbouring modules.

use super::decode::DecodedResponse;
use super::{chat_completions, gemini, messages, ollama, request::Shape, responses};
use crate::{Api, Fault, Request};
use gloss_host::Secret;
use serde_json::Value;
use std::fmt::Debug;

/// A piece of a response that is passed on as it arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Delta<'a> {
    /// More text of the answer.
    Content(&'a str),
    /// More of the model's reasoning.
    Reasoning(&'a str),
}

/// A callback for deltas.
pub(super) type Take<'t> = dyn FnMut(Delta<'_>) + 't;

/// The separation of events in a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Framing {
    /// Server-sent events; a body that begins with `{` is not a stream.
    Events,
    /// One JSON object per line.
    Lines,
}

/// The request format of an API.
pub(super) trait Dialect {
    /// The paths of endpoints, such as `/chat/completions`, that users copy together with the base
    /// URL. The first is used for requests.
    fn endings(&self) -> &'static [&'static str];

    /// The path of the endpoint of `model`, after the base URL.
    fn endpoint(&self, _model: &str, _shape: &Shape) -> String {
        self.endings()
            .first()
            .copied()
            .unwrap_or_default()
            .to_owned()
    }

    /// The path of the list of models, after the base URL.
    fn list(&self) -> &'static str {
        "/models"
    }

    /// The headers with the API key, and those of every request.
    fn headers(&self, key: Option<&Secret>) -> Vec<(String, String)> {
        let value = |key: &Secret| format!("Bearer {}", key.expose());
        let header = key.map(|key| ("authorization".to_owned(), value(key)));
        header.into_iter().collect()
    }

    /// The request's body as JSON.
    fn body(&self, request: &Request, model: &str, shape: &Shape) -> String;

    /// The framing of its streams.
    fn framing(&self) -> Framing {
        Framing::Events
    }

    /// A decoder for one response.
    fn decoder(&self) -> Box<dyn Decode>;

    /// The name of a listed model; `None` if the model can't answer.
    fn model_name(&self, listed: &Value) -> Option<String> {
        let named = ["id", "name"].iter().find_map(|field| listed.get(field));
        named.and_then(Value::as_str).map(str::to_owned)
    }
}

/// A decoder of one response, event by event.
pub(super) trait Decode: Debug {
    /// Takes the data of an event, or a line. Returns false, and skips it, if the data is not of
    /// this dialect; an unknown event of the dialect returns true.
    ///
    /// # Errors
    /// If the event reports that the server failed.
    fn event(
        &mut self,
        data: &str,
        heard: &mut DecodedResponse,
        take: &mut Take<'_>,
    ) -> Result<bool, Fault>;

    /// Takes a body that is not a stream. Returns false if it is not an answer.
    ///
    /// # Errors
    /// If the body reports that the server failed.
    fn whole(
        &mut self,
        body: &str,
        heard: &mut DecodedResponse,
        take: &mut Take<'_>,
    ) -> Result<bool, Fault>;
}

/// The dialect of an API.
pub(super) fn of(api: Api) -> &'static dyn Dialect {
    match api {
        Api::ChatCompletions => &chat_completions::ChatCompletions,
        Api::Responses => &responses::Responses,
        Api::Messages => &messages::Messages,
        Api::Gemini => &gemini::Gemini,
        Api::Ollama => &ollama::Ollama,
    }
}
