//! Preferences as JSON, both in local storage and in the file that the user exports.
//!
//! Unknown fields are skipped, and missing fields get their defaults. A damaged text and a text of
//! a newer version are reported as different errors. In both cases no setting of the text is used.

use super::{Preferences, Problem};
use gloss_durable::json;
use gloss_model::phrase::{Phrase, phrase};
use serde::Serialize;
use serde_json::{Map, Value};

/// The version of the format. It must be raised if an older version of Gloss would misread the new
/// format.
const VERSION: u64 = 1;
/// The value of the field `format`, which marks a text as preferences of Gloss.
const FORMAT: &str = "gloss-preferences";

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    version: u64,
    preferences: &'a Preferences,
}

/// The reason for which a text is refused. The reason contains no part of the text except names of
/// settings, because the text may contain an API key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// The text is not JSON, or it is not a file of Gloss.
    Foreign,
    /// The text was written by a newer version of Gloss.
    Newer,
    /// A setting has the wrong type.
    Setting(String),
    /// A setting is out of its range.
    Refused(Problem),
}

impl Unreadable {
    /// Returns the message for the user who chose the file.
    pub(crate) fn words(self) -> Phrase {
        match self {
            Self::Foreign => phrase("options_import_foreign"),
            Self::Newer => phrase("options_import_newer"),
            Self::Setting(name) => phrase("options_import_setting").with(&name),
            Self::Refused(_) => phrase("options_import_refused"),
        }
    }
}

pub(crate) fn write(preferences: &Preferences) -> String {
    let document = Document {
        format: FORMAT,
        version: VERSION,
        preferences,
    };
    // Serialization can't fail for this type, because every map key is a string.
    json::pretty(&document).unwrap_or_default()
}

/// Reads preferences from a text.
///
/// # Errors
/// The text has another format, or contains a value that is not allowed.
pub(crate) fn read(text: &str) -> Result<Preferences, Unreadable> {
    let document: Value = serde_json::from_str(text).map_err(|_| Unreadable::Foreign)?;
    if document.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(Unreadable::Foreign);
    }
    match document.get("version").and_then(Value::as_u64) {
        Some(VERSION) => {}
        Some(newer) if newer > VERSION => return Err(Unreadable::Newer),
        _ => return Err(Unreadable::Foreign),
    }
    let settings = document.get("preferences").and_then(Value::as_object);
    let settings = settings.ok_or(Unreadable::Foreign)?;
    let mut preferences = typed(settings)?;
    if let Some(problem) = preferences.problems().into_iter().next() {
        return Err(Unreadable::Refused(problem));
    }
    let ids = preferences.profiles.iter().map(|profile| &profile.id);
    let ids: Vec<&String> = ids.collect();
    if ids
        .iter()
        .enumerate()
        .any(|(at, id)| ids.iter().take(at).any(|old| old == id))
    {
        return Err(Unreadable::Setting("profiles".to_owned()));
    }
    preferences.remove_dangling_names();
    Ok(preferences)
}

fn typed(settings: &Map<String, Value>) -> Result<Preferences, Unreadable> {
    json::read(&Value::Object(settings.clone())).map_err(|_| {
        // Each setting is parsed alone, to find the setting with the wrong type.
        let at_fault = settings.iter().find(|(name, value)| {
            let alone = json::object([((*name).clone(), (*value).clone())].into_iter());
            json::read::<Preferences>(&alone).is_err()
        });
        let name = at_fault.map(|(name, _)| name.clone());
        Unreadable::Setting(name.unwrap_or_default())
    })
}
