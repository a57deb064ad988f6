//! Facts as JSON, in local storage and in exported files.
//!
//! Unknown fields are skipped, and missing fields get their defaults. A damaged text and a text of
//! a newer version are reported as different errors. In both cases no fact of the text is used.

use super::draft::{tidy, tidy_keywords};
use super::facts::Facts;
use super::judge::check_user_draft;
use super::{Draft, Fact, SkipReason, Source, SourceKind};
use gloss_durable::json;
use gloss_model::provenance::{Origin, Provenance};
use serde_json::Value;

/// The version of the format. It must be raised if older versions of Gloss would misread new texts.
const VERSION: u64 = 1;
/// The value of the field `format`, which marks a text as facts of Gloss.
const FORMAT: &str = "gloss-facts";

/// The maximum number of facts in a file. Gloss itself can store fewer facts (see
/// [`super::Tier::most`]).
const MOST_IN_A_FILE: usize = 200;

/// The reason for which a text can't be read as facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// The text is not JSON, or doesn't contain facts of Gloss.
    Foreign,
    /// The text was written by a newer Gloss.
    Newer,
}

/// The reason for which a file can't be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ImportError {
    /// The file can't be read.
    Unreadable(Unreadable),
    /// The file contains too many facts.
    TooMany {
        /// The number of facts in the file.
        facts: usize,
        /// The maximum number of facts in a file.
        most: usize,
    },
}

impl From<Unreadable> for ImportError {
    fn from(unreadable: Unreadable) -> Self {
        Self::Unreadable(unreadable)
    }
}

/// Writes all stored data as JSON: the facts, the last actions, and the removed facts.
pub(super) fn write(facts: &Facts) -> String {
    document(facts).to_string()
}

fn document(facts: &Facts) -> Value {
    // Serialization can't fail for this type, because every map key is a string.
    let mut document = serde_json::to_value(facts).unwrap_or_default();
    if let Value::Object(fields) = &mut document {
        fields.insert("format".to_owned(), FORMAT.into());
        fields.insert("version".to_owned(), VERSION.into());
    }
    document
}

/// Reads the facts from the text in local storage.
///
/// # Errors
/// The text is damaged, or a newer version of Gloss wrote it.
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

/// Writes only the facts, for an exported file.
pub fn export(facts: &Facts) -> String {
    let facts = Facts {
        known: facts.known.clone(),
        ..Facts::default()
    };
    json::pretty(&document(&facts)).unwrap_or_default()
}

/// Reads the facts of a file for import. Fields that a file may not set are reset. In place of a
/// forbidden or unreadable fact, the list contains the reason why the fact is skipped. Such facts
/// occur if the user edited the file, or if a newer version of Gloss wrote it.
///
/// # Errors
/// The file can't be read, or contains too many facts.
pub(super) fn facts_of(text: &str) -> Result<Vec<Result<Fact, SkipReason>>, ImportError> {
    let document = opened(text)?;
    let facts = document.get("facts").and_then(Value::as_array);
    let facts = facts.ok_or(Unreadable::Foreign)?;
    if facts.len() > MOST_IN_A_FILE {
        return Err(ImportError::TooMany {
            facts: facts.len(),
            most: MOST_IN_A_FILE,
        });
    }
    let read = |fact| json::read::<Fact>(fact).map_err(|_| SkipReason::Unreadable);
    Ok(facts.iter().map(|fact| tidied_fact(read(fact)?)).collect())
}

fn tidied_fact(fact: Fact) -> Result<Fact, SkipReason> {
    let draft = Draft {
        content: fact.content.clone(),
        keywords: fact.keywords.clone(),
        ..Draft::default()
    };
    check_user_draft(&draft).map_err(|refusal| match refusal {
        refusal if refusal.is_of_secrets() => SkipReason::Secret,
        _ => SkipReason::Malformed,
    })?;
    Ok(Fact {
        id: fact.id.checked(),
        content: tidy(&fact.content),
        keywords: tidy_keywords(&fact.keywords),
        confidence: fact.confidence.clamp(0.0, 1.0),
        // The conversations and facts that these fields refer to may not exist on this device.
        source: Source {
            conversations: Vec::new(),
            how: SourceKind::Imported,
            provenance: Provenance::of(Origin::Document),
            ..fact.source
        },
        uses: 0,
        used_at_ms: None,
        replaced: None,
        ..fact
    })
}
