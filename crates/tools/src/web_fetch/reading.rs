//! The outcome of a call that reads pages, and its progress while it waits for the user.

use gloss_web::{FetchError, PageOutcomes, SourceData};
use serde::{Deserialize, Serialize};

/// The progress of a call that waits for the user. Each page has its number in the call, from 1.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct FetchProgress {
    pub(super) pages: Vec<(u32, SourceData)>,
    /// The origins for which the user was already asked.
    #[serde(default)]
    pub(super) asked: Vec<String>,
}

/// The origins for which the call needs permission; `None` if it needs none. Origins for which the
/// user was not asked yet (`asked`) come first; a redirect may have added some. If there are none
/// and every page failed for lack of permission, the refused origins are returned, so that the call
/// counts as declined and not as failed.
pub(super) fn lacks(tried: &PageOutcomes, asked: &[String]) -> Option<Vec<String>> {
    let is_new = |origin: &&String| !asked.contains(origin);
    let new: Vec<String> = tried.lacking.iter().filter(is_new).cloned().collect();
    if !new.is_empty() {
        return Some(new);
    }
    let lacks = |page: &Result<_, _>| matches!(page, Err(FetchError::NotPermitted { .. }));
    let refused = Some(tried.lacking.clone()).filter(|origins| !origins.is_empty());
    refused.filter(|_| tried.pages.iter().all(lacks))
}

/// Returns true if no page was read, because the user turned web search off.
pub(super) fn is_off(tried: &PageOutcomes) -> bool {
    let is_off = |page: &Result<_, _>| matches!(page, Err(FetchError::TurnedOff));
    tried.pages.iter().all(Result::is_err) && tried.pages.iter().any(is_off)
}
