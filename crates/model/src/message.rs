//! A message to a model, in a form that is independent of providers (DETAILS §7).

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
    /// The author of the message.
    pub role: Role,
    /// The content of the message, in order.
    pub parts: Vec<Part>,
}

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Gloss, which writes instructions.
    System,
    /// The user, who writes questions.
    User,
    /// The model, which writes text or tool calls.
    Assistant,
    /// A tool, which returns results. Text in a result is data, never an instruction.
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
    /// Text of a page. A model must treat this text as data, never as an instruction.
    Quoted {
        /// The place from which the text was quoted.
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
    /// Data that must be sent back to the provider, unchanged, with the tool calls of this message.
    Echo {
        /// The data, with the API and the model to which it belongs.
        echo: Echo,
    },
    /// A tool result.
    Result {
        /// The id of the tool call.
        call: String,
        /// The tool's name.
        tool: String,
        /// The value that the tool returned, or the error message that the model reads.
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

/// Data in a reply that must be sent back to the provider, unchanged, with the calls of that reply.
/// An example is signed or encrypted reasoning. Other providers can't use this data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Echo {
    /// The API whose format the data has.
    pub api: Api,
    /// The model whose reply contained the data.
    pub model: String,
    /// The data as received.
    pub value: Value,
}

/// The origin of quoted text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    /// The text is from the page.
    Page {
        /// The page's address.
        url: String,
    },
    /// The text is the user's selection on the page.
    Selection,
    /// The text is a short summary of earlier steps of the run.
    Earlier,
    /// The text was saved by an earlier run: facts about the user, or lessons from failed calls.
    Memory,
}

impl Message {
    /// Makes a message that contains one text.
    pub fn text(role: Role, text: impl Into<String>) -> Self {
        Self {
            role,
            parts: vec![Part::Text { text: text.into() }],
        }
    }
}

/// The estimated tokens of the argument `reasoning`, which Gloss adds to the definition of each
/// tool.
const REASON_TOKENS: u32 = 40;

/// A tool that a model may call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolDefinition {
    /// The tool's name.
    pub name: String,
    /// The instructions for the model: when to use the tool, and when not.
    pub description: String,
    /// The JSON Schema of the tool's arguments.
    pub parameters: Value,
    /// Examples of correct arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Value>,
}

impl ToolDefinition {
    /// Returns the estimated tokens of this definition in a prompt, including the argument
    /// `reasoning`.
    pub fn tokens(&self) -> u32 {
        let words = [
            &self.name,
            &self.description_with_examples(),
            &self.parameters.to_string(),
        ];
        let words: u32 = words.into_iter().map(|words| estimate(words)).sum();
        words + REASON_TOKENS
    }

    /// Returns the description, followed by the examples.
    pub fn description_with_examples(&self) -> String {
        let examples = self.examples.iter();
        let examples = examples.map(|arguments| format!("\nExample: {arguments}"));
        std::iter::once(self.description.clone())
            .chain(examples)
            .collect()
    }
}

/// A call of a tool by a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The call's id, unique within the step.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The tool's arguments as JSON.
    pub arguments: Value,
    /// The model's reason for this call with these arguments (DETAILS §2).
    pub reasoning: Option<DisplayText>,
    /// The id of another call in this step. This call is made after the other call, because it
    /// needs the other call's result.
    pub after: Option<String>,
}

/// The result of a page tool: passages with their ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassagesData {
    /// The passages, in the order that the tool chose.
    pub passages: Vec<PassageData>,
    /// The percentage of the page's text that the passages contain. `None` if the tool did not
    /// select from the whole page.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share_percent: Option<u8>,
}

/// A passage of the page, in the form that a model reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PassageData {
    /// The passage's id, which an answer cites as `[[id]]`.
    pub id: String,
    /// The passage's text.
    pub text: String,
    /// The relation of the passage to the explained text. `None` if the tool does not explain a
    /// text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<PassageRelation>,
}

impl PassageData {
    /// Returns the estimated tokens of the passage in a prompt.
    pub fn tokens(&self) -> u32 {
        estimate(&self.text) + estimate(&self.id) + AROUND_TOKENS
    }
}

/// The relation of a passage to the text that the tool explains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassageRelation {
    /// The passage defines the explained text.
    Defines,
    /// The passage spells out the explained abbreviation, or gives the abbreviation of the
    /// explained term.
    SpellsOut,
    /// The passage contains the selection itself.
    Here,
    /// The passage uses the explained text.
    Uses,
    /// The passage comes directly before or after the selection.
    Beside,
    /// The passage is about a related subject.
    Alike,
}

impl From<Reason> for PassageRelation {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Definition => Self::Defines,
            Reason::Expansion => Self::SpellsOut,
            Reason::Here => Self::Here,
            Reason::Use => Self::Uses,
            Reason::Beside => Self::Beside,
            Reason::Related => Self::Alike,
        }
    }
}

impl PassagesData {
    /// Finds at most `most` passages that explain a selection. `around` is the paragraph or other
    /// block of text that contains the selection, if known.
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
    /// Makes a passage of a whole paragraph.
    pub fn of(paragraph: &Paragraph) -> Self {
        Self {
            id: format!("p{}", paragraph.number),
            text: paragraph.markdown.clone(),
            why: None,
        }
    }
}
