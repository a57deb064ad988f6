//! Reading a page as a step of a call: what it says is recorded by itself.
//!
//! Driving example: `web_fetch` reads three pages side by side, and the worker dies when two of
//! them are there. The third alone is read again. A search reads what it found in the same way.

use super::{FetchError, Passages, SourceData};
use futures::FutureExt;
use gloss_durable::{Call, Class, Effect, Fingerprint, Fut};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::rc::Rc;

/// Reads a page. Safe to repeat.
pub struct Read {
    /// What is wanted of it.
    pub passages: Passages,
    /// Its address.
    pub url: String,
    /// What the ids of its passages begin with, as in `w2a1`.
    pub source: String,
    /// How many are read side by side, this one among them.
    pub of: usize,
    /// Whether the person lets the web be asked, at this moment.
    pub is_on: Rc<dyn Fn() -> bool>,
    /// How long it may take; never longer than [`super::MOST_PAGE_MS`].
    pub within_ms: u64,
}

/// What came of it.
#[derive(Serialize, Deserialize)]
pub struct Told {
    /// What it says, or why it could not be read.
    pub page: Result<SourceData, FetchError>,
    /// The origins that the person would have to allow: its own, or where its site sends on to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lacking: Vec<String>,
    /// How long it took.
    pub duration_ms: u64,
}

/// How many pages are read side by side, by the label of the step that reads one of them.
pub fn abreast(label: &Value) -> usize {
    let of = label.get("of").and_then(Value::as_u64);
    of.and_then(|of| usize::try_from(of).ok()).unwrap_or(1)
}

impl Effect for Read {
    type Outcome = Told;

    const KIND: &'static str = "read";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.url, &self.source, &self.passages.query))
    }

    fn label(&self) -> Value {
        json!({ "url": self.url, "of": self.of })
    }

    fn perform(self, _call: Call) -> Fut<Told> {
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
            Told {
                page,
                lacking,
                duration_ms: clock.now_ms().saturating_sub(began_ms),
            }
        }
        .boxed_local()
    }
}
