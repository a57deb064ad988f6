//! The browser's own language model (the Prompt API).
//!
//! Driving example: Chrome has Gemini Nano on the device. A prompt's messages go in, its reply is
//! streamed, and nothing leaves the machine. The types follow the API's explainer and IDL
//! (<https://github.com/webmachinelearning/prompt-api>), limited to the features that its extension
//! edition and the later edition share.

use futures::stream::LocalBoxStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The input of a new session and its one prompt.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// The conversation in order. A system message can only be the first; the last one is the
    /// message to answer.
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
    /// The message's images: media type, and bytes in base64.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<(String, String)>,
}

/// The author of a message, with the API's names.
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

/// The API's `samplingMode`; browsers that don't know this option have a single mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// The browser's default.
    #[default]
    Usual,
    /// The most likely token each time.
    MostPredictable,
}

/// An item of a streamed answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptEvent {
    /// The next piece of the answer's text.
    Words(String),
    /// The answer is complete; no item follows.
    Whole {
        /// The number of input tokens, if the browser counts them.
        input_tokens: Option<u32>,
        /// The number of output tokens, if the browser counts them.
        output_tokens: Option<u32>,
    },
}

/// The reason for which there is no answer, or no more of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuiltInError {
    /// The browser has no model, or none that runs on this device.
    Unavailable,
    /// The browser must download the model first, and starts that only at a user's click.
    Downloadable,
    /// The browser is downloading the model.
    Downloading,
    /// The prompt exceeds the context window.
    TooLong {
        /// The browser's message.
        message: String,
    },
    /// The model doesn't accept this kind of prompt: its language, an image, or a schema.
    Refused {
        /// The browser's message.
        message: String,
    },
    /// The request failed.
    Failed {
        /// The browser's message.
        message: String,
    },
    /// The page that ran the model is gone.
    Cut,
}

/// The browser's own language model.
pub trait PromptApi {
    /// Prompts a new session, which is destroyed when the stream is dropped or ends. An error is
    /// the last item; a stream that ends without [`PromptEvent::Whole`] was cut off.
    fn prompt(&self, prompt: Prompt) -> LocalBoxStream<'static, Result<PromptEvent, BuiltInError>>;
}
