//! How one provider is asked and what it answers: a pure pair.

use super::dates::Span;
use super::{Hit, Query};
use chrono::NaiveDate;
use gloss_host::{HttpRequest, Method, Secret};
use serde_json::Value;

/// What a provider speaks. Deliberately absent: I/O, and what all have in common (see `ask`).
pub(super) trait Dialect {
    /// The request of a query.
    ///
    /// # Errors
    /// What it has none of, as in `news`.
    fn request(&self, query: &Query, asked: &Asked) -> Result<HttpRequest, String>;

    /// The results of a body, best first; `None` if this is no answer of its. What of a
    /// result can't be read is left out.
    fn hits(&self, query: &Query, body: &Value) -> Option<Vec<Hit>>;

    /// What a refusal of its own means, where its status says too little.
    fn refusal(&self, status: u16, body: &Value) -> Option<Refusal> {
        let _ = (status, body);
        None
    }
}

/// What is asked beside the words.
pub(super) struct Asked<'a> {
    /// The provider's address, without a slash at its end.
    pub(super) base: &'a str,
    /// Which of the person's search engines.
    pub(super) id: &'a str,
    /// The key, if there is one.
    pub(super) key: Option<&'a Secret>,
    /// At most so many results.
    pub(super) count: u8,
    /// The domains that are trusted for the category.
    pub(super) domains: &'a [String],
    /// When it was published.
    pub(super) span: Span,
    /// The day of the search.
    pub(super) today: NaiveDate,
}

/// Why a provider gives nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refusal {
    /// The key.
    Key,
    /// Too many searches; the headers say when it frees.
    Limited,
    /// It says what.
    Says(String),
}

impl Asked<'_> {
    /// The key as most take it.
    pub(super) fn bearer(&self) -> Vec<(String, String)> {
        let value = |key: &Secret| format!("Bearer {}", key.expose());
        let header = self.key.map(|key| ("authorization".to_owned(), value(key)));
        header.into_iter().collect()
    }
}

/// A request that reads.
pub(super) fn get(url: String, mut headers: Vec<(String, String)>) -> HttpRequest {
    headers.push(("accept".to_owned(), "application/json".to_owned()));
    HttpRequest {
        method: Method::Get,
        url,
        headers,
        body: None,
    }
}

/// The text at a path, as in `/meta/date`; empty where there is none.
pub(super) fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    value
        .pointer(path)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The list at a path.
pub(super) fn list<'a>(value: &'a Value, path: &str) -> Option<&'a Vec<Value>> {
    value.pointer(path).and_then(Value::as_array)
}

/// A text, if it says anything.
pub(super) fn some(text: &str) -> Option<String> {
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// The first of these texts that says anything.
pub(super) fn first<'a>(value: &'a Value, paths: &[&str]) -> &'a str {
    let mut found = paths.iter().map(|path| text(value, path));
    found.find(|text| !text.is_empty()).unwrap_or_default()
}
