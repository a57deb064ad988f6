//! The messages that a run receives, and the waits that they end.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A message that a run can receive while it is active or parked.
pub trait Message: Serialize + DeserializeOwned {
    /// The message's name in journals; a wait names the kind that it accepts.
    const NAME: &'static str;
}

/// A message in the inbox.
#[derive(Clone)]
pub(super) struct StoredMessage {
    pub(super) id: String,
    pub(super) kind: String,
    pub(super) body: Value,
    /// True if the run can't read the message any more: it was read or withdrawn, or the code
    /// changed.
    pub(super) gone: bool,
    /// True if the message was read.
    pub(super) heard: bool,
}

/// Returns the number of the record of the wait that a message answers: `verdict.7` -> 7. Returns
/// `None` if the id names no wait; such a message answers any wait for its kind.
pub(super) fn answers(id: &str, kind: &str) -> Option<u64> {
    id.strip_prefix(kind)?.strip_prefix('.')?.parse().ok()
}

impl StoredMessage {
    /// Returns true if the message ends a wait for `kind`. `waits` contains the record numbers of
    /// the wait; there are several if the wait was recorded again.
    pub(super) fn ends(&self, kind: &str, waits: &[u64]) -> bool {
        ends((&self.id, &self.kind), kind, waits)
    }
}

/// Does the same as [`StoredMessage::ends`], for a message that is given by its id and kind.
pub(super) fn ends((id, kind): (&str, &str), wanted: &str, waits: &[u64]) -> bool {
    kind == wanted && answers(id, kind).is_none_or(|wait| waits.contains(&wait))
}

/// The message that a wait's time is up. Its id is `elapsed.<record of the wait>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Elapsed;

impl Message for Elapsed {
    const NAME: &'static str = "elapsed";
}
