//! Search providers behind one trait.
//!
//! Example: `web_search` calls [`Provider::search`] with a [`Query`]. It gets a list of
//! [`Hit`]s in the provider's order, or a [`SearchError`]. Grading, rewriting and reading are in
//! [`rag`](crate::rag).
//!
//! Each provider has a `Dialect`, which makes a request from a query and reads hits from a
//! response, without I/O. The module `ask` sends the requests of all providers. It reads the key
//! only when a search is sent, limits time and size, and interprets refusals. [`SearchService`]
//! counts searches (`quota`) and caches results (`timed_cache`). The counts and the cache are
//! stored, so that they survive the end of a worker. Deliberately absent: retries.

mod ask;
mod brave;
mod dates;
mod dialect;
mod domains;
mod engine;
mod google;
mod language;
mod narrow;
mod plain;
mod quota;
mod searxng;
mod service;
mod settings;
mod tavily;
#[cfg(test)]
mod tests;
mod url;
mod wikipedia;

pub use ask::MOST_CHARACTERS;
pub use domains::Domains;
pub use engine::{KeyNeed, ProviderKind};
pub use language::language_of;
pub use service::SEARCHED;
pub use service::SearchService;
pub use settings::{MOST_A_DAY, MOST_A_MINUTE, Server, Settings};

use gloss_durable::Fut;
use gloss_model::phrase::{Phrase, in_units, phrase};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A query for a provider.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Query {
    /// The words to search for, at most 200 characters (DETAILS §12).
    pub text: String,
    /// The category of sources. Results are restricted to the domains that are trusted for it.
    pub category: Option<Category>,
    /// The range of publication dates; `None` for any date.
    pub dates: Option<DateRange>,
    /// The kind of result to search for.
    pub kind: Kind,
    /// The language in which to search ([`language_of`]), as a BCP 47 tag; empty if the provider
    /// chooses.
    pub language: String,
}

/// A kind of result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Web pages.
    #[default]
    Web,
    /// Images, each with the page that contains it.
    Image,
    /// Videos, each with the page that contains it.
    Video,
    /// News reports.
    News,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Web, Self::Image, Self::Video, Self::News];

    /// The name that models use.
    pub fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Image => "image",
            Self::Video => "video",
            Self::News => "news",
        }
    }
}

/// A category of sources (SPEC §4).
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

/// A range of publication dates.
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
    /// From one day to another, including both; each is written as in `2026-01-31`.
    Between {
        /// The first day.
        from: String,
        /// The last day.
        to: String,
    },
}

/// One result of a search, as the provider returns it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Hit {
    /// The page's title.
    pub title: String,
    /// The page's address.
    pub url: String,
    /// The provider's excerpt from the page, without markup.
    pub snippet: String,
    /// The publication date, as in `2026-01-31`, if the provider has it.
    pub date: Option<String>,
    /// The address of a thumbnail. The thumbnail is loaded only after the user clicks (DETAILS §4).
    pub thumbnail: Option<String>,
}

/// The reason why a search failed. A search without results is not an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum SearchError {
    /// The provider requires a key, or rejects the stored one.
    #[error("{provider} refused the key, or requires one")]
    Key {
        /// The provider's name.
        provider: String,
    },
    /// The user has not permitted a connection to the provider's origin.
    #[error("Gloss isn't allowed to connect to {origin} yet")]
    NotPermitted {
        /// The provider's origin, as in `https://api.example`.
        origin: String,
    },
    /// A limit is reached, either one that the user set or one of the provider.
    #[error("too many searches: the next one is possible in {seconds} s")]
    RateLimited {
        /// The number of seconds until the next search is allowed.
        seconds: u64,
    },
    /// The provider does not respond, is too slow, or the connection broke off.
    #[error("{provider} does not respond: {message}")]
    Unreachable {
        /// The provider's name.
        provider: String,
        /// The reason, in English.
        message: String,
    },
    /// The provider returned an error, or a response in another format.
    #[error("{provider} answered with an error ({status}): {message}")]
    Answered {
        /// The provider's name.
        provider: String,
        /// The HTTP status.
        status: u16,
        /// The provider's message, shortened.
        message: String,
    },
    /// A setting that the search needs is missing, or can't be read now.
    #[error("{provider} is not ready: {missing}")]
    NotReady {
        /// The provider's name.
        provider: String,
        /// The missing setting.
        missing: Missing,
    },
    /// The provider has no results of this kind.
    #[error("{provider} has no {what}")]
    Unsupported {
        /// The provider's name.
        provider: String,
        /// The kind, as in `news`.
        what: String,
    },
}

/// A setting without which a search can't be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Missing {
    /// The base address is not set.
    #[error("its base URL is not set")]
    BaseUrl,
    /// The base address is not a valid address.
    #[error("its base URL is not an address")]
    Address,
    /// The base address redirects, and searches don't follow redirects.
    #[error("its base URL redirects to another address")]
    Redirect,
    /// The id of the user's search engine is not set.
    #[error("its search engine ID is not set")]
    Id,
    /// The keys are locked until the user enters the passphrase.
    #[error("the keys are locked")]
    Passphrase,
    /// The key can't be read from storage.
    #[error("its key cannot be read")]
    Storage,
}

impl SearchError {
    /// Returns the error in one line, for the user.
    pub fn phrase(&self) -> Phrase {
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
                Missing::Redirect => phrase("search_elsewhere_title").with(provider),
                Missing::BaseUrl | Missing::Address | Missing::Id | Missing::Storage => {
                    phrase("search_not_ready_title").with(provider)
                }
            },
            Self::Unsupported { provider, .. } => phrase("search_unsupported_said").with(provider),
        }
    }

    /// Returns true if the response is not in the provider's format. In this case the configured
    /// address most likely belongs to another server, or to another page.
    #[must_use]
    pub fn is_foreign(&self) -> bool {
        let foreign = |words: &str| ask::UNEXPECTED_RESPONSES.contains(&words);
        matches!(self, Self::Answered { status, message, .. } if *status == 404 || foreign(message))
    }

    /// Returns the time to wait before a retry in milliseconds; `None` if the wait would be long,
    /// or if a retry is useless.
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

/// The time to wait before a failed search is retried, in ms (DETAILS §4).
const WAIT_MS: u64 = 1_000;

/// The maximum number of seconds to wait for a limit before a retry.
const SHORT_S: u64 = 2;

/// A configured search provider. One search is one effect of the class Safe. Implementations of
/// this trait cache and count searches; callers retry them.
pub trait Provider {
    /// Returns the provider's name for the user.
    fn name(&self) -> &str;
    /// Returns true if the provider can filter by category and date. Searches at other providers
    /// leave these filters out.
    fn can_filter(&self) -> bool;
    /// Returns true if the provider has results of this kind.
    fn has(&self, kind: Kind) -> bool;
    /// Searches for at most `count` results, best first. `fresh` bypasses the cache.
    fn search(&self, query: Query, count: u8, fresh: bool) -> Fut<Result<Vec<Hit>, SearchError>>;
}
