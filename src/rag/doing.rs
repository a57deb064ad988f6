//! What a search is doing, told while it is at it.
//!
//! Derived from the intents of its steps, which the journal has anyway: nothing is noted for it.

use super::{grade, read, rewrite, search};
use crate::durable::Effect;
use crate::phrase::{Phrase, phrase};
use serde_json::Value;

/// Whether the step of a search with this effect asks a model.
pub fn asks_model(effect: &str) -> bool {
    matches!(
        effect,
        grade::GradeResults::KIND | rewrite::RewriteQuery::KIND
    )
}

/// In words for the person, what the step of a search does that has this effect and label.
/// `None` for one that is too short to be told, or is no step of a search.
pub fn doing(effect: &str, label: &Value) -> Option<Phrase> {
    match effect {
        search::Search::KIND => {
            let query = label.get("query")?.as_str()?;
            Some(phrase("doing_search").with(query))
        }
        grade::GradeResults::KIND => Some(phrase("doing_grade")),
        rewrite::RewriteQuery::KIND => Some(phrase("doing_rewrite")),
        read::Read::KIND => {
            let url = label.get("url")?.as_str()?;
            let (_, rest) = url.split_once("://")?;
            let site = rest.split(['/', '?', '#']).next()?;
            Some(phrase("doing_read").with(site))
        }
        _ => None,
    }
}
