//! One provider-neutral message (DETAILS §7).

use super::Api;
use crate::phrase::Said;
use gloss_page::{Document, Paragraph};
use gloss_text::context::Reason;
use gloss_text::tokens::{AROUND_TOKENS, estimate};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Something said in a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// What.
    pub parts: Vec<Part>,
}

/// Who speaks in a transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Gloss instructs.
    System,
    /// The person asks.
    User,
    /// The model speaks or calls.
    Assistant,
    /// A tool reports. Its text is data, never instruction.
    Tool,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Words.
    Text {
        /// Them.
        text: String,
    },
    /// Words of the page: data, never an instruction.
    Quoted {
        /// What of it.
        source: Source,
        /// Its words.
        text: String,
    },
    /// A call the model asks for.
    Call {
        /// It.
        call: ToolCall,
    },
    /// What the person, or a tool, shows.
    Image {
        /// It.
        image: Image,
    },
    /// What a provider wants back with the calls of the same message.
    Echo {
        /// It.
        echo: Echo,
    },
    /// What a call gave.
    Result {
        /// The call's id.
        call: String,
        /// The tool's name.
        tool: String,
        /// What it gave, or an error the model reads.
        outcome: Result<Value, String>,
    },
}

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// As in `image/png`.
    pub media_type: String,
    /// Its bytes in base64.
    pub base64: String,
}

/// What a provider wants to be given back, word for word, with the calls it made: its
/// reasoning, signed or encrypted. It means nothing to any other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Echo {
    /// Whose form it has.
    pub api: Api,
    /// The model that made it.
    pub model: String,
    /// It.
    pub value: Value,
}

/// What is quoted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The page.
    Page {
        /// Its address.
        url: String,
    },
    /// What the person selected on it.
    Selection,
    /// What was done earlier in the run, in short.
    Earlier,
}

impl Message {
    /// A message of one text.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            parts: vec![Part::Text { text: text.into() }],
        }
    }
}

/// What a provider's own form adds to each tool: the argument that says why it is called.
const REASON_TOKENS: u32 = 40;

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// Its name.
    pub name: String,
    /// When to use it, and when not.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
    /// The arguments of calls as they should be.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Value>,
}

impl ToolDefinition {
    /// What it costs to be told of, estimated in tokens, with the reason that a call gives.
    pub fn tokens(&self) -> u32 {
        let words = [&self.name, &self.told(), &self.parameters.to_string()];
        let words: u32 = words.into_iter().map(|words| estimate(words)).sum();
        words + REASON_TOKENS
    }

    /// The description, with the examples.
    pub fn told(&self) -> String {
        let examples = self.examples.iter();
        let examples = examples.map(|arguments| format!("\nExample: {arguments}"));
        std::iter::once(self.description.clone())
            .chain(examples)
            .collect()
    }
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Unique within its step.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Its arguments.
    pub arguments: Value,
    /// Why this tool with these arguments (DETAILS §2).
    #[serde(default)]
    pub reasoning: Option<Said>,
    /// The call of the same step whose result it waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// What a page tool gives: passages with ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassagesData {
    /// The passages, in the order that the tool chose.
    pub passages: Vec<PassageData>,
    /// The share of the page that they are, in percent, if they stand for all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<u8>,
}

/// A passage of the page as a model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageData {
    /// Cited as `[[id]]`.
    pub id: String,
    /// Its words.
    pub text: String,
    /// What it does for the text that is to be explained.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
}

impl PassageData {
    /// What reading it costs a model, estimated.
    pub fn tokens(&self) -> u32 {
        estimate(&self.text) + estimate(&self.id) + AROUND_TOKENS
    }
}

/// What a passage does for a text that is to be explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It says what that is.
    Defines,
    /// It spells it out, or abbreviates it.
    SpellsOut,
    /// It is where it was selected.
    Here,
    /// It uses it.
    Uses,
    /// It is the only one that has it.
    OnlyHere,
    /// It stands before or after it.
    Beside,
    /// It is about the same.
    Alike,
}

impl From<Reason> for Why {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Definition => Self::Defines,
            Reason::Expansion => Self::SpellsOut,
            Reason::Here => Self::Here,
            Reason::Use => Self::Uses,
            Reason::OnlyHere => Self::OnlyHere,
            Reason::Beside => Self::Beside,
            Reason::Related => Self::Alike,
        }
    }
}

impl PassagesData {
    /// What explains a selection; `around` is the block it was selected in, if known.
    pub fn explaining(page: &Document, selection: &str, around: Option<&str>, most: usize) -> Self {
        let found = page.explaining(selection, around, most).into_iter();
        let passages = found.map(|(sentence, reason)| PassageData {
            id: sentence.id(),
            text: sentence.text.to_owned(),
            why: Some(reason.into()),
        });
        Self {
            passages: passages.collect(),
            share_percent: None,
        }
    }
}

impl PassageData {
    /// A whole paragraph.
    pub fn of(paragraph: &Paragraph) -> Self {
        Self {
            id: format!("p{}", paragraph.number),
            text: paragraph.markdown.clone(),
            why: None,
        }
    }
}
