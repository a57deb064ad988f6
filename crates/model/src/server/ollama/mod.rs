//! Ollama's own interface, `/api/chat`.
//!
//! Reasoning is neither asked for nor forbidden: a model that thinks does so, apart from
//! its answer, and its thoughts are given back with the calls that followed them.

mod decode;
mod request;

use super::dialect::{Decode, Dialect, Framing};
use super::request::Shape;
use crate::Request;
use gloss_host::Secret;
use serde_json::Value;

/// The dialect.
pub(super) struct Ollama;

impl Dialect for Ollama {
    fn endings(&self) -> &'static [&'static str] {
        &["/api/chat", "/api"]
    }

    fn endpoint(&self, _model: &str, _shape: &Shape) -> String {
        "/api/chat".to_owned()
    }

    fn list(&self) -> &'static str {
        "/api/tags"
    }

    /// It has no keys, but what stands before it may.
    fn headers(&self, key: Option<&Secret>) -> Vec<(String, String)> {
        super::bearer(key)
    }

    fn body(&self, request: &Request, model: &str, shape: &Shape) -> String {
        request::body(request, model, shape)
    }

    fn framing(&self) -> Framing {
        Framing::Lines
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(decode::Decoder::default())
    }

    fn model_name(&self, listed: &Value) -> Option<String> {
        listed.get("name")?.as_str().map(str::to_owned)
    }
}
