//! Google's Gemini, through its own API.

mod decode;
mod request;
mod schema;

use super::dialect::{Decode, Dialect};
use super::rejected_features::{Feature, Shape};
use crate::Request;
use gloss_host::Secret;
use serde_json::Value;
use std::fmt::Write;

/// The prefix of the names in the list of models.
const MODELS: &str = "models/";

pub(super) struct Gemini;

impl Dialect for Gemini {
    fn endings(&self) -> &'static [&'static str] {
        &["/models"]
    }

    fn endpoint(&self, model: &str, shape: &Shape) -> String {
        let model = encoded(model.strip_prefix(MODELS).unwrap_or(model));
        if shape.has(Feature::Stream) {
            format!("/models/{model}:streamGenerateContent?alt=sse")
        } else {
            format!("/models/{model}:generateContent")
        }
    }

    fn list(&self) -> &'static str {
        "/models?pageSize=1000"
    }

    fn headers(&self, key: Option<&Secret>) -> Vec<(String, String)> {
        let header = |key: &Secret| ("x-goog-api-key".to_owned(), key.expose().to_owned());
        key.map(header).into_iter().collect()
    }

    fn body(&self, request: &Request, model: &str, shape: &Shape) -> String {
        request::body(request, model, shape)
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(decode::Decoder::default())
    }

    fn model_name(&self, listed: &Value) -> Option<String> {
        let name = listed.get("name")?.as_str()?;
        // Servers that imitate Gemini don't list the methods of a model.
        if let Some(methods) = listed.get("supportedGenerationMethods") {
            let answers = methods.as_array()?.iter().any(|it| it == "generateContent");
            answers.then_some(())?;
        }
        Some(name.strip_prefix(MODELS).unwrap_or(name).to_owned())
    }
}

/// Returns a model's name, percent-encoded for a path.
fn encoded(name: &str) -> String {
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string can't fail.
            let _written = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
