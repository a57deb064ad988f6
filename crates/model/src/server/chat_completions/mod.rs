//! `OpenAI`'s Chat Completions, as Ollama, LM Studio, llama.cpp, vLLM, `OpenRouter`,
//! Groq, `DeepSeek` and Mistral speak it too.

mod decode;
mod request;

use super::dialect::{Decode, Dialect, Framing};
use super::request::Shape;
use crate::Request;
use gloss_host::Secret;
use serde_json::Value;

/// The dialect.
pub(super) struct ChatCompletions;

impl Dialect for ChatCompletions {
    fn endings(&self) -> &'static [&'static str] {
        &["/chat/completions"]
    }

    fn endpoint(&self, _model: &str, _shape: &Shape) -> String {
        "/chat/completions".to_owned()
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
        let named = ["id", "name"].iter().find_map(|field| listed.get(field));
        named.and_then(Value::as_str).map(str::to_owned)
    }
}
