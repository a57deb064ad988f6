#![doc = include_str!("../README.md")]

pub mod aid;
mod aides;
mod ask;
mod available;
mod built_in;
mod complexity;
mod embedded;
pub mod facts;
mod fault;
mod message;
mod painter;
pub mod phrase;
mod profile;
pub mod prompts;
pub mod protocol;
mod purse;
mod reply;
mod room;
mod server;
pub mod sse;
mod tools;
mod transcript;

pub use aides::Aides;
use ask::prompt;
pub use ask::used;
pub use ask::{Ask, AskLabel};
pub use available::Available;
pub use built_in::BuiltInModel;
pub use built_in::{BROWSER, PROMPT_API};
pub use complexity::Complexity;
pub use embedded::Embedded;
pub use embedded::TOOLS as EMBEDDED_TOOLS;
pub use facts::{Facts, Micros, Price};
pub use fault::{Awaited, Fault, Server, ServerKind};
pub use gloss_text::Language;
pub use message::{
    Echo, Image, Message, Part, PassageData, PassagesData, Role, Source, ToolCall, ToolDefinition,
    Why,
};
pub use painter::{A_PICTURE, Painted, Painter};
pub use profile::{Api, BUILT_IN, Calling, Choice, Profile};
pub use purse::{MonthSpent, Purse, Sum};
pub use reply::{Control, Finish, Lead, Lesson, ModelError, Reply, Usage, Voice};
pub use room::{Budget, Room};
pub use server::MOST_PAINTING_MS;
pub use server::testing;
pub use server::{Delta, Hosted, StreamDecoder};
pub use tools::Tools;
pub use transcript::{Asked, Transcript};

use gloss_durable::{Fut, Sink};
use gloss_page::Document;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::rc::Rc;

/// A language model.
pub trait Model {
    /// Answers one request. Visible answer text also goes to `sink` as it is
    /// written. Dropping the future aborts the request.
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>>;

    /// Whose words its answers are.
    fn voice(&self) -> Voice;
}

/// Every model there is.
pub trait Models {
    /// The one that a run's configuration names.
    fn of(&self, choice: &Choice) -> Rc<dyn Model>;

    /// The same as a maker of images; `None` if its kind makes none.
    fn painter(&self, _: &Choice) -> Option<Rc<dyn Painter>> {
        None
    }
}

/// What a model is asked.
#[derive(Clone, Serialize, Deserialize)]
pub struct Request {
    /// Which part of the cycle asks.
    pub purpose: Purpose,
    /// All that was said so far.
    pub transcript: Transcript,
    /// The tools, and whether it may call them.
    pub tools: Tools,
    /// 0 to 1.
    pub temperature: f32,
    /// The page, for a model that reads it on the device itself. Adapters of
    /// providers leave it alone: what leaves the device stands in the transcript.
    #[serde(skip)]
    pub page: Option<Rc<Document>>,
    /// What the answer is to be, where it is for a program. The on-device model has none.
    #[serde(skip)]
    pub schema: Option<Rc<Schema>>,
    /// What this call is to do, in the words of the prompt in force; empty where the
    /// purpose says all.
    pub task: String,
    /// In which the model is spoken to.
    pub language: Language,
}

impl Request {
    /// What it is expected to use (DETAILS §9), where so much is said `around` its
    /// transcript: how to reply, the task, the tools.
    pub fn expected(&self, around: u32) -> Usage {
        Usage {
            input_tokens: self.transcript.tokens().saturating_add(around),
            output_tokens: match self.purpose {
                Purpose::Reason | Purpose::Act => 200,
                // In the fused cycle mostly the answer.
                Purpose::Observe | Purpose::Synthesise => 400,
                Purpose::Compact => 800,
                Purpose::Grade => 300,
                Purpose::Rewrite => 40,
            },
            ..Usage::default()
        }
    }
}

/// A form that an answer is to have.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// Letters, digits, `_` and `-`.
    pub name: String,
    /// A JSON Schema.
    pub schema: Value,
}

/// Which part of the cycle a call serves (DETAILS §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Purpose {
    /// Why, and which calls.
    Reason,
    /// Only in the strict cycle: the calls.
    Act,
    /// What the results mean; in the fused cycle also the next thought.
    Observe,
    /// The answer from what was gathered.
    Synthesise,
    /// What is old, shorter.
    Compact,
    /// Which results of a search bear on a question.
    Grade,
    /// A better query.
    Rewrite,
}
