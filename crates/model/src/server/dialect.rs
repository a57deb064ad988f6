//! The differences between the APIs: for each, a pure pair of request and response decoder.
//!
//! Driving example: `ChatCompletions.body(…)` is the JSON of a question, and the [`Decode`] of its
//! decoder takes the events of the answer one by one. Shared code (addresses, timeouts, refusals,
//! framing, the transcript's order) is in the neighbouring modules.

use super::decoded_response::Incoming;
use super::request::Shape;
use crate::sse::Framing;
use crate::{Fault, Request};
use gloss_host::Secret;
use serde_json::Value;
use std::fmt::Debug;

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
    /// The text of an event that contains nothing else of interest.
    fn only_content<'e>(&self, event: &'e Value) -> Option<&'e str>;

    /// The fields that vary from event to event without a meaning.
    fn ignored(&self) -> &'static [&'static str] {
        &[]
    }

    /// Takes an event. Returns false, and skips it, if it is not of this dialect; an unknown event
    /// of the dialect returns true.
    ///
    /// # Errors
    /// If the event reports that the server failed.
    fn event(&mut self, event: &Value, heard: &mut Incoming<'_>) -> Result<bool, Fault>;

    /// Takes a body that is not a stream. Returns false if it is not an answer.
    ///
    /// # Errors
    /// If the body reports that the server failed.
    fn whole(&mut self, body: &Value, heard: &mut Incoming<'_>) -> Result<bool, Fault> {
        self.event(body, heard)
    }
}
