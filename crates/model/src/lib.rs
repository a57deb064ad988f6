#![doc = include_str!("../README.md")]

mod ask;
mod built_in;
mod complexity;
mod context_window;
mod embedded;
pub mod facts;
mod fault;
mod image_model;
mod message;
mod model_roles;
pub mod phrase;
mod profile;
pub mod prompts;
pub mod protocol;
pub mod provenance;
mod registry;
mod reply;
pub mod role_models;
mod server;
mod sse;
mod tools;
mod transcript;
mod usage_ledger;

use ask::prompt;
pub use ask::usage_of;
pub use ask::{Ask, AskLabel};
pub use built_in::BuiltInModel;
pub use built_in::{BROWSER, PROMPT_API};
pub use complexity::Complexity;
pub use context_window::{Budget, ContextWindow};
pub use embedded::Embedded;
pub use embedded::TOOLS as EMBEDDED_TOOLS;
pub use facts::{Facts, Micros, Price};
pub use fault::{Awaited, Fault, Server, ServerKind};
pub use gloss_text::Language;
pub use image_model::{A_PICTURE, GeneratedImage, ImageModel};
pub use message::{
    Echo, Image, Message, Part, PassageData, PassageRelation, PassagesData, Role, Source, ToolCall,
    ToolDefinition,
};
pub use model_roles::ModelRoles;
pub use profile::{Api, BUILT_IN, Calling, ModelChoice, Profile};
pub use registry::ModelRegistry;
pub use reply::{AnswerOrigin, Control, Finish, ModelError, QuoteLabel, Reflection, Reply, Usage};
pub use server::MOST_PAINTING_MS;
pub use server::testing;
pub use server::{ServerModel, StreamDecoder};
pub use tools::Tools;
pub use transcript::{Question, Transcript};
pub use usage_ledger::{MonthSpent, UsageLedger, UsageTotal};

use gloss_durable::{Fut, Sink};
use gloss_page::Document;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// A language model, on a server, in the browser, or on the device.
pub trait Model {
    /// Answers one request. Text for the user is also sent to `sink` as it arrives. Dropping the
    /// future aborts the request.
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>>;

    /// Returns the author of this model's answers: the model itself, or the page that the model
    /// quotes.
    fn voice(&self) -> AnswerOrigin;
}

/// All models that a run can use.
pub trait Models {
    /// Returns the model for a user's choice.
    fn of(&self, choice: &ModelChoice) -> Rc<dyn Model>;

    /// Returns the chosen model as an image model. `None` if models of this kind can't make images.
    fn image_model(&self, _: &ModelChoice) -> Option<Rc<dyn ImageModel>> {
        None
    }
}

/// The content of one model call.
#[derive(Clone, Serialize, Deserialize)]
pub struct Request {
    /// The part of the loop that makes the call.
    pub purpose: Purpose,
    /// The messages that the model is sent.
    pub transcript: Transcript,
    /// The run's tools, and the permission to call them.
    pub tools: Tools,
    /// The sampling temperature, from 0 to 1.
    pub temperature: f32,
    /// The page, for the on-device model only. Adapters for providers ignore this field, because
    /// only the transcript may leave the device.
    #[serde(skip)]
    pub page: Option<Rc<Document>>,
    /// The JSON Schema of the answer, if a program reads the answer. `None` if the answer is text.
    /// The on-device model ignores this field.
    #[serde(skip)]
    pub schema: Option<Rc<Schema>>,
    /// The instruction for this call, from the user's prompt settings. Empty if this kind of call
    /// needs no instruction.
    pub task: String,
    /// The data to which the instruction refers, as JSON. It may contain text of others, so it is
    /// sent as quoted data. Empty if there is none.
    pub state: String,
    /// The language in which Gloss writes its instructions in the prompt.
    pub language: Language,
}

impl Request {
    /// Makes a request for a text. The model has no tools, and reads only the transcript.
    pub fn of_text(
        purpose: Purpose,
        transcript: Transcript,
        temperature: f32,
        language: Language,
    ) -> Self {
        Self {
            purpose,
            transcript,
            tools: Tools::None,
            temperature,
            page: None,
            schema: None,
            task: String::new(),
            state: String::new(),
            language,
        }
    }

    /// Returns the expected usage of this call (DETAILS §9). `around` is the number of prompt
    /// tokens outside of the transcript: reply format, task and tool definitions.
    pub fn expected(&self, around: u32) -> Usage {
        Usage {
            input_tokens: self.transcript.tokens().saturating_add(around),
            output_tokens: match self.purpose {
                Purpose::Reason | Purpose::Act => 200,
                // A call that observes may also write the next thought, and often writes the
                // answer.
                Purpose::Observe | Purpose::Synthesise => 400,
                Purpose::Compact => 800,
                Purpose::Grade => 300,
                Purpose::Rewrite => 40,
            },
            ..Usage::default()
        }
    }
}

/// The structure that a JSON answer must have.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// The schema's name: letters, digits, `_` and `-`.
    pub name: String,
    /// The JSON Schema.
    pub schema: Value,
}

/// The part of the loop for which a model is called (DETAILS §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// The model thinks and chooses tool calls.
    Reason,
    /// The model chooses tool calls. This call is made only in the strict cycle, in which thinking
    /// and acting are separate calls.
    Act,
    /// The model interprets the tool results. In the fused cycle, the model also writes the next
    /// thought in this call.
    Observe,
    /// The model writes the answer from the results.
    Synthesise,
    /// The model shortens old messages.
    Compact,
    /// The model grades search results by their relevance to a question.
    Grade,
    /// The model writes a better search query.
    Rewrite,
}
