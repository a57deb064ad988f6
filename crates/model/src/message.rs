//! A provider-neutral message (DETAILS §7).

use super::Api;
use crate::phrase::DisplayText;
use gloss_page::{Document, Paragraph};
use gloss_text::context::Reason;
use gloss_text::tokens::{AROUND_TOKENS, estimate};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A message of a transcript.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// The author.
    pub role: Role,
    /// The content in order.
    pub parts: Vec<Part>,
}

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Gloss, with instructions.
    System,
    /// The user, with questions.
    User,
    /// The model, with text or tool calls.
    Assistant,
    /// A tool, with results. Its text is data, never an instruction.
    Tool,
}

/// A part of a message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Plain text.
    Text {
        /// The text.
        text: String,
    },
    /// Text of the page: data, never an instruction.
    Quoted {
        /// The origin of the quote.
        source: Source,
        /// The quoted text.
        text: String,
    },
    /// A tool call by the model.
    Call {
        /// The call.
        call: ToolCall,
    },
    /// An image from the user or a tool.
    Image {
        /// The image.
        image: Image,
    },
    /// Data that a provider requires back with the calls of the same message.
    Echo {
        /// The data.
        echo: Echo,
    },
    /// A tool result.
    Result {
        /// The call's id.
        call: String,
        /// The tool's name.
        tool: String,
        /// The result, or an error for the model.
        outcome: Result<Value, String>,
    },
}

/// An image with its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Image {
    /// The media type, as in `image/png`.
    pub media_type: String,
    /// The image's bytes in base64.
    pub base64: String,
}

/// Data that a provider requires back unchanged with the calls of a reply: its signed or encrypted
/// reasoning. It is useless to any other provider.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Echo {
    /// The API that defines the format.
    pub api: Api,
    /// The model that made it.
    pub model: String,
    /// The data as received.
    pub value: Value,
}

/// The origin of a quote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The page.
    Page {
        /// The page's address.
        url: String,
    },
    /// The user's selection on the page.
    Selection,
    /// A short account of earlier steps of the run.
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

/// The tokens of the `reasoning` argument, which each tool has besides its own.
const REASON_TOKENS: u32 = 40;

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// The tool's name.
    pub name: String,
    /// Instructions on when to use the tool, and when not.
    pub description: String,
    /// The JSON Schema of its arguments.
    pub parameters: Value,
    /// Examples of correct arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Value>,
}

impl ToolDefinition {
    /// The estimated tokens of this definition in a prompt, with the `reasoning` argument.
    pub fn tokens(&self) -> u32 {
        let words = [
            &self.name,
            &self.description_with_examples(),
            &self.parameters.to_string(),
        ];
        let words: u32 = words.into_iter().map(|words| estimate(words)).sum();
        words + REASON_TOKENS
    }

    /// The description with the examples.
    pub fn description_with_examples(&self) -> String {
        let examples = self.examples.iter();
        let examples = examples.map(|arguments| format!("\nExample: {arguments}"));
        std::iter::once(self.description.clone())
            .chain(examples)
            .collect()
    }
}

/// A tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// An id, unique within the step.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The tool's arguments as JSON.
    pub arguments: Value,
    /// The reason for this call with these arguments (DETAILS §2).
    #[serde(default)]
    pub reasoning: Option<DisplayText>,
    /// The id of the call in the same step whose result this call needs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// The result of a page tool: passages with ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassagesData {
    /// The passages, in the order that the tool chose.
    pub passages: Vec<PassageData>,
    /// The passages' share of the page in percent, if they represent the whole page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<u8>,
}

/// A passage of the page as a model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageData {
    /// The id, cited as `[[id]]`.
    pub id: String,
    /// The passage's text.
    pub text: String,
    /// The relation of the passage to the explained text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<PassageRelation>,
}

impl PassageData {
    /// The estimated tokens of the passage in a prompt.
    pub fn tokens(&self) -> u32 {
        estimate(&self.text) + estimate(&self.id) + AROUND_TOKENS
    }
}

/// The relation of a passage to the text that is explained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageRelation {
    /// Defines the text.
    Defines,
    /// Expands or abbreviates the text.
    SpellsOut,
    /// Contains the selection itself.
    Here,
    /// Uses the text.
    Uses,
    /// Contains the only use of the text.
    OnlyHere,
    /// Precedes or follows the selection.
    Beside,
    /// Is about the same subject.
    Alike,
}

impl From<Reason> for PassageRelation {
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
    /// The passages that explain a selection; `around` is the block with the selection, if known.
    pub fn explaining(page: &Document, selection: &str, around: Option<&str>, most: usize) -> Self {
        let found = page.find_explanations(selection, around, most).into_iter();
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
    /// A whole paragraph as a passage.
    pub fn of(paragraph: &Paragraph) -> Self {
        Self {
            id: format!("p{}", paragraph.number),
            text: paragraph.markdown.clone(),
            why: None,
        }
    }
}
