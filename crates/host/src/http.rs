//! The network, for those whom the user chose to speak to.

use futures::stream::LocalBoxStream;
use gloss_durable::Fut;
use serde::{Deserialize, Serialize};
use std::fmt;
use thiserror::Error;

/// One request. Has no `Debug`: its headers may hold a key.
#[derive(Clone)]
pub struct HttpRequest {
    /// Its method.
    pub method: Method,
    /// Where to.
    pub url: String,
    /// Names and values.
    pub headers: Vec<(String, String)>,
    /// What is sent, if anything.
    pub body: Option<String>,
}

/// The methods that anybody here uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Asks for something to be done.
    Post,
}

/// The head of a response, and its body as it comes.
pub struct HttpResponse {
    /// As in 200.
    pub status: u16,
    /// Names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The bytes, in whatever pieces they arrive. Dropping it aborts the request.
    pub body: LocalBoxStream<'static, Result<Vec<u8>, HttpError>>,
}

impl HttpResponse {
    /// A header's value; `name` in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Sends requests: without cookies, and only to whom the user has let us.
pub trait Http {
    /// Resolves at the response's head. Dropping the future aborts the request.
    fn send(&self, request: HttpRequest) -> Fut<Result<HttpResponse, HttpError>>;
}

/// Why there is no response, or no more of it. What a server answers, errors
/// included, is a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum HttpError {
    /// The address is none.
    #[error("not an address: {url}")]
    BadUrl {
        /// What was given.
        url: String,
    },
    /// The user has not let us speak to this origin.
    #[error("Gloss isn't allowed to connect to {origin} yet")]
    NotPermitted {
        /// As in `https://api.example`.
        origin: String,
    },
    /// Nobody answers there: refused, no such host, no network.
    #[error("no response: {message}")]
    Unreachable {
        /// The browser's words.
        message: String,
    },
    /// The server sends us elsewhere. Nobody is followed: the user let us speak
    /// to this server, not to any that it names.
    #[error("the server redirects to another address")]
    Redirected,
    /// The response broke off.
    #[error("the response is incomplete: {message}")]
    Cut {
        /// The browser's words.
        message: String,
    },
}

/// Stands where an address does, for all sites at once: Chrome's own word.
pub const ALL_SITES: &str = "<all_urls>";

/// What the user let us do.
pub trait Grants {
    /// Whether we may speak to, and read, the origin of this address.
    fn covers(&self, url: &str) -> Fut<bool>;
}

/// A key. Shown by nothing: not `Debug`, not serde, not `Display`.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// Wraps a key; spaces around it are a slip of the clipboard.
    pub fn new(key: &str) -> Self {
        Self(key.trim().to_owned())
    }

    /// The key, for the header it belongs in.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret")
    }
}
