//! What a call in steps is doing, told while it is at it.
//!
//! Derived from the intents of its steps, which the journal has anyway: nothing is noted for it.

use super::{grade, rewrite, search};
use crate::Read;
use gloss_durable::{Effect, json};
use gloss_model::aid::Aided;
use gloss_model::phrase::{Phrase, phrase};
use serde_json::Value;

/// Under which name the label of a step has what its model is sent.
pub const SENT: &str = "sent";

/// The prompt that the step with this label sends a model, by estimate: what it is charged where
/// nobody hears of its end. `None` for one that asks no model.
pub fn sent(label: &Value) -> Option<Aided> {
    json::read::<Aided>(label.get(SENT)?).ok()
}

/// What a step with this outcome asked of models.
pub fn aided(outcome: &Value) -> Vec<Aided> {
    let aided = outcome.get("aided").map(json::read::<Vec<Aided>>);
    aided.and_then(Result::ok).unwrap_or_default()
}

/// In words for the person, what the step of a call does that has this effect and label.
/// `None` for one that is too short to be told, or is no step of a call.
pub fn doing(effect: &str, label: &Value) -> Option<Phrase> {
    match effect {
        search::Search::KIND => {
            let query = label.get("query")?.as_str()?;
            Some(phrase("doing_search").with(query))
        }
        grade::GradeResults::KIND => Some(phrase("doing_grade")),
        rewrite::RewriteQuery::KIND => Some(phrase("doing_rewrite")),
        Read::KIND => {
            let url = label.get("url")?.as_str()?;
            let (_, rest) = url.split_once("://")?;
            let site = rest.split(['/', '?', '#']).next()?;
            Some(phrase("doing_read").with(site))
        }
        _ => None,
    }
}
