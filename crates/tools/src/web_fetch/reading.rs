//! The pages of a call, each a step of it.

use futures::future::join_all;
use gloss_durable::{Ctx, Halt};
use gloss_web::{FetchError, MOST_PAGE_MS, Passages, Read, SourceData, Told};
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// How pages are read.
pub(super) struct Reading {
    pub(super) passages: Passages,
    /// What the ids of the call's passages begin with.
    pub(super) call: String,
    /// Whether the person lets the web be asked, at this moment.
    pub(super) is_on: Rc<dyn Fn() -> bool>,
}

impl Reading {
    /// Reads them side by side, but for what was read before the person was asked.
    pub(super) async fn read(
        &self,
        ctx: &Ctx,
        urls: &[String],
        so_far: SoFar,
    ) -> Result<Tried, Halt> {
        let of = urls.len().saturating_sub(so_far.pages.len());
        let mut known = so_far.pages;
        let reading = (1..).zip(urls).map(|(number, url)| {
            let at = known.iter().position(|(of, _)| *of == number);
            let known = at.map(|at| known.swap_remove(at).1);
            let read = Read {
                passages: self.passages.clone(),
                url: url.clone(),
                source: format!("{}{number}", self.call),
                of,
                is_on: self.is_on.clone(),
                within_ms: MOST_PAGE_MS,
            };
            async move {
                match known {
                    Some(page) => Ok(Told {
                        page: Ok(page),
                        lacking: Vec::new(),
                        duration_ms: 0,
                    }),
                    None => ctx.step(format!("read.{number}"), read).await,
                }
            }
        });
        let reading: Vec<_> = reading.collect();
        let mut tried = Tried {
            asked: so_far.asked,
            ..Tried::default()
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

/// What was read when the person had to be asked, by its place in the call, from 1.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct SoFar {
    pages: Vec<(u32, SourceData)>,
    /// The origins that they were asked for.
    #[serde(default)]
    asked: Vec<String>,
}

/// What came of each address.
#[derive(Default)]
pub(super) struct Tried {
    pub(super) pages: Vec<Result<SourceData, FetchError>>,
    /// The origins that it would take to read all of them.
    lacking: Vec<String>,
    /// Those that the person was asked for before.
    asked: Vec<String>,
    /// How long the slowest took.
    pub(super) duration_ms: u64,
}

impl Tried {
    /// What the person is asked for, once for all of the call, and once more for where sites sent
    /// on to that may be read by now; or what they refused, where nothing could be read without
    /// it: no failure, but their word.
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

    /// Whether nothing was read as the person turned it off.
    pub(super) fn is_off(&self) -> bool {
        let is_off = |page: &Result<_, _>| matches!(page, Err(FetchError::TurnedOff));
        self.pages.iter().all(Result::is_err) && self.pages.iter().any(is_off)
    }

    /// What the call goes on with once they have answered.
    pub(super) fn so_far(&self) -> SoFar {
        let pages = (1..).zip(&self.pages);
        let read = pages.filter_map(|(number, page)| Some((number, page.as_ref().ok()?.clone())));
        let asked = self.asked.iter().chain(&self.lacking);
        SoFar {
            pages: read.collect(),
            asked: asked.cloned().collect(),
        }
    }
}
