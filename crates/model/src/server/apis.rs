//! The dialect of each API.

use super::dialect::Dialect;
use super::{chat_completions, gemini, messages, ollama, responses};
use crate::Api;

pub(super) fn dialect_of(api: Api) -> &'static dyn Dialect {
    match api {
        Api::ChatCompletions => &chat_completions::ChatCompletions,
        Api::Responses => &responses::Responses,
        Api::Messages => &messages::Messages,
        Api::Gemini => &gemini::Gemini,
        Api::Ollama => &ollama::Ollama,
    }
}
