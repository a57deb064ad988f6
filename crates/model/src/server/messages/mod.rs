//! Anthropic's Messages API.
//!
//! Gloss does not request reasoning. If a model reasons anyway, the signed blocks of its reasoning
//! are sent back, together with the calls that followed them.

mod decode;
mod ids;
mod request;

use super::dialect::{Decode, Dialect};
use super::rejected_features::Shape;
use crate::Request;
use gloss_host::Secret;

pub(super) struct Messages;

impl Dialect for Messages {
    fn endings(&self) -> &'static [&'static str] {
        &["/messages"]
    }

    fn list(&self) -> &'static str {
        "/models?limit=1000"
    }

    fn headers(&self, key: Option<&Secret>) -> Vec<(String, String)> {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        let key = key.map(|key| header("x-api-key", key.expose()));
        let own = [
            header("anthropic-version", "2023-06-01"),
            // Anthropic rejects requests from browsers without this header.
            header("anthropic-dangerous-direct-browser-access", "true"),
        ];
        key.into_iter().chain(own).collect()
    }

    fn body(&self, request: &Request, model: &str, shape: &Shape) -> String {
        request::body(request, model, shape)
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(decode::Decoder::default())
    }
}
