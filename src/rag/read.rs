//! Reading: the best relevant pages by their passages, the others by their excerpts.

use super::judge::in_time;
use super::{Grade, MOST_READ, Work};
use crate::durable::{Call, Class, Effect, Fingerprint, Halt};
use crate::host::{Clock, Fut};
use crate::model::PassageData;
use crate::search::Hit;
use crate::web::{Found, Passages, SourceData, Standing};
use futures::FutureExt;
use futures::future::join_all;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A page is given so long: less than it takes by itself, so that its own end is told.
const MOST_MS: u64 = 29_000;

/// Reads a page that was found. Safe to repeat.
pub(super) struct Read {
    passages: Passages,
    url: String,
    source: String,
    is_on: Rc<dyn Fn() -> bool>,
    within_ms: u64,
    clock: Rc<dyn Clock>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Done {
    /// What it says, or why it could not be read.
    page: Result<SourceData, String>,
    /// The origins that it would take.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    lacking: Vec<String>,
    duration_ms: u64,
}

impl Effect for Read {
    type Outcome = Done;

    const KIND: &'static str = "read";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.url, &self.source, &self.passages.query))
    }

    fn label(&self) -> Value {
        json!({ "url": self.url })
    }

    fn perform(self, _call: Call) -> Fut<Done> {
        async move {
            let began_ms = self.clock.now_ms();
            let fetcher = self.passages.fetcher.clone();
            let mut lacking = Vec::new();
            let page = match fetcher.address(&self.url) {
                _ if !(self.is_on)() => Err("the user has turned web search off".to_owned()),
                Err(refusal) => Err(refusal.to_string()),
                Ok(address) => {
                    let read = self.passages.of(self.source, &address);
                    match in_time(&*self.clock, self.within_ms, read).await {
                        Some(Err(error)) => {
                            lacking = fetcher.lacking_for(&address, &error).await;
                            Err(error.to_string())
                        }
                        Some(Ok(page)) => Ok(page),
                        None => Err("no time was left".to_owned()),
                    }
                }
            };
            Done {
                page,
                lacking,
                duration_ms: self.clock.now_ms().saturating_sub(began_ms),
            }
        }
        .boxed_local()
    }
}

/// A relevant page, read if it could be.
struct Tried {
    /// Its rank, from 1.
    number: u32,
    /// As it was read.
    read: Option<SourceData>,
    /// As it is told.
    page: SourceData,
    lacking: Vec<String>,
    duration_ms: u64,
}

impl Work<'_> {
    /// Reads the best of what is relevant, side by side, but for what was read before the person
    /// was asked. Gives the origins that it would take to read all of them.
    pub(super) async fn read(&mut self) -> Result<Vec<String>, Halt> {
        let relevant = self.known.sort_into(&mut self.findings);
        let passages = Passages {
            query: Some(self.question()),
            ..self.with.passages.clone()
        };
        let within_ms = self.within(MOST_MS);
        let reading = (1..).zip(relevant).map(|(number, (hit, grade))| {
            let (ctx, clock) = (self.ctx.clone(), self.clock());
            let source = format!("{}{number}", self.with.source);
            let read = Read {
                passages: passages.clone(),
                url: hit.url.clone(),
                source: source.clone(),
                is_on: self.with.is_on.clone(),
                within_ms,
                clock,
            };
            let at = self.read.iter().position(|(known, _)| *known == number);
            let known = at.map(|at| self.read.swap_remove(at).1);
            async move {
                let is_read = number <= MOST_READ && within_ms > 0 && known.is_none();
                let done = if is_read {
                    Some(ctx.step(format!("read.{number}"), read).await?)
                } else {
                    None
                };
                let (page, lacking, duration_ms) = match done {
                    Some(done) => (done.page.ok(), done.lacking, done.duration_ms),
                    None => (known, Vec::new(), 0),
                };
                Ok(Tried {
                    number,
                    read: page.clone(),
                    page: told(page, source, hit, grade),
                    lacking,
                    duration_ms,
                })
            }
        });
        let reading: Vec<_> = reading.collect();
        let read: Vec<Result<Tried, Halt>> = join_all(reading).await;
        let (mut longest_ms, mut lacking) = (0, Vec::new());
        for tried in read {
            let Tried {
                number,
                read,
                page,
                lacking: origins,
                duration_ms,
            } = tried?;
            self.read.extend(read.map(|page| (number, page)));
            for origin in origins {
                if !lacking.contains(&origin) {
                    lacking.push(origin);
                }
            }
            longest_ms = longest_ms.max(duration_ms);
            self.findings.pages.push(page);
        }
        self.duration_ms += longest_ms;
        Ok(lacking)
    }
}

/// A page with what the search says of it: its own passages, else the provider's excerpt.
fn told(page: Option<SourceData>, source: String, hit: Hit, grade: Grade) -> SourceData {
    let read = page.filter(|page| !page.passages.is_empty());
    let standing = match read {
        Some(_) => Standing::Read,
        None => Standing::Excerpt,
    };
    let excerpt = PassageData {
        id: format!("{source}.p1"),
        text: hit.snippet,
        why: None,
    };
    let mut page = read.unwrap_or_else(|| SourceData {
        id: source,
        asked: None,
        url: hit.url,
        title: String::new(),
        passages: Some(excerpt)
            .filter(|excerpt| !excerpt.text.trim().is_empty())
            .into_iter()
            .collect(),
        share_percent: None,
        printed: BTreeMap::new(),
        directives: BTreeMap::new(),
        found: None,
    });
    if page.title.trim().is_empty() {
        page.title = hit.title;
    }
    page.found = Some(Found {
        relevant: grade.reason,
        confidence_percent: grade.confidence_percent,
        date: hit.date,
        standing,
    });
    page
}
