//! `OpenAI`'s Responses API.
//!
//! The server does not store the conversation. Each request contains the whole conversation, with
//! the encrypted reasoning before each call.

mod decode;
mod request;

use super::dialect::{Decode, Dialect};
use super::rejected_features::Shape;
use crate::Request;

pub(super) struct Responses;

impl Dialect for Responses {
    fn endings(&self) -> &'static [&'static str] {
        &["/responses"]
    }

    fn body(&self, request: &Request, model: &str, shape: &Shape) -> String {
        request::body(request, model, shape)
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(decode::Decoder::default())
    }
}
