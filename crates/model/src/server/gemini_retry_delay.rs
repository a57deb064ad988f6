//! The time to wait before a retry, from the body of an error. It is used if the headers contain no
//! time.

use gloss_durable::json;
use gloss_host::MOST_RETRY_AFTER_MS;
use serde_json::Value;

/// Returns the time to wait in ms, in Gemini's form: `"retryDelay": "34s"` among the error's
/// details.
pub(super) fn ms(error: &Value) -> Option<u64> {
    let details = error.get("details")?.as_array()?.iter();
    let mut delays = details.filter_map(|detail| detail.get("retryDelay")?.as_str());
    let seconds = json::number(delays.next()?.strip_suffix('s')?)?;
    Some(((seconds.max(0.0) * 1_000.0) as u64).min(MOST_RETRY_AFTER_MS))
}
