//! Requests for pages of the web, without cookies or a referrer.
//!
//! [`Http`](super::Http) connects to servers that the user chose, and follows no redirects. [`Web`]
//! follows redirects, and returns the final address. The crate `web` decides which addresses may be
//! requested.

use super::{HttpError, HttpResponse};
use gloss_durable::Fut;

/// An address as the browser parses it (the WHATWG URL standard). The browser requests exactly this
/// address, so that no other address than the checked one is requested.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// The whole address in its canonical form.
    pub href: String,
    /// The scheme, such as `https`.
    pub scheme: String,
    /// The host: a name in lower-case ASCII, or an IP address in canonical form. An IPv6 address is
    /// in brackets.
    pub host: String,
    /// The origin, such as `https://news.example`.
    pub origin: String,
    /// True if the address contains a user name or a password.
    pub has_credentials: bool,
}

/// A response, with the address that it came from.
pub struct WebResponse {
    /// The final address, after all redirects.
    pub url: String,
    /// The response's head, and its body as a stream.
    pub response: HttpResponse,
}

/// Requests pages of the web.
pub trait Web {
    /// Parses an address; `None` if it is invalid.
    fn address(&self, text: &str) -> Option<Address>;
    /// Requests a page, and resolves when the response's head has arrived. At most twenty redirects
    /// are followed. Dropping the future or the body aborts the request.
    fn get(&self, url: &str, accept: &'static str) -> Fut<Result<WebResponse, HttpError>>;
    /// Returns true if the page at an address redirects; false if not, or if no server responds.
    /// The browser doesn't tell extensions the target of a redirect. Dropping the future aborts the
    /// request.
    fn leads_on(&self, url: &str, accept: &'static str) -> Fut<bool>;
    /// Decodes bytes. `encoding` is a name of the Encoding standard. Bytes that can't be decoded
    /// become U+FFFD. Returns `None` if the encoding is unknown.
    fn decode(&self, bytes: &[u8], encoding: &str) -> Option<String>;
}
