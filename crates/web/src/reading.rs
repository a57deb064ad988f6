//! The effect of reading a page. Each page is read in a step of its own, and recorded separately.
//!
//! Example: `web_fetch` reads three pages in parallel, and the worker stops after two of
//! them. Only the third page is read again. A search reads its results in the same way.

use super::{FetchError, Passages, SourceData};
use futures::FutureExt;
use futures::future::join_all;
use gloss_durable::{Call, Class, Ctx, Effect, Fingerprint, Fut, Halt};
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

/// Pages to read in parallel, each in a step of its own.
pub struct PageReading {
    /// The selection of the passages to return.
    pub passages: Passages,
    /// The addresses of the pages.
    pub urls: Vec<String>,
    /// The prefix of the passage ids of all pages, as in `w2a`.
    pub source: String,
    /// Returns true while the user's switch for web search is on.
    pub is_on: Rc<dyn Fn() -> bool>,
    /// The time limit in milliseconds, at most [`super::MOST_PAGE_MS`]. With 0, no page is read.
    pub within_ms: u64,
    /// The pages that were read before the user was asked, with their numbers from 1. They are not
    /// read again.
    pub known: Vec<(u32, SourceData)>,
}

/// The outcomes of reading several pages.
pub struct PageOutcomes {
    /// The outcome for each page, in order.
    pub pages: Vec<Result<SourceData, FetchError>>,
    /// The origins that the user would have to permit, so that all pages can be read.
    pub lacking: Vec<String>,
    /// The time of the slowest page, in milliseconds.
    pub duration_ms: u64,
}

impl PageReading {
    /// Reads the pages.
    ///
    /// # Errors
    /// If the run can't continue in this worker.
    pub async fn read(self, ctx: &Ctx) -> Result<PageOutcomes, Halt> {
        let mut known = self.known;
        let of = self.urls.len().saturating_sub(known.len());
        let reading = (1..).zip(self.urls).map(|(number, url)| {
            let at = known.iter().position(|(known, _)| *known == number);
            let known = at.map(|at| known.swap_remove(at).1);
            let timed_out = (self.within_ms == 0).then_some(FetchError::TimedOut { seconds: 0 });
            let known = known.map(Ok).or(timed_out.map(Err));
            let read = ReadPage {
                passages: self.passages.clone(),
                url,
                source: format!("{}{number}", self.source),
                of,
                is_on: self.is_on.clone(),
                within_ms: self.within_ms,
            };
            async move {
                match known {
                    Some(page) => Ok(PageOutcome {
                        page,
                        lacking: Vec::new(),
                        duration_ms: 0,
                    }),
                    None => ctx.step(format_args!("read.{number}"), read).await,
                }
            }
        });
        let reading: Vec<_> = reading.collect();
        let mut outcomes = PageOutcomes {
            pages: Vec::new(),
            lacking: Vec::new(),
            duration_ms: 0,
        };
        for read in join_all(reading).await {
            let read = read?;
            outcomes.duration_ms = outcomes.duration_ms.max(read.duration_ms);
            for origin in read.lacking {
                if !outcomes.lacking.contains(&origin) {
                    outcomes.lacking.push(origin);
                }
            }
            outcomes.pages.push(read.page);
        }
        Ok(outcomes)
    }
}

impl PageOutcomes {
    /// The pages that were read, with their numbers from 1.
    pub fn read(&self) -> Vec<(u32, SourceData)> {
        let pages = (1..).zip(&self.pages);
        let read = pages.filter_map(|(number, page)| Some((number, page.as_ref().ok()?.clone())));
        read.collect()
    }
}

/// The number of pages that are read in parallel, as the label of one of these steps states.
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
