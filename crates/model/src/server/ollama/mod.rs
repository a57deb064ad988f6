//! Ollama's own interface, `/api/chat`.
//!
//! Reasoning is neither asked for nor forbidden: a model that thinks does so, apart from
//! its answer, and its thoughts are given back with the calls that followed them.

mod decode;
mod request;

use super::dialect::{Decode, Dialect, Framing};
use super::request::Shape;
use crate::Request;

/// The dialect.
pub(super) struct Ollama;

impl Dialect for Ollama {
    fn endings(&self) -> &'static [&'static str] {
        &["/api/chat", "/api"]
    }

    fn list(&self) -> &'static str {
        "/api/tags"
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
}
