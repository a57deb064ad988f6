//! What no longer stands before a model whole, under ids.

use super::shrink::head;
use gloss_durable::sorted::sort_by_key;
use gloss_durable::{RunId, json};
use gloss_model::PassageData;
use gloss_text::tokens::estimate;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::rc::Rc;

/// What a page is called costs so much at most.
const CALLED_TOKENS: u32 = 24;

/// A result that can be recalled.
#[derive(Debug, Clone, PartialEq)]
pub struct Kept {
    /// As in `r3`.
    pub id: String,
    /// The tool that gave it.
    pub tool: String,
    /// It, whole.
    pub value: Rc<Value>,
}

/// What earlier turns of a conversation gave and said that is too long to be told again: for as
/// long as the conversation is kept, which is more than the five minutes of SPEC §9.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Earlier {
    /// So many results they had: those of the next turn have the ids that follow.
    pub results: u32,
    /// So many messages.
    pub messages: u32,
    /// What of that can be recalled, oldest first.
    pub kept: Vec<Recallable>,
}

/// Where something stands that an earlier turn gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recallable {
    /// As in `r3`: no later turn has it again.
    pub id: String,
    /// The tool that gave it.
    pub tool: String,
    /// What was asked of the tool, or how the message begins.
    pub of: String,
    /// The turn.
    pub run: RunId,
    /// The record in its journal.
    pub seq: u64,
}

impl Earlier {
    /// Whether no turn came before.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The results that can be recalled: those of a run, for as long as it lasts, and what stands
/// in earlier turns. They follow from journals, so a worker that dies loses none.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Results {
    kept: Vec<Kept>,
    earlier: Vec<Recallable>,
}

impl Results {
    /// With what earlier turns gave.
    pub(super) fn behind(earlier: Vec<Recallable>) -> Self {
        Self {
            kept: Vec::new(),
            earlier,
        }
    }

    /// The result of this run with this id; brackets around it are a slip.
    pub fn get(&self, id: &str) -> Option<&Kept> {
        let id = bare(id);
        self.kept.iter().find(|kept| kept.id == id)
    }

    /// Where that of an earlier turn stands.
    pub fn earlier(&self, id: &str) -> Option<&Recallable> {
        let id = bare(id);
        self.earlier.iter().find(|it| it.id == id)
    }

    /// What this text is kept as.
    pub(super) fn of_text(&self, text: &str) -> Option<&Kept> {
        let is_it = |kept: &&Kept| kept.value.as_str() == Some(text);
        self.kept.iter().find(is_it)
    }

    /// Every id, in the order in which they were given up.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let earlier = self.earlier.iter().map(|it| it.id.as_str());
        earlier.chain(self.kept.iter().map(|kept| kept.id.as_str()))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty() && self.earlier.is_empty()
    }

    pub(super) fn add(&mut self, kept: Kept) {
        if self.get(&kept.id).is_none() {
            self.kept.push(kept);
        }
    }
}

fn bare(id: &str) -> &str {
    id.trim_matches(|it: char| it == '[' || it == ']' || it.is_whitespace())
}

impl Recallable {
    /// It, as its turn's journal has it. Its passages have ids of that turn, which name others
    /// in this one: they are left out, and nothing of it can be cited.
    pub fn found(&self, mut value: Value) -> Kept {
        anonymous(&mut value);
        Kept::new(&self.id, &self.tool, &Rc::new(value))
    }
}

/// What a page's passages have by their ids ([`gloss_web::SourceData`]).
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

impl Kept {
    pub(super) fn new(id: &str, tool: &str, value: &Rc<Value>) -> Self {
        Self {
            id: id.to_owned(),
            tool: tool.to_owned(),
            value: value.clone(),
        }
    }

    /// Its texts, each under the id that it is cited by, else under where it stands.
    pub fn texts(&self) -> Vec<PassageData> {
        Told::of(&self.value).texts
    }

    /// Where they are from, as much of it as there is room for in so many tokens.
    pub fn sources(&self, most_tokens: u32) -> Vec<Value> {
        within(Told::of(&self.value).sources, most_tokens)
    }
}

/// What a value tells.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// Passages under their ids, any other text and number under its path, as in
    /// `results.2.title`.
    pub(super) texts: Vec<PassageData>,
    /// The ids of the passages among them.
    pub(super) ids: Vec<String>,
    /// The pages that its texts are of, each with what it is called and the id that theirs
    /// begin with; addresses that stand alone.
    pub(super) sources: Vec<Value>,
}

/// What is told of a source. An address is one by itself, so each is here word for word or
/// not at all.
const OF_A_SOURCE: [&str; 4] = ["id", "title", "url", "error"];

impl Told {
    pub(super) fn of(value: &Value) -> Self {
        let mut told = Self::default();
        told.collect(value, "");
        // Those that passages are of come first, whatever their fields are called.
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

/// As many sources as there is room for; of one whose address is too long, what it is called.
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

/// With what stands between it and the next.
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

/// An address and nothing else.
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
