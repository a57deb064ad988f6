//! Pages of the web, for whoever may read them: no cookies, no trace of where we come from.
//!
//! Apart from [`Http`](super::Http), which speaks to servers that the person chose and follows
//! nobody: here redirects are followed, and who asks is told where they ended. What may
//! be asked for is decided above.

use super::{HttpError, HttpResponse};
use gloss_durable::Fut;

/// An address as the browser understands it (the WHATWG URL standard): what is judged is what
/// is asked for, however it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// Whole, in its one written form.
    pub href: String,
    /// As in `https`.
    pub scheme: String,
    /// A name in lower case and ASCII, or an IP address in its one written form, in
    /// brackets if it is of version 6.
    pub host: String,
    /// As in `https://news.example`.
    pub origin: String,
    /// Whether a name or a password stands in it.
    pub has_credentials: bool,
}

/// A response, and where it came from in the end.
pub struct WebResponse {
    /// The address of the last redirect.
    pub url: String,
    /// The response.
    pub response: HttpResponse,
}

/// Reads the web.
pub trait Web {
    /// What the browser makes of an address; `None` if it is none.
    fn address(&self, text: &str) -> Option<Address>;
    /// Asks for a page and resolves at the response's head, after at most twenty redirects.
    /// Dropping the future, or the body, aborts.
    fn get(&self, url: &str, accept: &'static str) -> Fut<Result<WebResponse, HttpError>>;
    /// Whether a page sends on to another address; which, the browser tells no extension. `false`
    /// also where nobody answers. Dropping the future aborts.
    fn leads_on(&self, url: &str, accept: &'static str) -> Fut<bool>;
    /// The text of bytes in an encoding, named as in the Encoding standard; what can't be
    /// decoded becomes U+FFFD. `None` if there is no such encoding.
    fn decode(&self, bytes: &[u8], encoding: &str) -> Option<String>;
}
