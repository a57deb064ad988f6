//! Search providers behind one trait.
//!
//! Driving example: `web_search` asks [`Provider::search`] with a [`Query`] and is given
//! [`Hit`]s in the provider's order, or a [`SearchError`] in words. What an answer makes of
//! them (grading, rewriting, reading) stands above, in the agent.
//!
//! Each provider's `Dialect` is a pure pair, a request from a query and hits from a body, in
//! the form that the provider documents. One sender stands around them (`ask`): the key at
//! the moment of a call, time and size, what is refused. Around that [`Desk`] counts searches
//! (`counted`) and keeps results ([`Recent`](crate)), both across the deaths of workers. Deliberately
//! absent: retries, and words for a person.

mod ask;
mod brave;
mod counted;
mod dates;
mod desk;
mod dialect;
mod domains;
mod engine;
mod google;
mod language;
mod narrow;
mod plain;
mod searxng;
mod settings;
mod tavily;
#[cfg(test)]
mod tests;
mod url;
mod wikipedia;

pub use ask::MOST_CHARACTERS;
pub use desk::Desk;
pub use desk::SEARCHED;
pub use domains::Domains;
pub use engine::{Engine, KeyNeed};
pub use language::language_of;
pub use settings::{MOST_A_DAY, MOST_A_MINUTE, Server, Settings};

use gloss_durable::Fut;
use gloss_model::phrase::{Phrase, in_units, phrase};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What is asked of a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Query {
    /// The words, at most 200 characters (DETAILS §12).
    pub text: String,
    /// Narrows to the domains trusted for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// When it was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dates: Option<DateRange>,
    /// What is looked for.
    pub kind: Kind,
    /// The language to search in ([`language_of`]), a BCP 47 tag; empty: the provider chooses.
    pub language: String,
}

/// What is looked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Pages.
    #[default]
    Web,
    /// Pictures.
    Image,
    /// Films.
    Video,
    /// Reports of the day.
    News,
}

/// A source category (SPEC §4).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "each is what its name says")]
pub enum Category {
    Encyclopedia,
    Programming,
    Academic,
    Government,
    Finance,
    Tech,
    Reference,
    News,
    Health,
    Legal,
    Sports,
}

/// A range of dates of publication.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DateRange {
    /// The last 24 hours.
    Day,
    /// The last seven days.
    Week,
    /// The last 31 days.
    Month,
    /// The last 365 days.
    Year,
    /// From one day to another, both included, as in `2026-01-31`.
    Between {
        /// The first day.
        from: String,
        /// The last.
        to: String,
    },
}

/// One result, in the provider's words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Hit {
    /// Of the page.
    pub title: String,
    /// The page's address.
    pub url: String,
    /// What the provider shows of it, without markup.
    pub snippet: String,
    /// When it was published, as far as the provider says: `2026-01-31`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The address of a small picture of it; shown after a click alone (DETAILS §4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thumbnail: Option<String>,
}

/// Why there are no results. An empty list is no error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum SearchError {
    /// The provider wants a key, or refuses the one it has.
    #[error("{provider} refused the key, or requires one")]
    Key {
        /// Its name.
        provider: String,
    },
    /// The person has not let Gloss speak to it.
    #[error("Gloss isn't allowed to connect to {origin} yet")]
    NotPermitted {
        /// As in `https://api.example`.
        origin: String,
    },
    /// Too many searches; ours or the provider's count.
    #[error("too many searches: the next one is possible in {seconds} s")]
    RateLimited {
        /// When it frees.
        seconds: u64,
    },
    /// Nobody answers, or it broke off, or took too long.
    #[error("{provider} does not respond: {message}")]
    Unreachable {
        /// Its name.
        provider: String,
        /// Why.
        message: String,
    },
    /// It answered with an error, or with what it never says.
    #[error("{provider} answered with an error ({status}): {message}")]
    Answered {
        /// Its name.
        provider: String,
        /// The HTTP status.
        status: u16,
        /// Its words, cut.
        message: String,
    },
    /// Something of its settings is missing, or cannot be read now.
    #[error("{provider} is not ready: {missing}")]
    NotReady {
        /// Its name.
        provider: String,
        /// What.
        missing: Missing,
    },
    /// It does not have this kind of result.
    #[error("{provider} has no {what}")]
    Unsupported {
        /// Its name.
        provider: String,
        /// As in `news`.
        what: String,
    },
}

/// What a provider lacks before it can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// Nobody said where it is.
    #[error("its base URL is not set")]
    BaseUrl,
    /// What was said is no address.
    #[error("its base URL is not an address")]
    Address,
    /// Nobody is followed to where it sends us.
    #[error("its base URL redirects to another address")]
    Elsewhere,
    /// Which of the person's search engines.
    #[error("its search engine ID is not set")]
    Id,
    /// Keys are under a passphrase that was not given yet.
    #[error("the keys are locked")]
    Passphrase,
    /// Storage does not give it.
    #[error("its key cannot be read")]
    Storage,
}

impl SearchError {
    /// The same for the person, in one line.
    pub fn said(&self) -> Phrase {
        match self {
            Self::Key { provider } => phrase("search_bad_key_title").with(provider),
            Self::NotPermitted { origin } => phrase("model_not_permitted_title").with(origin),
            Self::RateLimited { seconds } => in_units(
                *seconds,
                [
                    "search_limited_said",
                    "search_limited_minutes_said",
                    "search_limited_hours_said",
                ],
            ),
            Self::Unreachable { provider, .. } => phrase("search_unreachable_title").with(provider),
            Self::Answered {
                provider, status, ..
            } => phrase("search_answered_title").with(provider).with(status),
            Self::NotReady { provider, missing } => match missing {
                Missing::Passphrase => phrase("model_keys_locked_title"),
                Missing::Elsewhere => phrase("search_elsewhere_title").with(provider),
                Missing::BaseUrl | Missing::Address | Missing::Id | Missing::Storage => {
                    phrase("search_not_ready_title").with(provider)
                }
            },
            Self::Unsupported { provider, .. } => phrase("search_unsupported_said").with(provider),
        }
    }

    /// Whether what answered does not speak as this provider does: most likely another server
    /// is at its address, or another page of it.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        let foreign = |words: &str| ask::FOREIGN.contains(&words);
        matches!(self, Self::Answered { status, message, .. } if *status == 404 || foreign(message))
    }

    /// After what wait the same search may do better, in milliseconds; `None` where that is
    /// long, or no wait helps.
    #[must_use]
    pub fn wait_ms(&self) -> Option<u64> {
        match self {
            Self::Unreachable { .. } => Some(WAIT_MS),
            Self::Answered { status, .. } => (*status >= 500).then_some(WAIT_MS),
            Self::RateLimited { seconds } => (*seconds <= SHORT_S).then_some(seconds * 1_000),
            Self::Key { .. }
            | Self::NotPermitted { .. }
            | Self::NotReady { .. }
            | Self::Unsupported { .. } => None,
        }
    }
}

/// The wait before a search that failed is tried once more (DETAILS §4).
const WAIT_MS: u64 = 1_000;

/// A limit that is free again so soon is waited for, in seconds.
const SHORT_S: u64 = 2;

/// Whoever can be asked. One search is one effect of class Safe; it is cached and counted
/// below this trait, retried above it.
pub trait Provider {
    /// Its name, as people know it.
    fn name(&self) -> &str;
    /// Whether it can be held to kinds of sources and to days: what cannot is asked without.
    fn narrows(&self) -> bool;
    /// Whether it has results of this kind.
    fn has(&self, kind: Kind) -> bool;
    /// At most `count` results, best first. `fresh` passes the cache by.
    fn search(&self, query: Query, count: u8, fresh: bool) -> Fut<Result<Vec<Hit>, SearchError>>;
}
