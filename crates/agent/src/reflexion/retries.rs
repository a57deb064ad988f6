//! What is not tried again.
//!
//! Driving example: four pages of four sites that are gone are four actions, and the fifth is
//! asked for; of one site, four are enough. A search that failed, and failed with other words,
//! is one action all along: changed arguments are its retries (DETAILS §4).

use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_model::ToolCall;
use gloss_tools::{ErrorKind, ToolError, ToolOutcome};
use serde_json::Value;
use std::fmt;

/// How often an action is made at most: once, and three retries (Property 1).
const MOST_TRIES: u32 = 4;

/// The calls that failed since the person last said something.
#[derive(Debug, Default)]
pub(crate) struct Retries {
    /// As they were made.
    failed: SortedMap<String, String>,
    /// Of each action, what failed since a step in which all of its calls went well.
    rows: SortedMap<Action, Row>,
}

/// A tool, and the site that it goes to if it is told one.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Action {
    tool: String,
    site: Option<String>,
}

impl Action {
    fn of(call: &ToolCall, site: Option<String>) -> Self {
        Self {
            tool: call.name.clone(),
            site,
        }
    }
}

/// As in `web_fetch of a.example`.
impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.site {
            Some(site) => write!(f, "{} of {site}", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}

/// Failures of an action, one after the other.
#[derive(Debug, Default)]
struct Row {
    /// How often it was tried.
    tries: u32,
    /// In which ways it failed: another way is no other action.
    kinds: SortedSet<ErrorKind>,
}

impl Retries {
    /// Why a call is not made, if it is not: the very same failed before, or something that it
    /// would do keeps failing, in whatever ways.
    pub(crate) fn in_vain(&self, call: &ToolCall) -> Option<ToolError> {
        if let Some(error) = self.failed.get(&act(call)) {
            return Some(ToolError::InVain {
                error: error.clone(),
            });
        }
        tried_as(call).into_iter().find_map(|action| {
            let row = self.rows.get(&action)?;
            let kinds: Vec<&str> = row.kinds.iter().map(|kind| kind.name()).collect();
            (row.tries >= MOST_TRIES).then(|| ToolError::GivenUp {
                of: action.to_string(),
                tries: row.tries,
                kinds: kinds.join(", "),
            })
        })
    }

    /// How often a call may be made, the tries of all that it does counted.
    pub(crate) fn left(&self, call: &ToolCall) -> u32 {
        let tried = |action: &Action| self.rows.get(action).map_or(0, |row| row.tries);
        let tried = tried_as(call).iter().map(tried).max();
        MOST_TRIES.saturating_sub(tried.unwrap_or_default())
    }

    /// Takes the ends of a step's calls, with how often each was tried. Those of one step are
    /// independent: together they are one more try. One that went well beside one that failed
    /// says nothing of that one, which is still to be mended.
    pub(crate) fn take<'a>(
        &mut self,
        ended: impl Iterator<Item = (&'a ToolCall, &'a ToolOutcome, u32)>,
    ) {
        let mut rows: SortedMap<Action, Row> = SortedMap::new();
        let mut well: SortedSet<Action> = SortedSet::new();
        for (call, outcome, tries) in ended {
            match &outcome.result {
                // Of several sites nobody says which went well.
                Ok(_) => well.extend(
                    Some(actions(call))
                        .filter(|it| it.len() == 1)
                        .unwrap_or_default(),
                ),
                Err(error) if outcome.end().is_error() => {
                    self.failed.insert(act(call), error.to_string());
                    // What was wrong with the arguments is no site's fault.
                    let failed = if error.kind() == ErrorKind::Validation {
                        SortedSet::from([Action::of(call, None)])
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

    /// The person said something: what failed may be what they want to have tried again.
    pub(crate) fn forget(&mut self) {
        *self = Self::default();
    }
}

/// A call but for its id and its reason.
fn act(call: &ToolCall) -> String {
    format!("{} {}", call.name, call.arguments)
}

/// The arguments that hold addresses.
const ADDRESSES: [&str; 2] = ["url", "urls"];

/// What a call does: one thing, or something of each site whose addresses it is given.
fn actions(call: &ToolCall) -> SortedSet<Action> {
    let values = ADDRESSES.iter().filter_map(|name| call.arguments.get(name));
    let values = values.flat_map(|value| match value {
        Value::Array(items) => items.as_slice(),
        one => std::slice::from_ref(one),
    });
    let sites = values.filter_map(|value| site(value.as_str()?));
    let mut actions: SortedSet<_> = sites.map(|site| Action::of(call, Some(site))).collect();
    if actions.is_empty() {
        actions.insert(Action::of(call, None));
    }
    actions
}

/// The same, with the tool itself: arguments that were wrong are counted there.
fn tried_as(call: &ToolCall) -> SortedSet<Action> {
    let mut actions = actions(call);
    actions.insert(Action::of(call, None));
    actions
}

/// The site of an address, if it is one.
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
