//! Reads the pages of a call, each in its own step.

use futures::future::join_all;
use gloss_durable::{Ctx, Halt};
use gloss_web::{FetchError, MOST_PAGE_MS, PageOutcome, Passages, ReadPage, SourceData};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// Reads the pages of one call.
pub(super) struct PageReader {
    pub(super) passages: Passages,
    /// The prefix of the passage ids of this call.
    pub(super) call: String,
    /// Returns true while the user's switch for web search is on.
    pub(super) is_on: Rc<dyn Fn() -> bool>,
}

impl PageReader {
    /// Reads the pages in parallel. Pages that were read before the user was asked are not read
    /// again.
    pub(super) async fn read(
        &self,
        ctx: &Ctx,
        urls: &[String],
        so_far: FetchProgress,
    ) -> Result<PageOutcomes, Halt> {
        let of = urls.len().saturating_sub(so_far.pages.len());
        let mut known = so_far.pages;
        let reading = (1..).zip(urls).map(|(number, url)| {
            let at = known.iter().position(|(of, _)| *of == number);
            let known = at.map(|at| known.swap_remove(at).1);
            let read = ReadPage {
                passages: self.passages.clone(),
                url: url.clone(),
                source: format!("{}{number}", self.call),
                of,
                is_on: self.is_on.clone(),
                within_ms: MOST_PAGE_MS,
            };
            async move {
                match known {
                    Some(page) => Ok(PageOutcome {
                        page: Ok(page),
                        lacking: Vec::new(),
                        duration_ms: 0,
                    }),
                    None => ctx.step(format!("read.{number}"), read).await,
                }
            }
        });
        let reading: Vec<_> = reading.collect();
        let mut tried = PageOutcomes {
            asked: so_far.asked,
            ..PageOutcomes::default()
        };
        for told in join_all(reading).await {
            let told = told?;
            tried.duration_ms = tried.duration_ms.max(told.duration_ms);
            for origin in told.lacking {
                if !tried.lacking.contains(&origin) {
                    tried.lacking.push(origin);
                }
            }
            tried.pages.push(told.page);
        }
        Ok(tried)
    }
}

/// The progress of a call that waits for the user. Each page has its number in the call, from 1.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct FetchProgress {
    pages: Vec<(u32, SourceData)>,
    /// The origins for which the user was already asked.
    #[serde(default)]
    asked: Vec<String>,
}

/// The outcome for each address.
#[derive(Default)]
pub(super) struct PageOutcomes {
    pub(super) pages: Vec<Result<SourceData, FetchError>>,
    /// The origins that the user would have to permit, so that all pages can be read.
    lacking: Vec<String>,
    /// The origins for which the user was already asked.
    asked: Vec<String>,
    /// The time of the slowest page, in milliseconds.
    pub(super) duration_ms: u64,
}

impl PageOutcomes {
    /// Returns the origins for which the call needs permission; `None` if it needs none. If the
    /// user was not asked for some of these origins yet, only those are returned; a redirect may
    /// have added them. If there are none and every page failed for lack of permission, the refused
    /// origins are returned, so that the call counts as declined and not as failed.
    pub(super) fn lacks(&self) -> Option<Vec<String>> {
        let is_new = |origin: &&String| !self.asked.contains(origin);
        let new: Vec<String> = self.lacking.iter().filter(is_new).cloned().collect();
        if !new.is_empty() {
            return Some(new);
        }
        let lacks = |page: &Result<_, _>| matches!(page, Err(FetchError::NotPermitted { .. }));
        let refused = Some(self.lacking.clone()).filter(|origins| !origins.is_empty());
        refused.filter(|_| self.pages.iter().all(lacks))
    }

    /// Returns true if no page was read, because the user turned web search off.
    pub(super) fn is_off(&self) -> bool {
        let is_off = |page: &Result<_, _>| matches!(page, Err(FetchError::TurnedOff));
        self.pages.iter().all(Result::is_err) && self.pages.iter().any(is_off)
    }

    /// Returns the progress from which the call continues after the user has answered.
    pub(super) fn so_far(&self) -> FetchProgress {
        let pages = (1..).zip(&self.pages);
        let read = pages.filter_map(|(number, page)| Some((number, page.as_ref().ok()?.clone())));
        let asked = self.asked.iter().chain(&self.lacking);
        FetchProgress {
            pages: read.collect(),
            asked: asked.cloned().collect(),
        }
    }
}
