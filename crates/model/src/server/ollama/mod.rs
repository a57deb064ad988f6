//! Ollama's own API, `/api/chat`.
//!
//! Gloss neither requests nor turns off reasoning. A model that reasons writes its reasoning in a
//! separate field. The reasoning is sent back together with the calls that followed it.

mod decode;
mod request;

use super::dialect::{Decode, Dialect};
use super::rejected_features::Shape;
use crate::Request;
use crate::sse::Framing;

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
