//! The effect of reading a page. Each page is read in a step of its own, and recorded separately.
//!
//! Driving example: `web_fetch` reads three pages in parallel, and the worker stops after two of
//! them. Only the third page is read again. A search reads its results in the same way.

use super::{FetchError, Passages, SourceData};
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::rc::Rc;

/// Reads a page. The effect may be repeated.
pub struct ReadPage {
    /// Reads the page and selects the passages to return.
    pub passages: Passages,
    /// The page's address.
    pub url: String,
    /// The prefix of the page's passage ids, as in `w2a1`.
    pub source: String,
    /// The number of pages that are read in parallel, including this one.
    pub of: usize,
    /// Returns true while the user's switch for web search is on.
    pub is_on: Rc<dyn Fn() -> bool>,
    /// The time limit in milliseconds, at most [`super::MOST_PAGE_MS`].
    pub within_ms: u64,
}

/// The outcome of reading a page.
#[derive(Serialize, Deserialize)]
pub struct PageOutcome {
    /// The page's passages, or the reason why the page could not be read.
    pub page: Result<SourceData, FetchError>,
    /// The origins that the user would have to permit: that of the page, or likely targets of a
    /// redirect.
    #[serde(default)]
    pub lacking: Vec<String>,
    /// The time that reading took, in milliseconds.
    pub duration_ms: u64,
}

/// Returns the number of pages that are read in parallel, from the label of one of their steps; 1
/// if the label does not contain it.
pub fn parallel_count(label: &Value) -> usize {
    let of = label.get("of").and_then(Value::as_u64);
    of.and_then(|of| usize::try_from(of).ok()).unwrap_or(1)
}

impl Effect for ReadPage {
    type Outcome = PageOutcome;

    const KIND: &'static str = "read";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.url, &self.source, &self.passages.query))
    }

    fn label(&self) -> Value {
        json!({ "url": self.url, "of": self.of })
    }

    fn perform(self, _call: Call) -> Fut<PageOutcome> {
        async move {
            let fetcher = &self.passages.fetcher;
            let clock = fetcher.clock.clone();
            let began_ms = clock.now_ms();
            let mut lacking = Vec::new();
            let page = match fetcher.address(&self.url) {
                _ if !(self.is_on)() => Err(FetchError::TurnedOff),
                Err(refusal) => Err(refusal.into()),
                Ok(address) => {
                    let read = self.passages.of(self.source, &address, self.within_ms);
                    let page = read.await;
                    if let Err(error) = &page {
                        lacking = fetcher.lacking_for(&address, error).await;
                    }
                    page
                }
            };
            PageOutcome {
                page,
                lacking,
                duration_ms: clock.now_ms().saturating_sub(began_ms),
            }
        }
        .boxed_local()
    }
}
