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
    /// How often a tool was tried in a row, and failed in the same way.
    rows: BTreeMap<(String, ErrorKind), u32>,
}

impl Retries {
    /// Why a call is not made, if it is not: the very same failed before, or its tool keeps
    /// failing in one way.
    pub(in crate::agent) fn in_vain(&self, call: &ToolCall) -> Option<ToolError> {
        if let Some(error) = self.failed.get(&act(call)) {
            return Some(ToolError::InVain {
                tries: 1,
                error: error.clone(),
            });
        }
        let kept = |((tool, _), tries): &(&(String, ErrorKind), &u32)| {
            *tool == call.name && **tries >= MOST_TRIES
        };
        let ((_, kind), tries) = self.rows.iter().find(kept)?;
        Some(ToolError::InVain {
            tries: *tries,
            error: kind.name().to_owned(),
        })
    }

    /// How often a call may be made, the tries of its like before it counted.
    pub(in crate::agent) fn left(&self, call: &ToolCall) -> u32 {
        let rows = self.rows.iter().filter(|((tool, _), _)| *tool == call.name);
        let most = rows.map(|(_, tries)| *tries).max().unwrap_or_default();
        MOST_TRIES.saturating_sub(most)
    }

    /// Takes the ends of a step's calls, with how often each was tried. Those of one step are
    /// independent: together they are one more try.
    pub(in crate::agent) fn take<'a>(
        &mut self,
        ended: impl Iterator<Item = (&'a ToolCall, &'a ToolOutcome, u32)>,
    ) {
        let mut rows: BTreeMap<(String, ErrorKind), u32> = BTreeMap::new();
        let mut well: BTreeSet<&str> = BTreeSet::new();
        for (call, outcome, tries) in ended {
            match &outcome.result {
                Ok(_) => {
                    well.insert(&call.name);
                }
                Err(error) if outcome.end().is_error() => {
                    self.failed.insert(act(call), error.to_string());
                    let row = rows.entry((call.name.clone(), error.kind()));
                    let most = row.or_default();
                    *most = tries.max(*most);
                }
                Err(_) => {}
            }
        }
        for (row, tries) in rows {
            *self.rows.entry(row).or_default() += tries;
        }
        self.rows
            .retain(|(tool, _), _| !well.contains(tool.as_str()));
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
