//! The current activity of a call that runs in steps.
//!
//! Derived from the intents of its steps, which the journal contains anyway.

use super::{grade, rewrite, search};
use crate::Read;
use gloss_durable::{Effect, json};
use gloss_model::aid::Aided;
use gloss_model::phrase::{Phrase, phrase};
use serde_json::Value;

/// The field of a step's label that contains the estimated usage of its model call.
pub const SENT: &str = "sent";

/// The estimated usage of the prompt that the step with this label sends, which is charged if the
/// step's end is never recorded. `None` for a step without a model call.
pub fn sent(label: &Value) -> Option<Aided> {
    json::read::<Aided>(label.get(SENT)?).ok()
}

/// The model calls of a step with this outcome.
pub fn aided(outcome: &Value) -> Vec<Aided> {
    let aided = outcome.get("aided").map(json::read::<Vec<Aided>>);
    aided.and_then(Result::ok).unwrap_or_default()
}

/// Describes a step of a call for the user, by its effect and label. `None` if the step is too
/// short to be shown, or isn't a step of a call.
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
