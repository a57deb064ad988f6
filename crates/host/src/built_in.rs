//! The browser's own language model (the Prompt API).
//!
//! Example: Chrome has Gemini Nano on the device. Gloss passes a prompt's messages to
//! Gemini Nano, its reply is streamed, and no data leaves the device. The types follow the API's
//! explainer and IDL (<https://github.com/webmachinelearning/prompt-api>). They cover only what
//! both the API for extensions and the newer API for web pages support.

use futures::stream::LocalBoxStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The messages and options of one prompt. Each prompt has a session of its own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// The conversation in order. Only the first message may be a system message. The model answers
    /// the last message.
    pub messages: Vec<PromptMessage>,
    /// The JSON Schema that the answer must match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// The sampling mode.
    #[serde(default)]
    pub sampling: Sampling,
}

/// One message of a prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptMessage {
    /// The author of the message.
    pub role: PromptRole,
    /// The message's text.
    pub text: String,
    /// The message's images: the media type and the bytes in base64 of each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<(String, String)>,
}

/// The author of a message. In JSON it has the API's names: `system`, `user`, `assistant`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptRole {
    /// The instructions to the model.
    System,
    /// The user's message.
    User,
    /// The model's answer.
    Assistant,
}

/// The API's option `samplingMode`. Browsers that don't know the option always use their default.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// The browser's default.
    #[default]
    Usual,
    /// The model always chooses the most likely token.
    MostPredictable,
}

/// An item of a streamed answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptEvent {
    /// More text of the answer.
    Words(String),
    /// The answer is complete. This is the last item.
    Whole {
        /// The number of input tokens, if the browser counts them.
        input_tokens: Option<u32>,
        /// The number of output tokens, if the browser counts them.
        output_tokens: Option<u32>,
    },
}

/// The reason that a prompt got no answer, or that its answer stopped early.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuiltInError {
    /// The browser has no model, or its model doesn't run on this device.
    Unavailable,
    /// The browser must download the model first. A download starts only when the user clicks.
    Downloadable,
    /// The browser is downloading the model.
    Downloading,
    /// The prompt exceeds the context window.
    TooLong {
        /// The browser's message.
        message: String,
    },
    /// The model doesn't support the prompt's language, its images or its schema.
    Refused {
        /// The browser's message.
        message: String,
    },
    /// The request failed for another reason.
    Failed {
        /// The browser's message.
        message: String,
    },
    /// The page that ran the model was closed.
    Cut,
}

/// The browser's own language model.
pub trait PromptApi {
    /// Prompts a new session, which is destroyed when the stream ends or is dropped. The last item
    /// is [`PromptEvent::Whole`] or an error. If the stream ends with neither, the answer was cut
    /// off.
    fn prompt(&self, prompt: Prompt) -> LocalBoxStream<'static, Result<PromptEvent, BuiltInError>>;
}
