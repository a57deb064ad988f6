//! Facts as JSON: on the shelf, and in the file that the person exports.
//!
//! As for preferences: unknown fields are skipped, missing ones have their defaults; a newer
//! version and a damaged text are two errors, and neither is half read.

use super::draft::{tidied, tidied_all};
use super::facts::Facts;
use super::judge::judge_typed;
use super::{Draft, Fact, How, LeftOut, Source};
use gloss_durable::json;
use serde_json::Value;

/// Raised when what an older Gloss would make of the text is wrong.
const VERSION: u64 = 1;
/// What such a text says of itself.
const FORMAT: &str = "gloss-facts";

/// So many are read from a file: far more than all tiers hold.
const MOST_IN_A_FILE: usize = 200;

/// Why a text is no facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// Not JSON, or not facts of Gloss.
    Foreign,
    /// Made by a newer Gloss.
    Newer,
}

/// Why a file brings no facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoFile {
    /// It can't be read.
    Unreadable(Unreadable),
    /// It has more than are read at once.
    TooMany {
        /// How many it has.
        facts: usize,
        /// How many are read.
        most: usize,
    },
}

impl From<Unreadable> for NoFile {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable)
    }
}

/// All that is known, with what was done and what is gone: for storage.
pub(super) fn write(facts: &Facts) -> String {
    document(facts).to_string()
}

fn document(facts: &Facts) -> Value {
    // Fails for no value of this type: every key is a text.
    let mut document = serde_json::to_value(facts).unwrap_or_default();
    if let Value::Object(fields) = &mut document {
        fields.insert("format".to_owned(), FORMAT.into());
        fields.insert("version".to_owned(), VERSION.into());
    }
    document
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
    json::pretty(&document(&facts)).unwrap_or_default()
}

/// The facts of such a file, as they are to be taken in: what each may not bring is left out,
/// and a fact that may not be kept, or can't be read, is told why. Whoever wrote it by hand, or
/// a newer Gloss, may have put one there among others.
///
/// # Errors
/// When it is none.
pub(super) fn facts_of(text: &str) -> Result<Vec<Result<Fact, LeftOut>>, NoFile> {
    let document = opened(text)?;
    let facts = document.get("facts").and_then(Value::as_array);
    let facts = facts.ok_or(Unreadable::Foreign)?;
    if facts.len() > MOST_IN_A_FILE {
        return Err(NoFile::TooMany {
            facts: facts.len(),
            most: MOST_IN_A_FILE,
        });
    }
    let read = |fact| json::read::<Fact>(fact).map_err(|_| LeftOut::Unreadable);
    Ok(facts.iter().map(|fact| tidied_fact(read(fact)?)).collect())
}

fn tidied_fact(fact: Fact) -> Result<Fact, LeftOut> {
    let draft = Draft {
        content: fact.content.clone(),
        keywords: fact.keywords.clone(),
        ..Draft::default()
    };
    judge_typed(&draft).map_err(|refusal| match refusal {
        refusal if refusal.is_of_secrets() => LeftOut::Secret,
        _ => LeftOut::Malformed,
    })?;
    Ok(Fact {
        id: fact.id.checked(),
        content: tidied(&fact.content),
        keywords: tidied_all(&fact.keywords),
        confidence: fact.confidence.clamp(0.0, 1.0),
        // Where it was told, how often it was used and what it replaced belong elsewhere.
        source: Source {
            conversations: Vec::new(),
            how: How::Imported,
            ..fact.source
        },
        uses: 0,
        used_at_ms: None,
        replaced: None,
        ..fact
    })
}
