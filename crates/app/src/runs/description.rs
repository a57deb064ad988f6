//! Short descriptions of the runs on disk. All runs can be listed from them, without reading a
//! journal.

use super::usage::used;
use crate::options::ModelUsage;
use crate::surface::{ConversationSummary, Turn};
use gloss_agent::{Goal, PageRead, Status};
use gloss_durable::sorted::{SortedMap, SortedSet, sort_by_key};
use gloss_durable::{Record, RunId, body_hashes};
use serde::{Deserialize, Serialize};

/// The description of a run, which is stored on disk. If the stored description can't be parsed, it
/// is computed again from the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RunDescription {
    /// The run's conversation.
    pub(super) conversation: RunId,
    goal: Goal,
    page: Option<PageRead>,
    /// The run's status when the description was written.
    pub(super) status: Status,
    pub(super) begun_at_ms: u64,
    pub(super) at_ms: u64,
    /// The size of the run's journal, in bytes.
    pub(super) bytes: u64,
    /// The run's large bodies: hashes, and sizes in bytes.
    pub(super) bodies: SortedMap<String, u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) used: Vec<ModelUsage>,
}

impl RunDescription {
    /// Describes a journal. `sizes` contains the sizes of its large bodies in bytes, by hash.
    /// Returns `None` if the journal's configuration can't be read.
    pub(super) fn of(
        run: &RunId,
        records: &[Record],
        bytes: u64,
        sizes: &SortedMap<String, u64>,
    ) -> Option<Self> {
        let (timeline, turn) = Turn::of(run, records);
        let named = body_hashes(records).into_iter();
        let size = |hash: String| (sizes.get(&hash).copied().unwrap_or_default(), hash);
        Some(Self {
            conversation: timeline.config()?.conversation.clone(),
            goal: turn.goal,
            page: turn.page,
            status: turn.status,
            begun_at_ms: records.first()?.at_ms,
            at_ms: records.last()?.at_ms,
            bytes,
            used: used(records),
            bodies: named.map(size).map(|(bytes, hash)| (hash, bytes)).collect(),
        })
    }

    /// Returns true if the run has ended or is paused. Only the user can continue such a run.
    pub(super) fn is_at_rest(&self) -> bool {
        match self.status {
            Status::Running | Status::AwaitingUser => false,
            Status::Paused | Status::Completed | Status::Terminated(_) | Status::Failed => true,
        }
    }

    fn has_ended(&self) -> bool {
        self.is_at_rest() && self.status != Status::Paused
    }
}

/// Every run on disk, with its description. `None` if no description is stored.
pub(super) type Catalogue = SortedMap<RunId, Option<RunDescription>>;

fn conversations(catalogue: &Catalogue) -> SortedMap<&RunId, Vec<(&RunId, &RunDescription)>> {
    let mut conversations: SortedMap<&RunId, Vec<(&RunId, &RunDescription)>> = SortedMap::new();
    for (run, digest) in catalogue {
        if let Some(digest) = digest {
            let turns = conversations.or_default(&digest.conversation);
            turns.push((run, digest));
        }
    }
    for turns in conversations.values_mut() {
        sort_by_key(turns, |(_, digest)| digest.begun_at_ms);
    }
    conversations
}

pub(super) fn turns_of(catalogue: &Catalogue, conversation: &RunId) -> Vec<RunId> {
    let turns = catalogue.iter().filter(|(_, digest)| {
        let digest = digest.as_ref();
        digest.is_some_and(|digest| digest.conversation == *conversation)
    });
    turns.map(|(run, _)| run.clone()).collect()
}

/// Returns a summary of every conversation in the catalogue.
pub(super) fn past(catalogue: &Catalogue) -> Vec<ConversationSummary> {
    let past = conversations(catalogue).into_iter();
    let past = past.filter_map(|(conversation, turns)| {
        let (_, first) = turns.first()?;
        let (last_run, last) = turns.last()?;
        let waits = last.status == Status::Paused;
        Some(ConversationSummary {
            conversation: conversation.clone(),
            goal: first.goal.clone(),
            page: first.page.clone(),
            status: last.status,
            turns: turns.len() as u32,
            at_ms: turns.iter().map(|(_, digest)| digest.at_ms).max()?,
            paused: waits.then(|| (*last_run).clone()),
        })
    });
    past.collect()
}

/// Returns the conversations to erase, so that the remaining ones use at most `most_bytes` with
/// their large bodies. The oldest are erased first. A conversation with an unfinished run is never
/// erased.
pub(super) fn conversations_over_limit(catalogue: &Catalogue, most_bytes: u64) -> SortedSet<RunId> {
    let mut bodies: SortedMap<&str, u64> = SortedMap::new();
    let described = || catalogue.values().flatten();
    for (hash, bytes) in described().flat_map(|digest| &digest.bodies) {
        bodies.insert(hash, *bytes);
    }
    let journals: u64 = described().map(|digest| digest.bytes).sum();
    let mut total = journals + bodies.values().sum::<u64>();
    let conversations = conversations(catalogue).into_iter();
    let mut ended: Vec<_> = conversations
        .filter(|(_, turns)| turns.iter().all(|(_, digest)| digest.has_ended()))
        .collect();
    sort_by_key(&mut ended, |(_, turns)| {
        turns.iter().map(|(_, digest)| digest.at_ms).max()
    });
    let mut doomed = SortedSet::new();
    for (conversation, turns) in ended {
        if total <= most_bytes {
            break;
        }
        let freed = turns.iter().map(|(_, digest)| {
            // If another run uses the same body, erasing this run doesn't free the body. The next
            // call of this function corrects the total.
            digest.bytes + digest.bodies.values().sum::<u64>()
        });
        total = total.saturating_sub(freed.sum());
        doomed.insert(conversation.clone());
    }
    doomed
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_agent::Bound;

    fn digest(
        conversation: &str,
        status: Status,
        at_ms: u64,
        body: Option<&str>,
    ) -> RunDescription {
        RunDescription {
            conversation: RunId(conversation.to_owned()),
            goal: Goal::Summarize,
            page: None,
            status,
            begun_at_ms: at_ms,
            at_ms,
            used: Vec::new(),
            bytes: 10,
            bodies: body
                .map(|hash| (hash.to_owned(), 100))
                .into_iter()
                .collect(),
        }
    }

    /// Creates runs on disk from id, conversation, status, and the hash of a body of 100 bytes or
    /// `None`.
    fn catalogue(runs: &[(&str, &str, Status, Option<&str>)]) -> Catalogue {
        let runs = runs.iter().zip(1..);
        let filed = runs.map(|((run, conversation, status, body), at_ms)| {
            let digest = digest(conversation, *status, at_ms, *body);
            (RunId((*run).to_owned()), Some(digest))
        });
        filed.collect()
    }

    #[test]
    fn the_oldest_finished_conversations_go_first_and_unfinished_ones_never() {
        use Status::{AwaitingUser, Completed, Failed, Paused, Running, Terminated};
        let stopped = Terminated(Bound::Stopped);
        // The oldest is first. There are nine journals of 10 bytes, and two bodies, used once and
        // twice.
        let filed = catalogue(&[
            ("1", "paused", Paused, None),
            ("2", "asks", AwaitingUser, None),
            ("3", "works", Running, None),
            ("4", "old", Completed, Some("x")),
            ("5", "failed", Failed, None),
            // Either both turns of this conversation are erased, or none.
            ("6", "long", Completed, Some("y")),
            ("7", "half", Completed, None),
            ("8", "half", Paused, None),
            ("9", "long", stopped, Some("y")),
        ]);
        for (most_bytes, expected) in [
            (1_000, &[][..]),
            (290, &[]),
            (289, &["old"]),
            (180, &["old"]),
            (179, &["old", "failed"]),
            (170, &["old", "failed"]),
            (169, &["old", "failed", "long"]),
            (0, &["old", "failed", "long"]),
        ] {
            let doomed = conversations_over_limit(&filed, most_bytes);
            let expected = expected.iter().map(|id| RunId((*id).to_owned()));
            assert_eq!(doomed, expected.collect(), "{most_bytes}");
        }
    }
}
