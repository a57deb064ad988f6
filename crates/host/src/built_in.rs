//! The browser's own language model (the Prompt API), for those who choose it.
//!
//! Driving example: Chrome has Gemini Nano on the device; a prompt's messages go in, its
//! words come out as they are written, and nothing leaves the machine. The form follows
//! the API's explainer and IDL (<https://github.com/webmachinelearning/prompt-api>), in
//! what its extensions' edition and the later one have in common.

use futures::stream::LocalBoxStream;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// All that a session is made from, and what it is asked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Prompt {
    /// In the order of the conversation: a system's at most at the first place, the one
    /// that is to be answered at the last.
    pub messages: Vec<PromptMessage>,
    /// The JSON Schema that the answer is held to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// How freely it chooses its words.
    #[serde(default)]
    pub sampling: Sampling,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PromptMessage {
    /// Whose.
    pub role: PromptRole,
    /// Its words.
    pub text: String,
    /// What it shows: media type, and bytes in base64.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub images: Vec<(String, String)>,
}

/// Who speaks, by the API's names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptRole {
    /// Who instructs.
    System,
    /// Who asks.
    User,
    /// The model.
    Assistant,
}

/// The API's `samplingMode`; a browser that does not know it has one mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// The browser's own.
    #[default]
    Usual,
    /// The likeliest word each time.
    MostPredictable,
}

/// What comes back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// The answer goes on.
    Words(String),
    /// It is whole. Nothing follows.
    Whole {
        /// Tokens that were read, where the browser counts them.
        input_tokens: Option<u32>,
        /// Tokens that were written.
        output_tokens: Option<u32>,
    },
}

/// Why there is no answer, or no more of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BuiltInError {
    /// This browser has none, or none that runs on this device.
    Unavailable,
    /// The browser has to download it first; it starts that at a person's click only.
    Downloadable,
    /// The browser is downloading it.
    Downloading,
    /// More than its context window takes.
    TooLong {
        /// The browser's words.
        message: String,
    },
    /// It takes no prompt like this: a language, a picture, a schema.
    Refused {
        /// The browser's words.
        message: String,
    },
    /// It failed.
    Failed {
        /// The browser's words.
        message: String,
    },
    /// The page that it was asked from is gone.
    Cut,
}

/// The browser's own model.
pub trait BuiltIn {
    /// Asks a new session, which is destroyed when the stream is dropped or over. An
    /// error is the last item; a stream that ends without [`Said::Whole`] was cut.
    fn prompt(&self, prompt: Prompt) -> LocalBoxStream<'static, Result<Said, BuiltInError>>;
}
