//! Where a run stands in its life: folds over its records.

use super::{Entry, Path, Record};

/// Whether the run ended and was not let go on since.
pub fn has_ended(records: &[Record]) -> bool {
    records
        .iter()
        .rev()
        .find_map(|record| match record.entry {
            Entry::Ended { .. } => Some(true),
            Entry::Continued => Some(false),
            _ => None,
        })
        .unwrap_or(false)
}

/// Whether the user's stop is the last thing that happened to the run's steps.
pub fn was_stopped(records: &[Record]) -> bool {
    records
        .iter()
        .rev()
        .find_map(|record| match record.entry {
            Entry::Gone { .. } => Some(true),
            Entry::Continued | Entry::Outcome { .. } | Entry::Intent { .. } => Some(false),
            _ => None,
        })
        .unwrap_or(false)
}

/// The step that was begun last and not finished; the run itself if there is none.
pub fn last_pending(records: &[Record]) -> Path {
    let finished = |path: &Path, after: u64| {
        records.iter().any(|record| {
            record.seq > after
                && record.path == *path
                && matches!(record.entry, Entry::Outcome { .. } | Entry::Gone { .. })
        })
    };
    records
        .iter()
        .rev()
        .filter(|record| matches!(record.entry, Entry::Intent { .. }))
        .find(|record| !finished(&record.path, record.seq))
        .map(|record| record.path.clone())
        .unwrap_or_default()
}
