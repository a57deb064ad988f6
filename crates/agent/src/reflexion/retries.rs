//! The tool calls that Gloss no longer makes, because they failed too often.
//!
//! Example: `web_fetch` on each site counts as a separate action. If four pages on four
//! sites are missing, each action has failed once, so a fifth page may be fetched. If four pages on
//! one site are missing, one action has failed four times. No other page of that site is fetched. A
//! search with other words counts as a retry of the search that failed (DETAILS §4).

use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_model::ToolCall;
use gloss_tools::{ErrorKind, ToolError, ToolOutcome};
use serde_json::Value;

/// The maximum number of tries of an action: one call and three retries (Property 1).
const MOST_TRIES: u32 = 4;

/// The calls that failed since the last message of the user.
#[derive(Debug, Default)]
pub(crate) struct Retries {
    /// The error of each failed call. The key is the call's tool and arguments.
    failed: SortedMap<String, String>,
    /// The failures of each action. A step in which all calls of the action succeed clears them.
    rows: SortedMap<String, FailureCount>,
}

/// The name of a tool, with the site of an address in the call's arguments if there is one. For
/// example `web_fetch of a.example`.
fn action(call: &ToolCall, site: Option<String>) -> String {
    let tool = &call.name;
    site.map_or_else(|| tool.clone(), |site| format!("{tool} of {site}"))
}

/// The failures of an action since its last success.
#[derive(Debug, Default)]
struct FailureCount {
    tries: u32,
    /// The kinds of error, for the message to the model. Errors of all kinds are counted together
    /// in `tries`.
    kinds: SortedSet<ErrorKind>,
}

impl Retries {
    /// Returns the error of a call that must not be made; `None` if the call may be made. A call
    /// must not be made if the same call failed before, or if one of its actions has failed too
    /// often.
    pub(crate) fn known_failure(&self, call: &ToolCall) -> Option<ToolError> {
        if let Some(error) = self.failed.get(&call_text(call)) {
            return Some(ToolError::RepeatedFailure {
                error: error.clone(),
            });
        }
        actions_with_tool(call).into_iter().find_map(|action| {
            let row = self.rows.get(&action)?;
            let kinds: Vec<&str> = row.kinds.iter().map(|kind| kind.name()).collect();
            (row.tries >= MOST_TRIES).then(|| ToolError::TooManyFailures {
                of: action,
                tries: row.tries,
                kinds: kinds.join(", "),
            })
        })
    }

    /// Returns the number of tries that are left for a call. If the call has several actions, the
    /// action with the most failures decides.
    pub(crate) fn left(&self, call: &ToolCall) -> u32 {
        let tried = |action: &String| self.rows.get(action).map_or(0, |row| row.tries);
        let tried = actions_with_tool(call).iter().map(tried).max();
        MOST_TRIES.saturating_sub(tried.unwrap_or_default())
    }

    /// Records the results of a step's calls, each with its number of tries. The model chose the
    /// calls of one step before it saw their errors, so an action counts only the tries of its
    /// worst call. A success does not reset an action's count if another call of the action failed
    /// in the same step.
    pub(crate) fn take<'a>(
        &mut self,
        ended: impl Iterator<Item = (&'a ToolCall, &'a ToolOutcome, u32)>,
    ) {
        let mut rows: SortedMap<String, FailureCount> = SortedMap::new();
        let mut well: SortedSet<String> = SortedSet::new();
        for (call, outcome, tries) in ended {
            match &outcome.result {
                // If the call has several sites, it is unknown which of them succeeded.
                Ok(_) => well.extend(
                    Some(actions(call))
                        .filter(|it| it.len() == 1)
                        .unwrap_or_default(),
                ),
                Err(error) if outcome.end().is_error() => {
                    self.failed.insert(call_text(call), error.to_string());
                    // Invalid arguments are counted for the tool, not for a site.
                    let failed = if error.kind() == ErrorKind::Validation {
                        SortedSet::from([action(call, None)])
                    } else {
                        actions(call)
                    };
                    for action in failed {
                        let row = rows.or_default(action);
                        row.tries = row.tries.max(tries);
                        row.kinds.insert(error.kind());
                    }
                }
                Err(_) => {}
            }
        }
        self.rows
            .retain(|action, _| rows.contains_key(action) || !well.contains(action));
        for (action, row) in rows {
            let before = self.rows.or_default(action);
            before.tries += row.tries;
            before.kinds.extend(row.kinds);
        }
    }

    /// Clears all failures. The user has sent a message, which may ask for another try.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// Returns a call as text without its id and reason.
fn call_text(call: &ToolCall) -> String {
    format!("{} {}", call.name, call.arguments)
}

/// The arguments that contain addresses.
const ADDRESSES: [&str; 2] = ["url", "urls"];

/// Returns the actions of a call: one for each site in its addresses, or else one for the tool.
fn actions(call: &ToolCall) -> SortedSet<String> {
    let values = ADDRESSES.iter().filter_map(|name| call.arguments.get(name));
    let values = values.flat_map(|value| match value {
        Value::Array(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    });
    let sites = values.filter_map(|value| site(value.as_str()?));
    let mut actions: SortedSet<_> = sites.map(|site| action(call, Some(site))).collect();
    if actions.is_empty() {
        actions.insert(action(call, None));
    }
    actions
}

/// Returns the actions of a call, and the action without a site. Calls with invalid arguments are
/// counted under the action without a site.
fn actions_with_tool(call: &ToolCall) -> SortedSet<String> {
    let mut actions = actions(call);
    actions.insert(action(call, None));
    actions
}

/// Returns the site of a web address: `https://a.example/x` is on `a.example`.
fn site(text: &str) -> Option<String> {
    let (scheme, rest) = text.trim().split_once("://")?;
    let known = ["http", "https"];
    if !known.iter().any(|it| scheme.eq_ignore_ascii_case(it)) {
        return None;
    }
    let authority = rest.split(['/', '\\', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?;
    Some(host.to_lowercase()).filter(|host| !host.is_empty())
}
