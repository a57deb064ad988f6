//! Errors between Gloss and a model's server.
//!
//! Driving example: Ollama answers 403 to an extension that its settings don't list. The user needs
//! to know the setting for their system, and the loop needs to know that a retry is useless. No
//! fault contains an API key: a server's message is shortened, and any key in it is removed, before
//! the message becomes part of a fault.

use gloss_host::KeyError;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The server of a call, as error messages name it.
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
    /// Ollama: it accepts only configured origins, and models have to be downloaded first.
    Ollama,
    /// Any other server.
    Other,
}

/// An error of a server, or of the connection to a server. `Display` is for logs and models; users
/// read `agent::Failure`.
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
        /// The time to wait before a retry, as requested by the server, in ms.
        retry_after_ms: Option<u64>,
    },
    /// The account's credit is used up (402, or 429 with that message).
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
        /// The time to wait before a retry, as requested by the server, in ms.
        retry_after_ms: Option<u64>,
        /// The server's message.
        said: Option<String>,
    },
    /// The browser has no model, or its model can't run on this device.
    #[error("no built-in model here")]
    Unavailable,
    /// The browser has to download its model first, which only a click of the user can start.
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
    /// The server sent something other than a model's response, such as a login page.
    #[error("unexpected response{}", quoted(said.as_deref()))]
    Nonsense {
        /// The beginning of the response.
        said: Option<String>,
    },
}

/// The part of a response for which a timeout was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Awaited {
    /// The status and headers of the response. The browser does not report when a connection is
    /// made, so the time for connecting is included.
    Head,
    /// The first text of the answer.
    FirstWord,
    /// The next text of an answer that has begun.
    NextWord,
}

impl Fault {
    /// Returns true if the same request may succeed soon. An unreachable server is not retried,
    /// because servers don't start within seconds. A server that never began to answer is not
    /// retried either, because the user would wait for the whole timeout again.
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

    /// Returns true if the server may have processed the request although no answer arrived. This
    /// includes an unreachable server, because the browser does not report if the request was sent.
    pub fn leaves_open(&self) -> bool {
        matches!(self, Self::TimedOut { .. } | Self::Cut | Self::Unreachable)
    }

    /// The time to wait before a retry, as requested by the server, in ms.
    pub fn retry_after_ms(&self) -> Option<u64> {
        let (Self::RateLimited { retry_after_ms } | Self::Failing { retry_after_ms, .. }) = self
        else {
            return None;
        };
        *retry_after_ms
    }

    /// The server's message; `None` for variants without a message.
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

/// A status as ` (503)`; empty if there is none.
fn coded(status: Option<u16>) -> String {
    status.map(|it| format!(" ({it})")).unwrap_or_default()
}

/// A message as `: message`; empty if there is none.
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
