//! Finds the results that an answer used: the results whose passages the answer cites.

use super::{LogEntry, LogEntryKind};
use gloss_durable::json;
use gloss_model::PassagesData;
use gloss_tools::sources;
use serde_json::Value;

/// Marks the results that the last answer cites.
pub(super) fn mark_used(log: &mut [LogEntry]) {
    let last = log.iter().rev().find_map(|logged| match &logged.what {
        LogEntryKind::Answer { cites, .. } => Some(cites.clone()),
        _ => None,
    });
    let cites = last.unwrap_or_default();
    for logged in log {
        if let LogEntryKind::Result(given) = &mut logged.what
            && let Ok(data) = &given.outcome
        {
            let passages = passages(data);
            given.used = passages
                .iter()
                .any(|id| cites.iter().any(|cite| overlap(id, cite)));
        }
    }
}

/// Returns the ids of the passages in a result, of the page and of web sources.
fn passages(data: &Value) -> Vec<String> {
    let page = json::read::<PassagesData>(data).map(|data| data.passages);
    let elsewhere = sources(data).into_iter().flat_map(|page| page.passages);
    let passages = page.unwrap_or_default().into_iter().chain(elsewhere);
    passages.map(|passage| passage.id).collect()
}

/// Returns true if two ids name the same passage, or one is part of the other: `p14.2` is a
/// sentence of `p14`.
fn overlap(one: &str, other: &str) -> bool {
    let within = |part: &str, whole: &str| {
        part.strip_prefix(whole)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    within(one, other) || within(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_part_of_its_paragraph_and_of_no_other() {
        for (one, other, expected) in [
            ("p14", "p14", true),
            ("p14.2", "p14", true),
            ("p14", "p14.2", true),
            ("p14.2", "p14.3", false),
            ("p1", "p14", false),
            ("p14", "p1.4", false),
        ] {
            assert_eq!(overlap(one, other), expected, "{one} {other}");
        }
    }
}
