//! `OpenAI`'s Chat Completions. Ollama, LM Studio, llama.cpp, vLLM, `OpenRouter`, Groq, `DeepSeek`
//! and Mistral offer the same API.

mod decode;
mod request;

use super::dialect::{Decode, Dialect};
use super::rejected_features::Shape;
use crate::Request;

pub(super) struct ChatCompletions;

impl Dialect for ChatCompletions {
    fn endings(&self) -> &'static [&'static str] {
        &["/chat/completions"]
    }

    fn body(&self, request: &Request, model: &str, shape: &Shape) -> String {
        request::body(request, model, shape)
    }

    fn decoder(&self) -> Box<dyn Decode> {
        Box::new(decode::Decoder)
    }
}
