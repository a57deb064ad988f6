//! The current activity of a call that runs in steps.
//!
//! It is derived from the recorded intents of the steps.

use super::judge::SENT;
use super::{grade, rewrite, search};
use crate::ReadPage;
use gloss_durable::{Effect, json};
use gloss_model::phrase::{Phrase, phrase};
use gloss_model::role_models::RoleCall;
use serde_json::Value;

/// Returns the estimated usage of the model call in the step with this label. It is charged if no
/// outcome of the step is ever recorded. `None` for a step without a model call.
pub fn sent_usage(label: &Value) -> Option<RoleCall> {
    json::read::<RoleCall>(label.get(SENT)?).ok()
}

/// Returns the model calls in the outcome of a step.
pub fn model_calls(outcome: &Value) -> Vec<RoleCall> {
    let role_calls = outcome.get("role_calls").map(json::read::<Vec<RoleCall>>);
    role_calls.and_then(Result::ok).unwrap_or_default()
}

/// Describes a step of a call for the user, by the step's effect and label. `None` if the step is
/// too short to be shown, or does not belong to a call.
pub fn activity(effect: &str, label: &Value) -> Option<Phrase> {
    match effect {
        search::Search::KIND => {
            let query = label.get("query")?.as_str()?;
            Some(phrase("doing_search").with(query))
        }
        grade::GradeResults::KIND => Some(phrase("doing_grade")),
        rewrite::RewriteQuery::KIND => Some(phrase("doing_rewrite")),
        ReadPage::KIND => {
            let url = label.get("url")?.as_str()?;
            let (_, rest) = url.split_once("://")?;
            let site = rest.split(['/', '?', '#']).next()?;
            Some(phrase("doing_read").with(site))
        }
        _ => None,
    }
}
