//! HTTP requests to the servers that the user chose.

use futures::stream::LocalBoxStream;
use gloss_durable::Fut;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// One request. It doesn't implement `Debug`, because a header may contain a key.
#[derive(Clone)]
pub struct HttpRequest {
    /// The HTTP method.
    pub method: Method,
    /// The URL to request.
    pub url: String,
    /// The headers: names and values.
    pub headers: Vec<(String, String)>,
    /// The body, if any.
    pub body: Option<String>,
}

/// The HTTP methods that Gloss uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// The GET method.
    Get,
    /// The POST method.
    Post,
}

/// The head of a response, and its body as a stream.
pub struct HttpResponse {
    /// The status code, such as 200.
    pub status: u16,
    /// The headers: names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body's bytes, in chunks of any size. Dropping the stream aborts the request.
    pub body: LocalBoxStream<'static, Result<Vec<u8>, HttpError>>,
}

impl HttpResponse {
    /// Returns a header's value; `name` must be in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Sends requests without cookies. A request is sent only to an origin that the user permitted.
pub trait Http {
    /// Sends a request and resolves when the response's head has arrived. Dropping the future
    /// aborts the request.
    fn send(&self, request: HttpRequest) -> Fut<Result<HttpResponse, HttpError>>;
}

/// The reason that there is no response, or that a response is incomplete. A response with an error
/// status, such as 404, is an ordinary response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum HttpError {
    /// The URL is invalid.
    #[error("not an address: {url}")]
    BadUrl {
        /// The text that was given as URL.
        url: String,
    },
    /// The user has not permitted connections to this origin.
    #[error("Gloss isn't allowed to connect to {origin} yet")]
    NotPermitted {
        /// The origin, such as `https://api.example`.
        origin: String,
    },
    /// No server responds: connection refused, unknown host, or no network.
    #[error("no response: {message}")]
    Unreachable {
        /// The browser's message.
        message: String,
    },
    /// The server redirects to another address. Redirects are not followed, because the user
    /// permitted only this server.
    #[error("the server redirects to another address")]
    Redirected,
    /// The connection was lost before the body ended.
    #[error("the response is incomplete: {message}")]
    Cut {
        /// The browser's message.
        message: String,
    },
}

/// Chrome's match pattern for all sites. Functions that take an address also accept this pattern.
pub const ALL_SITES: &str = "<all_urls>";

/// Chrome's permissions for sites.
pub trait Grants {
    /// Returns true if Gloss may send requests to the origin of this address and read its pages.
    fn covers(&self, url: &str) -> Fut<bool>;
}
