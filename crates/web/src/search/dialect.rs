//! The wire format of a search provider: builds requests and parses responses, without I/O.

use super::dates::DateSpan;
use super::{Hit, Query};
use chrono::NaiveDate;
use gloss_host::{HttpRequest, Method, Secret};
use serde_json::Value;

/// The format of a provider. Deliberately absent: I/O, and the code that all providers share (see
/// `ask`).
pub(super) trait Dialect {
    /// Makes the request for a query.
    ///
    /// # Errors
    /// The requested kind of result, as in `news`, if the provider does not have it.
    fn request(&self, query: &Query, asked: &RequestOptions) -> Result<HttpRequest, String>;

    /// Returns the results in a response, best first; `None` if the response is not in the
    /// provider's format. Unreadable fields of a result are left out.
    fn hits(&self, query: &Query, body: &Value) -> Option<Vec<Hit>>;

    /// Returns the meaning of a refusal, for providers whose HTTP status alone is ambiguous. `None`
    /// if the response is no refusal, or if the status is enough.
    fn refusal(&self, status: u16, body: &Value) -> Option<Refusal> {
        let _ = (status, body);
        None
    }
}

/// The parts of a request besides the query.
pub(super) struct RequestOptions<'a> {
    /// The provider's base address, without a slash at its end.
    pub(super) base: &'a str,
    /// The id of the user's search engine at the provider (Google's `cx`).
    pub(super) id: &'a str,
    /// The key, if there is one.
    pub(super) key: Option<&'a Secret>,
    /// The maximum number of results.
    pub(super) count: u8,
    /// The domains that are trusted for the category.
    pub(super) domains: &'a [String],
    /// The range of publication dates.
    pub(super) span: DateSpan,
    /// The day on which the search is sent.
    pub(super) today: NaiveDate,
}

/// The reason why a provider refuses a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The key is missing or invalid.
    Key,
    /// There were too many searches. The headers say how long to wait.
    Limited,
    /// There is another reason; this is the provider's message.
    Says(String),
}

impl RequestOptions<'_> {
    /// Returns the key in an `Authorization` header, which most providers expect.
    pub(super) fn bearer(&self) -> Vec<(String, String)> {
        let value = |key: &Secret| format!("Bearer {}", key.expose());
        let header = self.key.map(|key| ("authorization".to_owned(), value(key)));
        header.into_iter().collect()
    }
}

/// Makes a GET request that accepts JSON.
pub(super) fn get(url: String, mut headers: Vec<(String, String)>) -> HttpRequest {
    headers.push(("accept".to_owned(), "application/json".to_owned()));
    HttpRequest {
        method: Method::Get,
        url,
        headers,
        body: None,
    }
}

/// Returns the text at a path, as in `/meta/date`; empty if there is none.
pub(super) fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    value
        .pointer(path)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// Returns the list at a path.
pub(super) fn list<'a>(value: &'a Value, path: &str) -> Option<&'a Vec<Value>> {
    value.pointer(path).and_then(Value::as_array)
}

/// Returns the text without white space around it; `None` if it is blank.
pub(super) fn some(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Returns the first text at one of these paths that is not empty; empty if there is none.
pub(super) fn first<'a>(value: &'a Value, paths: &[&str]) -> &'a str {
    let mut found = paths.iter().map(|path| text(value, path));
    found.find(|text| !text.is_empty()).unwrap_or_default()
}
