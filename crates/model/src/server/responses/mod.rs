//! `OpenAI`'s Responses.
//!
//! Nothing is kept there: the conversation is sent each time, and with it the encrypted
//! reasoning before each call.

mod decode;
mod request;

use super::dialect::{Decode, Dialect, Framing};
use super::request::Shape;
use crate::Request;
use gloss_host::Secret;
use serde_json::Value;

/// The dialect.
pub(super) struct Responses;

impl Dialect for Responses {
    fn endings(&self) -> &'static [&'static str] {
        &["/responses"]
    }

    fn endpoint(&self, _model: &str, _shape: &Shape) -> String {
        "/responses".to_owned()
    }

    fn list(&self) -> &'static str {
        "/models"
    }

    fn headers(&self, key: Option<&Secret>) -> Vec<(String, String)> {
        super::bearer(key)
    }

    fn body(&self, request: &Request, model: &str, shape: &Shape) -> String {
        request::body(request, model, shape)
    }

    fn framing(&self) -> Framing {
        Framing::Events
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(decode::Decoder::default())
    }

    fn model_name(&self, listed: &Value) -> Option<String> {
        listed.get("id")?.as_str().map(str::to_owned)
    }
}
