//! What went wrong between us and a provider's server.
//!
//! Driving example: Ollama answers 403 to an extension that it was not told of;
//! the person needs the setting for their system, the loop needs to know that
//! trying again is of no use. Nothing here holds a key: a server's own words are
//! shortened, and what is the key in them is blotted out, before they get here.

use gloss_host::KeyError;
use serde::{Deserialize, Serialize};
use std::fmt;

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

/// What a server, or the way to it, did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// The address is none.
    BadAddress {
        /// What was given.
        url: String,
    },
    /// The user has not let us speak to it; nothing was sent.
    NotPermitted {
        /// As in `https://api.example`.
        origin: String,
    },
    /// The keys are under a passphrase that was not given yet; nothing was sent.
    KeysLocked,
    /// The key could not be read from this machine; nothing was sent.
    KeyUnreadable {
        /// The browser's words.
        message: String,
    },
    /// It does not take the key, or wants one.
    BadKey {
        /// Its status; `None` if the key cannot even be sent.
        status: Option<u16>,
    },
    /// It knows us and refuses (403).
    Forbidden {
        /// Its words.
        said: Option<String>,
    },
    /// Nothing stands at this address (404, 405).
    WrongAddress {
        /// The address that was tried.
        url: String,
        /// Its status.
        status: u16,
    },
    /// It has no model of this name.
    MissingModel,
    /// It sends on to another address, where we don't follow.
    Redirected,
    /// Nobody answers there: refused, no such host, no network.
    Unreachable,
    /// Too many requests (429).
    RateLimited {
        /// How long it asks us to wait.
        retry_after_ms: Option<u64>,
    },
    /// The account has nothing left (402, or 429 saying so).
    QuotaEmpty,
    /// The conversation is longer than the model's window.
    ContextTooLong {
        /// Its words.
        said: Option<String>,
    },
    /// It refused the request for another reason.
    Rejected {
        /// Its status; `None` if it said so within a stream.
        status: Option<u16>,
        /// Its words.
        said: Option<String>,
    },
    /// It failed (408, 5xx, or an error within a stream).
    Failing {
        /// Its status; `None` if it said so within a stream.
        status: Option<u16>,
        /// How long it asks us to wait.
        retry_after_ms: Option<u64>,
        /// Its words.
        said: Option<String>,
    },
    /// The browser has no model of its own, or none that runs on this device.
    Unavailable,
    /// The browser has to download its model first, which it does at the person's click.
    DownloadNeeded,
    /// The browser is downloading its model.
    Downloading,
    /// It was silent for too long.
    TimedOut {
        /// What was waited for.
        awaited: Awaited,
        /// For how long.
        after_ms: u64,
    },
    /// The answer broke off, or ended without its end marker.
    Cut,
    /// It answered, but not as this kind of server does: a page to log in at, say.
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
    /// Whether the same request may succeed a little later.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::RateLimited { .. }
            | Self::Failing { .. }
            | Self::TimedOut {
                awaited: Awaited::NextWord,
                ..
            }
            | Self::Cut => true,
            // Who was waited for all that time would be waited for as long again.
            Self::TimedOut {
                awaited: Awaited::Head | Awaited::FirstWord,
                ..
            }
            // Nobody starts a server within seconds: the person is told at once.
            | Self::Unreachable
            | Self::BadAddress { .. }
            | Self::NotPermitted { .. }
            | Self::KeysLocked
            | Self::KeyUnreadable { .. }
            | Self::BadKey { .. }
            | Self::Forbidden { .. }
            | Self::WrongAddress { .. }
            | Self::MissingModel
            | Self::Redirected
            | Self::QuotaEmpty
            | Self::ContextTooLong { .. }
            | Self::Rejected { .. }
            | Self::Unavailable
            | Self::DownloadNeeded
            | Self::Downloading
            | Self::Nonsense { .. } => false,
        }
    }

    /// Whether the server may have carried out what it was asked for: it was sent, and no
    /// word came back. Of nobody who answers, the browser doesn't tell before from after.
    pub fn leaves_open(&self) -> bool {
        matches!(self, Self::TimedOut { .. } | Self::Cut | Self::Unreachable)
    }

    /// How long the server asks us to wait.
    pub fn retry_after_ms(&self) -> Option<u64> {
        match self {
            Self::RateLimited { retry_after_ms } | Self::Failing { retry_after_ms, .. } => {
                *retry_after_ms
            }
            Self::BadAddress { .. }
            | Self::NotPermitted { .. }
            | Self::KeysLocked
            | Self::KeyUnreadable { .. }
            | Self::BadKey { .. }
            | Self::Forbidden { .. }
            | Self::WrongAddress { .. }
            | Self::MissingModel
            | Self::Redirected
            | Self::Unreachable
            | Self::QuotaEmpty
            | Self::ContextTooLong { .. }
            | Self::Rejected { .. }
            | Self::Unavailable
            | Self::DownloadNeeded
            | Self::Downloading
            | Self::TimedOut { .. }
            | Self::Cut
            | Self::Nonsense { .. } => None,
        }
    }
}

/// For logs and for models; what people read is `agent::Failure`.
impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let status = |status: &Option<u16>| status.map(|s| format!(" ({s})")).unwrap_or_default();
        let quoted = |said: &Option<String>| match said {
            Some(said) => format!(": {said}"),
            None => String::new(),
        };
        match self {
            Self::BadAddress { url } => write!(f, "not an address: {url}"),
            Self::NotPermitted { origin } => write!(f, "Gloss may not speak to {origin} yet"),
            Self::KeysLocked => f.write_str("the keys are locked"),
            Self::KeyUnreadable { message } => write!(f, "the key is unreadable: {message}"),
            Self::BadKey { status: s } => write!(f, "the key was not accepted{}", status(s)),
            Self::Forbidden { said } => write!(f, "refused (403){}", quoted(said)),
            Self::WrongAddress { url, status } => write!(f, "nothing stands at {url} ({status})"),
            Self::MissingModel => f.write_str("no model of this name"),
            Self::Redirected => f.write_str("sends on to another address"),
            Self::Unreachable => f.write_str("no answer"),
            Self::RateLimited { .. } => f.write_str("too many requests (429)"),
            Self::QuotaEmpty => f.write_str("nothing left to spend"),
            Self::ContextTooLong { said } => write!(f, "too long for the model{}", quoted(said)),
            Self::Rejected { status: s, said } => {
                write!(f, "refused the request{}{}", status(s), quoted(said))
            }
            Self::Failing {
                status: s, said, ..
            } => {
                write!(f, "failed{}{}", status(s), quoted(said))
            }
            Self::Unavailable => f.write_str("no model of its own here"),
            Self::DownloadNeeded => f.write_str("its model is not downloaded yet"),
            Self::Downloading => f.write_str("its model is being downloaded"),
            Self::TimedOut { after_ms, .. } => write!(f, "silent for {} s", after_ms / 1_000),
            Self::Cut => f.write_str("the answer broke off"),
            Self::Nonsense { said } => write!(f, "not a model's answer{}", quoted(said)),
        }
    }
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
