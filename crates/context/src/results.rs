//! The results and texts that the transcript no longer contains in full. The model can recall them
//! by their ids.

use super::recall_ids::head;
use gloss_durable::sorted::sort_by_key;
use gloss_durable::{RunId, json};
use gloss_model::PassageData;
use gloss_text::tokens::estimate;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::rc::Rc;

/// The maximum number of tokens of a page's title.
const CALLED_TOKENS: u32 = 24;

/// A result of this run that the model can recall.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredResult {
    /// The result's id, such as `r3`.
    pub id: String,
    /// The name of the tool that returned the result.
    pub tool: String,
    /// The whole result.
    pub value: Rc<Value>,
}

/// The results and long messages of earlier turns. They are available as long as the conversation
/// is stored.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EarlierResults {
    /// The number of results so far. The first result of the next turn has the next number.
    pub results: u32,
    /// The number of messages so far.
    pub messages: u32,
    /// The results and messages that the model can recall, oldest first.
    pub kept: Vec<ResultLocation>,
}

/// The location of an earlier turn's result or message in the journals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultLocation {
    /// The id, such as `r3`. It is unique within the conversation.
    pub id: String,
    /// The name of the tool that returned the result.
    pub tool: String,
    /// The arguments of the tool call, or the beginning of the message.
    pub of: String,
    /// The run whose journal contains the result.
    pub run: RunId,
    /// The number of the record in that run's journal.
    pub seq: u64,
}

/// The results that the model can recall, of this run and of earlier turns. They are computed from
/// journals, so they are complete after a worker died.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Results {
    kept: Vec<StoredResult>,
    earlier: Vec<ResultLocation>,
}

impl Results {
    /// Creates the results of a new turn, after those of earlier turns.
    pub(super) fn behind(earlier: Vec<ResultLocation>) -> Self {
        Self {
            kept: Vec::new(),
            earlier,
        }
    }

    /// Returns the result of this run with this id. The id may be in brackets.
    pub fn get(&self, id: &str) -> Option<&StoredResult> {
        let id = bare(id);
        self.kept.iter().find(|kept| kept.id == id)
    }

    /// Returns the location of an earlier turn's result with this id.
    pub fn earlier(&self, id: &str) -> Option<&ResultLocation> {
        let id = bare(id);
        self.earlier.iter().find(|it| it.id == id)
    }

    /// Returns the entry that contains this text.
    pub(super) fn of_text(&self, text: &str) -> Option<&StoredResult> {
        let is_it = |kept: &&StoredResult| kept.value.as_str() == Some(text);
        self.kept.iter().find(is_it)
    }

    /// Returns every id that the model can recall, those of earlier turns first.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let earlier = self.earlier.iter().map(|it| it.id.as_str());
        earlier.chain(self.kept.iter().map(|kept| kept.id.as_str()))
    }

    /// Returns true if the model can recall nothing.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.earlier.is_empty()
    }

    pub(super) fn add(&mut self, kept: StoredResult) {
        if self.get(&kept.id).is_none() {
            self.kept.push(kept);
        }
    }
}

fn bare(id: &str) -> &str {
    id.trim_matches(|it: char| it == '[' || it == ']' || it.is_whitespace())
}

impl ResultLocation {
    /// Converts a value that was read from an earlier turn's journal to a result. The ids of its
    /// passages are removed, because other passages of this turn may have the same ids. Therefore
    /// the model can't cite the result.
    pub fn found(&self, mut value: Value) -> StoredResult {
        anonymous(&mut value);
        StoredResult::new(&self.id, &self.tool, &Rc::new(value))
    }
}

/// The fields of a page whose keys are ids of passages (`gloss_web::SourceData`).
const KEYED_BY_IDS: [&str; 2] = ["printedPages", "textDirectives"];

fn anonymous(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("text") || fields.contains_key("url") {
                fields.remove("id");
            }
            for name in KEYED_BY_IDS {
                fields.remove(name);
            }
            fields.values_mut().for_each(anonymous);
        }
        Value::Array(items) => items.iter_mut().for_each(anonymous),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

impl StoredResult {
    pub(super) fn new(id: &str, tool: &str, value: &Rc<Value>) -> Self {
        Self {
            id: id.to_owned(),
            tool: tool.to_owned(),
            value: value.clone(),
        }
    }

    /// Returns the texts of the result. Each has the id by which it can be cited. A text without
    /// such an id has its path in the JSON value.
    pub fn texts(&self) -> Vec<PassageData> {
        ResultContents::of(&self.value).texts
    }

    /// Returns the sources of the texts, as far as they fit into this number of tokens.
    pub fn sources(&self, most_tokens: u32) -> Vec<Value> {
        within(ResultContents::of(&self.value).sources, most_tokens)
    }
}

/// The texts and sources in a JSON value.
#[derive(Debug, Default)]
pub(super) struct ResultContents {
    /// The passages with their ids, and other texts and numbers with their paths, such as
    /// `results.2.title`.
    pub(super) texts: Vec<PassageData>,
    /// The ids of the passages in `texts`.
    pub(super) ids: Vec<String>,
    /// The pages that the texts are from, each with its title and the beginning of its passages'
    /// ids. Single web addresses are included too.
    pub(super) sources: Vec<Value>,
}

/// The fields of a source that a shortened result contains. They are not part of `texts`, because
/// an address must not be cut.
const OF_A_SOURCE: [&str; 4] = ["id", "title", "url", "error"];

impl ResultContents {
    pub(super) fn of(value: &Value) -> Self {
        let mut told = Self::default();
        told.collect(value, "");
        // Pages with passages come before single addresses.
        sort_by_key(&mut told.sources, |source| source.get("id").is_none());
        told
    }

    fn collect(&mut self, value: &Value, path: &str) {
        let within = |name: &str| match path {
            "" => name.to_owned(),
            path => format!("{path}.{name}"),
        };
        match value {
            Value::Object(fields) => {
                let words = |name: &str| fields.get(name).and_then(Value::as_str);
                let is_source = words("url").is_some_and(is_address);
                if is_source {
                    self.sources.push(source(fields));
                }
                if let (Some(id), Some(text)) = (words("id"), words("text")) {
                    self.ids.push(id.to_owned());
                    self.texts.push(passage(id, text));
                    return;
                }
                let said = |name: &str| is_source && OF_A_SOURCE.contains(&name);
                for (name, value) in fields.iter().filter(|(name, _)| !said(name)) {
                    self.collect(value, &within(name));
                }
            }
            Value::Array(items) => {
                for (place, item) in items.iter().enumerate() {
                    self.collect(item, &within(&place.to_string()));
                }
            }
            Value::String(text) if is_address(text) => self.sources.push(json!({ "url": text })),
            Value::String(text) if !text.trim().is_empty() => self.texts.push(passage(path, text)),
            Value::Number(number) => self.texts.push(passage(path, &number.to_string())),
            Value::String(_) | Value::Bool(_) | Value::Null => {}
        }
    }
}

/// Returns the sources that fit, in order. A source that is too long loses its address; if it is
/// still too long, it is left out.
pub(super) fn within(sources: Vec<Value>, most_tokens: u32) -> Vec<Value> {
    let mut left = most_tokens;
    let mut given = Vec::new();
    for mut source in sources {
        if cost(&source) > left
            && let Value::Object(fields) = &mut source
        {
            fields.remove("url");
        }
        let cost = cost(&source);
        if cost <= left && source.as_object().is_some_and(|it| !it.is_empty()) {
            left -= cost;
            given.push(source);
        }
    }
    given
}

/// Returns the cost of a source in tokens, including the comma after it.
pub(super) fn cost(source: &Value) -> u32 {
    estimate(&source.to_string()) + 1
}

fn source(fields: &Map<String, Value>) -> Value {
    let known = OF_A_SOURCE.iter().filter_map(|name| {
        let words = fields.get(*name)?.as_str()?;
        let words = match *name {
            "url" | "id" => words.to_owned(),
            _ => head(words, CALLED_TOKENS),
        };
        Some(((*name).to_owned(), Value::String(words)))
    });
    json::object(known)
}

/// Returns true if the text consists of one web address.
fn is_address(text: &str) -> bool {
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    is_web && !text.contains(char::is_whitespace)
}

fn passage(id: &str, text: &str) -> PassageData {
    PassageData {
        id: id.to_owned(),
        text: text.to_owned(),
        why: None,
    }
}
