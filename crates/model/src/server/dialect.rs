//! The differences between the APIs. Each API has a dialect, which builds requests and decodes
//! responses without I/O.
//!
//! Example: `ChatCompletions.body(…)` returns the JSON of a request. The dialect's
//! [`Decode`] reads the events of the response one by one. The code that all dialects share is in
//! the neighbouring modules: addresses, timeouts, refusals, framing and the order of turns.

use super::decoded_response::DecodedResponse;
use super::rejected_features::Shape;
use crate::sse::Framing;
use crate::{Fault, Request};
use gloss_host::Secret;
use serde_json::Value;
use std::fmt::Debug;

pub(super) trait Dialect {
    /// Returns the paths of endpoints, such as `/chat/completions`. Users often copy a path
    /// together with the base URL. The first path is the one to which requests are sent.
    fn endings(&self) -> &'static [&'static str];

    /// Returns the path of the endpoint for `model`, relative to the base URL.
    fn endpoint(&self, _model: &str, _shape: &Shape) -> String {
        self.endings()
            .first()
            .copied()
            .unwrap_or_default()
            .to_owned()
    }

    /// Returns the path of the list of models, relative to the base URL.
    fn list(&self) -> &'static str {
        "/models"
    }

    /// Returns the headers of every request. They contain the API key, if there is one.
    fn headers(&self, key: Option<&Secret>) -> Vec<(String, String)> {
        let value = |key: &Secret| format!("Bearer {}", key.expose());
        let header = key.map(|key| ("authorization".to_owned(), value(key)));
        header.into_iter().collect()
    }

    fn body(&self, request: &Request, model: &str, shape: &Shape) -> String;

    /// Returns the way in which this API separates the events of a stream.
    fn framing(&self) -> Framing {
        Framing::Events
    }

    fn decoder(&self) -> Box<dyn Decode>;

    /// Returns the name of a model in the server's list. `None` if this model can't answer
    /// questions.
    fn model_name(&self, listed: &Value) -> Option<String> {
        let named = ["id", "name"].iter().find_map(|field| listed.get(field));
        named.and_then(Value::as_str).map(str::to_owned)
    }
}

/// A decoder of one response, which reads one event at a time.
pub(super) trait Decode: Debug {
    /// Decodes an event. Returns false if the event is not of this dialect; the event is then
    /// skipped. An unknown event of this dialect returns true.
    ///
    /// # Errors
    /// If the event reports that the server failed.
    fn event(&mut self, event: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault>;

    /// Reads a body that is not a stream. Returns false if the body is not an answer.
    ///
    /// # Errors
    /// If the body reports that the server failed.
    fn whole(&mut self, body: &Value, heard: &mut DecodedResponse) -> Result<bool, Fault> {
        self.event(body, heard)
    }
}
