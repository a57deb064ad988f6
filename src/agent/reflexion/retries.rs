//! What is not tried again.

use crate::model::ToolCall;
use crate::tools::{ErrorKind, ToolError, ToolOutcome};
use std::collections::{BTreeMap, BTreeSet};

/// How often an action is made at most: once, and three retries (Property 1).
const MOST_TRIES: u32 = 4;

/// The calls that failed since the person last said something.
#[derive(Debug, Default)]
pub(in crate::agent) struct Retries {
    /// As they were made.
    failed: BTreeMap<String, String>,
    /// Of each tool, what failed since a step in which all of its calls went well.
    rows: BTreeMap<String, Row>,
}

/// Failures of a tool, one after the other.
#[derive(Debug, Default)]
struct Row {
    /// How often it was tried.
    tries: u32,
    /// In which ways it failed: another way is no other action.
    kinds: BTreeSet<ErrorKind>,
}

impl Retries {
    /// Why a call is not made, if it is not: the very same failed before, or its tool keeps
    /// failing, in whatever ways.
    pub(in crate::agent) fn in_vain(&self, call: &ToolCall) -> Option<ToolError> {
        if let Some(error) = self.failed.get(&act(call)) {
            return Some(ToolError::InVain {
                tries: 1,
                error: error.clone(),
            });
        }
        let row = self.rows.get(&call.name)?;
        let kinds: Vec<&str> = row.kinds.iter().map(|kind| kind.name()).collect();
        (row.tries >= MOST_TRIES).then(|| ToolError::InVain {
            tries: row.tries,
            error: kinds.join(", "),
        })
    }

    /// How often a call may be made, the tries of its tool before it counted.
    pub(in crate::agent) fn left(&self, call: &ToolCall) -> u32 {
        let tried = self.rows.get(&call.name).map(|row| row.tries);
        MOST_TRIES.saturating_sub(tried.unwrap_or_default())
    }

    /// Takes the ends of a step's calls, with how often each was tried. Those of one step are
    /// independent: together they are one more try. One that went well beside one that failed
    /// says nothing of that one, which is still to be mended.
    pub(in crate::agent) fn take<'a>(
        &mut self,
        ended: impl Iterator<Item = (&'a ToolCall, &'a ToolOutcome, u32)>,
    ) {
        let mut rows: BTreeMap<String, Row> = BTreeMap::new();
        let mut well: BTreeSet<&str> = BTreeSet::new();
        for (call, outcome, tries) in ended {
            match &outcome.result {
                Ok(_) => {
                    well.insert(&call.name);
                }
                Err(error) if outcome.end().is_error() => {
                    self.failed.insert(act(call), error.to_string());
                    let row = rows.entry(call.name.clone()).or_default();
                    row.tries = row.tries.max(tries);
                    row.kinds.insert(error.kind());
                }
                Err(_) => {}
            }
        }
        self.rows
            .retain(|tool, _| rows.contains_key(tool) || !well.contains(tool.as_str()));
        for (tool, row) in rows {
            let before = self.rows.entry(tool).or_default();
            before.tries += row.tries;
            before.kinds.extend(row.kinds);
        }
    }

    /// The person said something: what failed may be what they want to have tried again.
    pub(in crate::agent) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// A call but for its id and its reason.
fn act(call: &ToolCall) -> String {
    format!("{} {}", call.name, call.arguments)
}
