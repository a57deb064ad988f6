//! Errors between Gloss and a model's server.
//!
//! Example: Ollama answers 403 to an extension whose origin is not in Ollama's settings.
//! The error message for the user names the setting to change. The agent loop learns from the error
//! that a retry is useless. No fault contains an API key: a server's message is shortened, and keys
//! are removed from the message, before it becomes part of a fault.

use gloss_host::KeyError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The server of a call, as it is named in error messages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Server {
    /// The user's name for the server.
    pub name: String,
    /// The address without a path, as in `http://localhost:11434`.
    pub origin: String,
    /// The name of the model that was requested.
    pub model: String,
    /// The kind of the server.
    pub kind: ServerKind,
}

/// Kinds of servers for which error messages give different advice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerKind {
    /// Ollama accepts requests only from configured origins, and its models have to be downloaded
    /// first.
    Ollama,
    /// Any other server; error messages give only general advice.
    Other,
}

/// An error of a server, or of the connection to a server. The `Display` text is for logs and
/// models. Users read the messages of `agent::Failure`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The address is not valid.
    #[error("not an address: {url}")]
    BadAddress {
        /// The address as the user entered it.
        url: String,
    },
    /// The user has not granted access to this server; nothing was sent.
    #[error("Gloss isn't allowed to connect to {origin} yet")]
    NotPermitted {
        /// The server's origin, as in `https://api.example`.
        origin: String,
    },
    /// The keys are sealed by a passphrase that the user has not entered yet; nothing was sent.
    #[error("the keys are locked")]
    KeysLocked,
    /// The key could not be read from this machine; nothing was sent.
    #[error("the key is unreadable: {message}")]
    KeyUnreadable {
        /// The browser's error message.
        message: String,
    },
    /// The server rejects the key, or requires one.
    #[error("the key was not accepted{}", coded(*status))]
    BadKey {
        /// The HTTP status; `None` if the key contains characters that can't be sent, so nothing
        /// was sent.
        status: Option<u16>,
    },
    /// The server refuses access (403).
    #[error("refused (403){}", quoted(said.as_deref()))]
    Forbidden {
        /// The server's message.
        said: Option<String>,
    },
    /// The address has no such endpoint (404, 405).
    #[error("nothing found at {url} ({status})")]
    WrongAddress {
        /// The address that was tried.
        url: String,
        /// The HTTP status.
        status: u16,
    },
    /// The server has no model with the requested name.
    #[error("no model of this name")]
    MissingModel,
    /// The server redirects to another address, which Gloss does not follow.
    #[error("redirects to another address")]
    Redirected,
    /// No server responds: connection refused, unknown host, or no network.
    #[error("no response")]
    Unreachable,
    /// Too many requests (429).
    #[error("too many requests (429)")]
    RateLimited {
        /// The time to wait before a retry, in ms. `None` if the server requested no time.
        retry_after_ms: Option<u64>,
    },
    /// The account has no credit left (402, or 429 with a message about credit).
    #[error("no quota left")]
    QuotaEmpty,
    /// The request is longer than the model's context window.
    #[error("too long for the model{}", quoted(said.as_deref()))]
    ContextTooLong {
        /// The server's message.
        said: Option<String>,
    },
    /// The server rejected the request for another reason.
    #[error("refused the request{}{}", coded(*status), quoted(said.as_deref()))]
    Rejected {
        /// The HTTP status; `None` for an error within a stream.
        status: Option<u16>,
        /// The server's message.
        said: Option<String>,
    },
    /// The server failed (408, 5xx, or an error within a stream).
    #[error("failed{}{}", coded(*status), quoted(said.as_deref()))]
    Failing {
        /// The HTTP status; `None` for an error within a stream.
        status: Option<u16>,
        /// The time to wait before a retry, in ms. `None` if the server requested no time.
        retry_after_ms: Option<u64>,
        /// The server's message.
        said: Option<String>,
    },
    /// The browser has no model, or its model can't run on this device.
    #[error("no built-in model here")]
    Unavailable,
    /// The browser has to download its model first. Only a click of the user can start the
    /// download.
    #[error("its model is not downloaded yet")]
    DownloadNeeded,
    /// The browser is downloading its model.
    #[error("its model is being downloaded")]
    Downloading,
    /// The server sent nothing within a timeout.
    #[error("no response for {} s", after_ms / 1_000)]
    TimedOut {
        /// The part of the response that did not arrive in time.
        awaited: Awaited,
        /// The timeout in ms.
        after_ms: u64,
    },
    /// The answer ended early, or without its end marker.
    #[error("the answer is incomplete")]
    Cut,
    /// The server sent something else than a model's response, for example a login page.
    #[error("unexpected response{}", quoted(said.as_deref()))]
    Nonsense {
        /// The beginning of the response.
        said: Option<String>,
    },
}

/// The part of a response for which Gloss waited until the timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Awaited {
    /// The status and the headers of the response. The time for connecting is included, because the
    /// browser does not report when a connection is made.
    Head,
    /// The first text of the answer.
    FirstWord,
    /// The next text of an answer that has begun.
    NextWord,
}

impl Fault {
    /// Returns true if a repetition of the request may soon succeed. An unreachable server is not
    /// asked again, because servers don't start within seconds. A server that never began to answer
    /// is not asked again either, because the user would wait for the whole timeout a second time.
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

    /// Returns true if the server may have processed the request although no answer arrived. An
    /// unreachable server is included, because the browser does not report whether the request was
    /// sent.
    pub fn leaves_open(&self) -> bool {
        matches!(self, Self::TimedOut { .. } | Self::Cut | Self::Unreachable)
    }

    /// Returns the time to wait before a retry, in ms. `None` if the server requested no time.
    pub fn retry_after_ms(&self) -> Option<u64> {
        let (Self::RateLimited { retry_after_ms } | Self::Failing { retry_after_ms, .. }) = self
        else {
            return None;
        };
        *retry_after_ms
    }

    /// Returns a mutable reference to the server's message. `None` if this kind of fault has no
    /// message.
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

/// Formats a status for an error message: `503` -> ` (503)`. Empty without a status.
fn coded(status: Option<u16>) -> String {
    status.map(|it| format!(" ({it})")).unwrap_or_default()
}

/// Formats a server's message for an error message: `busy` -> `: busy`. Empty without a message.
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
