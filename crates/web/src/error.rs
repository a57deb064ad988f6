//! The reasons why a page can't be read. The messages tell a model what to do instead.

use super::allowed_address::Refusal;
use gloss_model::phrase::{Phrase, phrase};
use gloss_page::ReadError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The reason why a page could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum FetchError {
    /// The address must not be fetched.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The user has not permitted this site.
    #[error("the user has not allowed Gloss to read {origin}")]
    NotPermitted {
        /// The site's origin, as in `https://news.example`.
        origin: String,
    },
    /// The user has turned web search off, possibly after the call began.
    #[error("the user has turned web search off")]
    TurnedOff,
    /// The server does not respond, or it redirects to a site without permission.
    #[error(
        "no response ({message}): the site is down, or it redirects to another site, \
         whose address has to be read directly"
    )]
    Unreachable {
        /// The browser's error message.
        message: String,
    },
    /// The server redirected to an address that must not be fetched.
    #[error(
        "the site redirects to an address that is not read, and nothing of it was used: {refusal}"
    )]
    RedirectRefused {
        /// The reason why that address must not be fetched.
        refusal: Refusal,
    },
    /// The connection broke off.
    #[error("the connection was interrupted")]
    Cut,
    /// The server returned an error.
    #[error("the server returned {status}{}", meaning(*status))]
    Status {
        /// The HTTP status, as in 404.
        status: u16,
        /// The time to wait before a retry, as requested by the server, in milliseconds.
        retry_after_ms: Option<u64>,
    },
    /// The response is larger than the size limit.
    #[error("it is larger than {megabytes} MB, which is the most that is read")]
    TooLarge {
        /// The size limit, in megabytes.
        megabytes: usize,
    },
    /// The response did not arrive within the time limit.
    #[error("it did not arrive within {seconds} s")]
    TimedOut {
        /// The time limit, in seconds.
        seconds: u64,
    },
    /// The response has no text.
    #[error("it is {declared}, which has no text to read")]
    NoText {
        /// The response's content type.
        declared: String,
    },
    /// Without its scripts the page has no text, and it could not be opened in a tab.
    #[error("it shows nothing without scripts, and could not be opened in a tab: {message}")]
    NoTextInTab {
        /// The reason why the page could not be opened.
        message: String,
    },
    /// The page service could not read the text of the page.
    #[error("{0}")]
    Read(#[from] ReadError),
}

impl FetchError {
    /// Returns the time to wait before a retry, in milliseconds: the time that the server requests,
    /// otherwise `backoff_ms`. `None` if a retry is useless.
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

    /// Returns the maximum number of attempts. A site that does not respond gets only two. The
    /// reason may be a redirect to another site, which would fail in the same way each time.
    pub fn tries(&self) -> u32 {
        if matches!(self, Self::Unreachable { .. }) {
            2
        } else {
            3
        }
    }

    /// Returns the error in one line, for the user. `of` is the page's site, or the text that was
    /// given as its address.
    pub fn phrase(&self, of: &str) -> Phrase {
        let key = match self {
            Self::Refused(Refusal::NotAnAddress) => "fetch_not_an_address",
            Self::Refused(Refusal::Scheme { .. }) => "fetch_scheme",
            Self::Refused(Refusal::Credentials) => "fetch_credentials",
            Self::Refused(Refusal::Private { .. }) => "fetch_private",
            Self::Refused(Refusal::Closed(closed)) => {
                return phrase("fetch_closed").with(&closed.site);
            }
            Self::NotPermitted { .. } => "fetch_not_permitted",
            Self::TurnedOff => return phrase("search_off"),
            Self::Unreachable { .. } => "fetch_unreachable",
            Self::RedirectRefused { .. } => "fetch_led_to",
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
            Self::NoTextInTab { .. } => "fetch_not_shown",
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
