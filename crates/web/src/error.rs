//! Why a page could not be read, in words that a model can act on.

use super::address::Refusal;
use gloss_model::phrase::{Phrase, phrase};
use gloss_page::ReadError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a page could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum FetchError {
    /// It is not asked for.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The person did not let us.
    #[error("the user has not allowed Gloss to read {origin}")]
    NotPermitted {
        /// As in `https://news.example`.
        origin: String,
    },
    /// They have turned it off, perhaps since it was begun.
    #[error("the user has turned web search off")]
    TurnedOff,
    /// Nobody answers, or sends us where we may not read.
    #[error(
        "no response ({message}): the site is down, or it redirects to another site, \
         whose address has to be read directly"
    )]
    Unreachable {
        /// The browser's words.
        message: String,
    },
    /// It sent us where nobody may be sent.
    #[error(
        "the site redirects to an address that is not read, and nothing of it was used: {refusal}"
    )]
    LedTo {
        /// Why not.
        refusal: Refusal,
    },
    /// It broke off.
    #[error("the connection was interrupted")]
    Cut,
    /// An error of the server.
    #[error("the server returned {status}{}", meaning(*status))]
    Status {
        /// As in 404.
        status: u16,
        /// The wait that it asks for.
        retry_after_ms: Option<u64>,
    },
    /// More than is read.
    #[error("it is larger than {megabytes} MB, which is the most that is read")]
    TooLarge {
        /// The bound.
        megabytes: usize,
    },
    /// Not in time.
    #[error("it did not arrive within {seconds} s")]
    TimedOut {
        /// The bound.
        seconds: u64,
    },
    /// Nothing with words.
    #[error("it is {declared}, which has no text to read")]
    NoText {
        /// Its content type.
        declared: String,
    },
    /// It says nothing without its scripts, and could not be shown.
    #[error("it shows nothing without scripts, and could not be opened in a tab: {message}")]
    NotShown {
        /// Why.
        message: String,
    },
    /// Its text could not be had.
    #[error("{0}")]
    Read(#[from] ReadError),
}

impl FetchError {
    /// How long to wait before it is asked for again, `backoff_ms` where nobody says;
    /// `None` where that would not help.
    pub fn wait_ms(&self, backoff_ms: u64) -> Option<u64> {
        if let Self::Status {
            status: 403 | 429 | 500..=599,
            retry_after_ms,
        } = self
        {
            return Some(retry_after_ms.unwrap_or(backoff_ms));
        }
        matches!(self, Self::Cut | Self::Unreachable { .. }).then_some(backoff_ms)
    }
}

impl FetchError {
    /// How often a page is asked for at most. A site that does not answer is asked once more:
    /// what sends on to another site would fail so each time.
    pub fn tries(&self) -> u32 {
        if matches!(self, Self::Unreachable { .. }) {
            2
        } else {
            3
        }
    }

    /// The same for the person, in one line; `of` is the page's site, or what was given as
    /// its address.
    pub fn said(&self, of: &str) -> Phrase {
        let key = match self {
            Self::Refused(Refusal::NotAnAddress) => "fetch_not_an_address",
            Self::Refused(Refusal::Scheme { .. }) => "fetch_scheme",
            Self::Refused(Refusal::Credentials) => "fetch_credentials",
            Self::Refused(Refusal::Private { .. }) => "fetch_private",
            Self::NotPermitted { .. } => "fetch_not_permitted",
            Self::TurnedOff => return phrase("search_off"),
            Self::Unreachable { .. } => "fetch_unreachable",
            Self::LedTo { .. } => "fetch_led_to",
            Self::Cut => "fetch_cut",
            Self::Status {
                status: 404 | 410, ..
            } => "fetch_not_found",
            Self::Status { status, .. } => return phrase("fetch_status").with(of).with(status),
            Self::TooLarge { .. } => "fetch_too_large",
            Self::TimedOut { seconds } => {
                return phrase("fetch_timed_out").with(of).with(seconds);
            }
            Self::NoText { .. } => "fetch_no_text",
            Self::NotShown { .. } => "fetch_not_shown",
            Self::Read(_) => "fetch_unread",
        };
        phrase(key).with(of)
    }
}

fn meaning(status: u16) -> &'static str {
    match status {
        401 | 403 => " (reading this requires signing in, or programs are not allowed)",
        404 | 410 => " (there is no such page)",
        429 => " (too many requests; try later)",
        500..=599 => " (an error of the server; it may work later)",
        _ => "",
    }
}
