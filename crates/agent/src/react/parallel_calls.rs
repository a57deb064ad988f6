//! Chooses the calls of a step that run at the same time.

use crate::reflexion::Retries;
use gloss_durable::Class;
use gloss_durable::sorted::sort_by_key;
use gloss_model::ToolCall;
use gloss_tools::{ToolError, Toolbox};

/// Calls of a step, each with its position in the step.
pub(crate) type Calls = Vec<(usize, ToolCall)>;

/// Splits the calls into those that can run now and the rest. A call waits if its `after` names
/// another call in `left`. External calls, which change the world, run one at a time and in order
/// (DETAILS §2). If all calls wait for each other, the first call runs now.
pub(crate) fn parallel_calls(left: Calls, toolbox: &Toolbox) -> (Calls, Calls) {
    let ids: Vec<String> = left.iter().map(|(_, call)| call.id.clone()).collect();
    let waits = |call: &ToolCall| {
        call.after
            .as_ref()
            .is_some_and(|after| *after != call.id && ids.contains(after))
    };
    let (mut now, mut later): (Calls, Calls) = left.into_iter().partition(|(_, call)| !waits(call));
    if now.is_empty() {
        now = later.drain(..1).collect();
    }
    let changes = |(_, call): &(usize, ToolCall)| toolbox.properties(call).class == Class::External;
    if now.len() > 1 && now.iter().any(changes) {
        let (mut alone, rest): (Calls, Calls) = now.into_iter().partition(changes);
        if rest.is_empty() {
            later.extend(alone.split_off(1));
            now = alone;
        } else {
            later.extend(alone);
            now = rest;
        }
        sort_by_key(&mut later, |(place, _)| *place);
    }
    (now, later)
}

/// Splits the calls into those to make and those not to make. A call is not made if its position,
/// from 0, is `most` or higher, or if `retries` knows that it fails.
pub(crate) fn select_calls(
    calls: &[ToolCall],
    most: usize,
    retries: &Retries,
) -> (Calls, Vec<(usize, ToolCall, ToolError)>) {
    let (mut made, mut not_made) = (Vec::new(), Vec::new());
    for (place, call) in calls.iter().cloned().enumerate() {
        let error = if place < most {
            retries.known_failure(&call)
        } else {
            Some(ToolError::Skipped)
        };
        match error {
            Some(error) => not_made.push((place, call, error)),
            None => made.push((place, call)),
        }
    }
    (made, not_made)
}
