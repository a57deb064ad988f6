//! What went wrong between us and a provider's server.
//!
//! Driving example: Ollama answers 403 to an extension that it was not told of;
//! the person needs the setting for their system, the loop needs to know that
//! trying again is of no use. Nothing here holds a key: a server's own words are
//! shortened, and what is the key in them is blotted out, before they get here.

use gloss_host::KeyError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Whom we spoke to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// What the user calls it.
    pub name: String,
    /// Its address without a path, as in `http://localhost:11434`.
    pub origin: String,
    /// The model that was asked for.
    pub model: String,
    /// What is known of its kind.
    pub kind: ServerKind,
}

/// Servers that have remedies of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerKind {
    /// Admits only the origins that it was told of; models are pulled.
    Ollama,
    /// Any other.
    Other,
}

/// What a server, or the way to it, did. Its display is for logs and for models; what people read
/// is `agent::Failure`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The address is none.
    #[error("not an address: {url}")]
    BadAddress {
        /// What was given.
        url: String,
    },
    /// The user has not let us speak to it; nothing was sent.
    #[error("Gloss isn't allowed to connect to {origin} yet")]
    NotPermitted {
        /// As in `https://api.example`.
        origin: String,
    },
    /// The keys are under a passphrase that was not given yet; nothing was sent.
    #[error("the keys are locked")]
    KeysLocked,
    /// The key could not be read from this machine; nothing was sent.
    #[error("the key is unreadable: {message}")]
    KeyUnreadable {
        /// The browser's words.
        message: String,
    },
    /// It does not take the key, or wants one.
    #[error("the key was not accepted{}", coded(*status))]
    BadKey {
        /// Its status; `None` if the key cannot even be sent.
        status: Option<u16>,
    },
    /// It knows us and refuses (403).
    #[error("refused (403){}", quoted(said.as_deref()))]
    Forbidden {
        /// Its words.
        said: Option<String>,
    },
    /// Nothing stands at this address (404, 405).
    #[error("nothing found at {url} ({status})")]
    WrongAddress {
        /// The address that was tried.
        url: String,
        /// Its status.
        status: u16,
    },
    /// It has no model of this name.
    #[error("no model of this name")]
    MissingModel,
    /// It redirects to another address, where we don't follow.
    #[error("redirects to another address")]
    Redirected,
    /// Nobody answers there: refused, no such host, no network.
    #[error("no response")]
    Unreachable,
    /// Too many requests (429).
    #[error("too many requests (429)")]
    RateLimited {
        /// How long it asks us to wait.
        retry_after_ms: Option<u64>,
    },
    /// The account has nothing left (402, or 429 saying so).
    #[error("no quota left")]
    QuotaEmpty,
    /// The conversation is longer than the model's window.
    #[error("too long for the model{}", quoted(said.as_deref()))]
    ContextTooLong {
        /// Its words.
        said: Option<String>,
    },
    /// It refused the request for another reason.
    #[error("refused the request{}{}", coded(*status), quoted(said.as_deref()))]
    Rejected {
        /// Its status; `None` if it said so within a stream.
        status: Option<u16>,
        /// Its words.
        said: Option<String>,
    },
    /// It failed (408, 5xx, or an error within a stream).
    #[error("failed{}{}", coded(*status), quoted(said.as_deref()))]
    Failing {
        /// Its status; `None` if it said so within a stream.
        status: Option<u16>,
        /// How long it asks us to wait.
        retry_after_ms: Option<u64>,
        /// Its words.
        said: Option<String>,
    },
    /// The browser has no model of its own, or none that runs on this device.
    #[error("no built-in model here")]
    Unavailable,
    /// The browser has to download its model first, which it does at the person's click.
    #[error("its model is not downloaded yet")]
    DownloadNeeded,
    /// The browser is downloading its model.
    #[error("its model is being downloaded")]
    Downloading,
    /// It was silent for too long.
    #[error("no response for {} s", after_ms / 1_000)]
    TimedOut {
        /// What was waited for.
        awaited: Awaited,
        /// For how long.
        after_ms: u64,
    },
    /// The answer broke off, or ended without its end marker.
    #[error("the answer is incomplete")]
    Cut,
    /// It answered, but not as this kind of server does: a page to log in at, say.
    #[error("unexpected response{}", quoted(said.as_deref()))]
    Nonsense {
        /// How its answer begins.
        said: Option<String>,
    },
}

/// What a server was silent before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Awaited {
    /// The head of its response. The browser does not tell connecting from this.
    Head,
    /// The first word of its answer.
    FirstWord,
    /// The next one.
    NextWord,
}

impl Fault {
    /// Whether the same request may succeed a little later. Nobody starts a server within seconds,
    /// and who was waited for all that time would be waited for as long again.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::RateLimited { .. }
                | Self::Failing { .. }
                | Self::Cut
                | Self::TimedOut {
                    awaited: Awaited::NextWord,
                    ..
                }
        )
    }

    /// Whether the server may have carried out what it was asked for: it was sent, and no
    /// word came back. Of nobody who answers, the browser doesn't tell before from after.
    pub fn leaves_open(&self) -> bool {
        matches!(self, Self::TimedOut { .. } | Self::Cut | Self::Unreachable)
    }

    /// How long the server asks us to wait.
    pub fn retry_after_ms(&self) -> Option<u64> {
        let (Self::RateLimited { retry_after_ms } | Self::Failing { retry_after_ms, .. }) = self
        else {
            return None;
        };
        *retry_after_ms
    }

    /// The server's own words, where there is a place for them.
    pub(super) fn said_mut(&mut self) -> Option<&mut Option<String>> {
        let (Self::Forbidden { said }
        | Self::ContextTooLong { said }
        | Self::Rejected { said, .. }
        | Self::Failing { said, .. }
        | Self::Nonsense { said }) = self
        else {
            return None;
        };
        Some(said)
    }
}

/// A status in brackets, if there is one.
fn coded(status: Option<u16>) -> String {
    status.map(|it| format!(" ({it})")).unwrap_or_default()
}

/// Words behind a colon, if there are any.
fn quoted(said: Option<&str>) -> String {
    said.map(|it| format!(": {it}")).unwrap_or_default()
}

impl From<KeyError> for Fault {
    fn from(error: KeyError) -> Self {
        match error {
            KeyError::Locked => Self::KeysLocked,
            KeyError::Store(error) => Self::KeyUnreadable {
                message: error.to_string(),
            },
        }
    }
}
