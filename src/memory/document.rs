//! Facts as JSON: on the shelf, and in the file that the person exports.
//!
//! As for preferences: unknown fields are skipped, missing ones have their defaults; a newer
//! version and a damaged text are two errors, and neither is half read.

use super::draft::{tidied, tidied_all};
use super::facts::Facts;
use super::judge::judge_typed;
use super::{Draft, Fact, How, Replaced, Source};
use crate::json;
use serde::Serialize;
use serde_json::Value;

/// Raised when what an older Gloss would make of the text is wrong.
const VERSION: u64 = 1;
/// What such a text says of itself.
const FORMAT: &str = "gloss-facts";

/// More than all tiers hold is no file of ours.
const MOST_IN_A_FILE: usize = 200;

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u64,
    #[serde(flatten)]
    facts: &'a Facts,
}

/// Why a text is no facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// Not JSON, or not facts of Gloss.
    Foreign,
    /// Made by a newer Gloss.
    Newer,
}

/// All that is known, with what was done and what is gone: for the shelf.
pub(super) fn write(facts: &Facts) -> String {
    let document = Document {
        format: FORMAT,
        version: VERSION,
        facts,
    };
    // Fails for no value of this type: every key is a text.
    serde_json::to_string(&document).unwrap_or_default()
}

/// What stands on the shelf.
///
/// # Errors
/// When it can't be read.
pub(super) fn read(text: &str) -> Result<Facts, Unreadable> {
    let document = opened(text)?;
    json::read(&document).map_err(|_| Unreadable::Foreign)
}

fn opened(text: &str) -> Result<Value, Unreadable> {
    let document: Value = serde_json::from_str(text).map_err(|_| Unreadable::Foreign)?;
    if document.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(Unreadable::Foreign);
    }
    match document.get("version").and_then(Value::as_u64) {
        Some(VERSION) => Ok(document),
        Some(newer) if newer > VERSION => Err(Unreadable::Newer),
        _ => Err(Unreadable::Foreign),
    }
}

/// The facts alone, for the person.
pub fn export(facts: &Facts) -> String {
    let facts = Facts {
        known: facts.known.clone(),
        ..Facts::default()
    };
    let document = Document {
        format: FORMAT,
        version: VERSION,
        facts: &facts,
    };
    serde_json::to_string_pretty(&document).unwrap_or_default()
}

/// The facts of such a file; those with secrets in them are left out.
///
/// # Errors
/// When it is none.
pub fn import(text: &str) -> Result<Vec<Fact>, Unreadable> {
    let mut facts = read(text)?.known;
    if facts.len() > MOST_IN_A_FILE {
        return Err(Unreadable::Foreign);
    }
    facts.retain(|fact| judge_typed(&drafted(fact)).is_ok());
    for fact in &mut facts {
        fact.content = tidied(&fact.content);
        fact.keywords = tidied_all(&fact.keywords);
        fact.confidence = fact.confidence.clamp(0.0, 1.0);
        // Where it was told and how often it was of use was so elsewhere.
        fact.source = Source {
            conversations: Vec::new(),
            how: How::Imported,
            ..fact.source.clone()
        };
        (fact.uses, fact.used_at_ms) = (0, None);
        fact.replaced = fact.replaced.take().and_then(words_alone);
    }
    Ok(facts)
}

/// A fact as somebody would have it kept.
fn drafted(fact: &Fact) -> Draft {
    Draft {
        content: fact.content.clone(),
        keywords: fact.keywords.clone(),
        ..Draft::default()
    }
}

/// What a fact says instead of, unless that has a secret in it.
fn words_alone(replaced: Replaced) -> Option<Replaced> {
    let words = Draft {
        content: replaced.content.clone(),
        ..Draft::default()
    };
    judge_typed(&words).is_ok().then_some(Replaced {
        fact: None,
        ..replaced
    })
}
