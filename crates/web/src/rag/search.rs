//! The effect of querying a search provider.

use super::{MissingPermission, ResearchState};
use crate::search::{Hit, Provider, Query, SearchError, language_of};
use futures::FutureExt;
use gloss_durable::{Call, Class, Clock, Effect, Fingerprint, Fut, Halt, within};
use gloss_host::Languages;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::rc::Rc;

/// The number of results to request (DETAILS §4).
const RESULTS: u8 = 5;

/// The time limit for a provider's answer, in ms. It is longer than the limit of the request
/// itself, so that a slow request ends with its own error.
const MOST_MS: u64 = 16_000;

/// Queries a provider. The effect may be repeated.
pub(super) struct Search {
    provider: Rc<dyn Provider>,
    languages: Rc<dyn Languages>,
    /// The user's own messages, oldest first.
    said: Rc<[String]>,
    /// The query. Its language is detected before it is sent.
    query: Query,
    is_on: Rc<dyn Fn() -> bool>,
    is_fresh: bool,
    /// The time to wait before the query is sent, in ms.
    wait_ms: u64,
    within_ms: u64,
    clock: Rc<dyn Clock>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Answered {
    /// True if nothing was sent, because the user turned web search off.
    #[serde(default)]
    is_off: bool,
    /// The language of the search, as a BCP 47 tag; empty if the time limit was reached before it
    /// was known.
    #[serde(default)]
    language: String,
    hits: Result<Vec<Hit>, SearchError>,
    duration_ms: u64,
}

impl Effect for Search {
    type Outcome = Answered;

    const KIND: &'static str = "search";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.query, self.is_fresh))
    }

    fn label(&self) -> Value {
        json!({ "query": self.query.text })
    }

    fn perform(mut self, _call: Call) -> Fut<Answered> {
        async move {
            let began_ms = self.clock.now_ms();
            if self.wait_ms > 0 {
                self.clock.sleep(self.wait_ms).await;
            }
            if !(self.is_on)() {
                return Answered {
                    is_off: true,
                    language: String::new(),
                    hits: Ok(Vec::new()),
                    duration_ms: 0,
                };
            }
            let asked = async {
                let words = format!("{}\n{}", self.said.join("\n"), self.query.text);
                self.query.language = language_of(&words, &*self.languages).await;
                let query = self.query.clone();
                self.provider.search(query, RESULTS, self.is_fresh).await
            };
            let hits = within(&*self.clock, self.within_ms, asked).await;
            Answered {
                is_off: false,
                language: self.query.language,
                hits: hits.unwrap_or_else(|| {
                    Err(SearchError::Unreachable {
                        provider: self.provider.name().to_owned(),
                        message: format!("no response within {} s", self.within_ms / 1000),
                    })
                }),
                duration_ms: self.clock.now_ms().saturating_sub(began_ms),
            }
        }
        .boxed_local()
    }
}

impl ResearchState<'_> {
    /// Runs a search, with one retry if a retry may help. Returns `None` if the search failed.
    pub(super) async fn search(
        &mut self,
        round: usize,
        query: &str,
    ) -> Result<Option<Vec<Hit>>, Halt> {
        self.findings.searched.push(query.to_owned());
        let place = format!("search.{round}");
        let mut hits = self.ask(place, query, 0).await?;
        let wait_ms = hits.as_ref().err().and_then(SearchError::wait_ms);
        if let Some(wait_ms) = wait_ms.filter(|_| !self.is_over()) {
            let place = format!("search.{round}.again");
            hits = self.ask(place, query, wait_ms).await?;
        }
        Ok(match hits {
            _ if self.is_off => None,
            Ok(hits) => Some(hits),
            Err(error) => {
                self.findings.failed(&error);
                if let SearchError::NotPermitted { origin } = error {
                    self.lacks = Some(MissingPermission::Provider(origin));
                }
                None
            }
        })
    }

    async fn ask(
        &mut self,
        place: String,
        query: &str,
        wait_ms: u64,
    ) -> Result<Result<Vec<Hit>, SearchError>, Halt> {
        let search = Search {
            provider: self.with.provider.clone(),
            languages: self.with.judge.languages.clone(),
            said: self.asked.said.clone(),
            is_on: self.with.is_on.clone(),
            query: Query {
                text: query.to_owned(),
                ..self.asked.query.clone()
            },
            is_fresh: self.asked.is_fresh,
            wait_ms,
            within_ms: self.within(MOST_MS),
            clock: self.clock(),
        };
        let Answered {
            is_off,
            mut hits,
            duration_ms,
            ..
        } = self.ctx.step(place, search).await?;
        self.duration_ms += duration_ms;
        self.is_off |= is_off;
        if let Ok(hits) = &mut hits {
            hits.truncate(RESULTS.into());
        }
        Ok(hits)
    }
}
