//! Sends one search, in the same way for every provider.
//!
//! Example: when a search is sent, the key is read from the vault, and the provider's
//! dialect makes a request from the query. A response within the limits on time and size becomes a
//! list of results. Any other response becomes an error. The text of an error contains neither the
//! key nor the address, because the address may include the key.

use super::dates::{self, DateSpan};
use super::dialect::{Refusal, RequestOptions, first};
use super::domains::covers;
use super::{Hit, KeyNeed, Missing, ProviderKind, Query, SearchError, Server, url};
use crate::check;
use futures::StreamExt;
use gloss_durable::within;
use gloss_host::{
    Host, HttpError, HttpRequest, HttpResponse, KeyError, Secret, Secrets, retry_after_ms,
};
use gloss_markdown::{line, shortened};
use serde_json::Value;

/// The maximum length of a query, in characters (DETAILS §12).
pub const MOST_CHARACTERS: usize = 200;

/// The time limit of a search, in ms.
const MOST_MS: u64 = 15_000;
/// The maximum size of a response, in bytes. Twenty results with all their fields take about 200
/// KB.
const MOST_BYTES: usize = 2 << 20;
/// The time to wait after a refusal that names no time, in seconds.
const FREES_S: u64 = 60;
/// The maximum lengths of a provider's message, of a title and of an excerpt, in characters.
const MOST_WORDS: usize = 200;
const MOST_TITLE: usize = 200;
const MOST_SNIPPET: usize = 1_500;

const WEB_PAGE: &str = "a web page, not JSON";
const NO_JSON: &str = "no JSON";
const NO_LIST: &str = "this is not a list of results";
/// The messages about a response that is not in the provider's format.
pub(super) const UNEXPECTED_RESPONSES: [&str; 3] = [WEB_PAGE, NO_JSON, NO_LIST];

/// Puts a query on one line and shortens it.
pub(super) fn query_text(text: &str) -> String {
    let text = line(text);
    let short: String = text.chars().take(MOST_CHARACTERS).collect();
    short.trim_end().to_owned()
}

/// A search that is about to be sent.
pub(super) struct SearchCall<'a> {
    pub(super) host: &'a Host,
    pub(super) secrets: &'a dyn Secrets,
    pub(super) engine: ProviderKind,
    pub(super) server: &'a Server,
    /// The domains that are trusted for the query's category.
    pub(super) domains: &'a [String],
    pub(super) query: &'a Query,
    pub(super) count: u8,
}

/// A request that is ready to be sent.
pub(super) struct PreparedSearch {
    request: HttpRequest,
    key: Option<Secret>,
    span: DateSpan,
}

impl SearchCall<'_> {
    /// Makes the request.
    ///
    /// # Errors
    /// If a setting, a permission or the key is missing. Nothing was sent.
    pub(super) async fn ready(&self) -> Result<PreparedSearch, SearchError> {
        let (origin, base) = match url::base(&self.server.base_url) {
            Some(base) => base,
            None if self.server.base_url.is_empty() => {
                return Err(self.not_ready(Missing::BaseUrl));
            }
            None => return Err(self.not_ready(Missing::Address)),
        };
        if self.engine.wants_id() && self.server.id.is_empty() {
            return Err(self.not_ready(Missing::Id));
        }
        if self.engine.needs_host_permission()
            && !self.host.grants.covers(&format!("{origin}/")).await
        {
            return Err(SearchError::NotPermitted { origin });
        }
        let key = self.key(&origin).await?;
        let unsupported = |what| SearchError::Unsupported {
            provider: self.engine.name().to_owned(),
            what,
        };
        let span = dates::span(self.query).map_err(|day| unsupported(format!("day {day}")))?;
        let request = self
            .engine
            .dialect()
            .request(self.query, &self.request_options(&base, key.as_ref(), span))
            .map_err(unsupported)?;
        Ok(PreparedSearch { request, key, span })
    }

    fn request_options<'b>(
        &'b self,
        base: &'b str,
        key: Option<&'b Secret>,
        span: DateSpan,
    ) -> RequestOptions<'b> {
        RequestOptions {
            base,
            id: &self.server.id,
            key,
            count: self.count,
            domains: self.domains,
            span,
            today: dates::day_of(self.host.clock.now_ms()),
        }
    }

    async fn key(&self, origin: &str) -> Result<Option<Secret>, SearchError> {
        if self.engine.key() == KeyNeed::None {
            return Ok(None);
        }
        let key = match self.secrets.get(self.engine.key_name(), origin).await {
            Ok(key) => key.filter(|key| !key.expose().is_empty()),
            Err(KeyError::Locked) => return Err(self.not_ready(Missing::Passphrase)),
            Err(KeyError::Store(_)) => return Err(self.not_ready(Missing::Storage)),
        };
        // A key that contains characters not allowed in a header is invalid.
        let sendable = |key: &Secret| key.expose().bytes().all(|byte| byte.is_ascii_graphic());
        let missing = key.is_none() && self.engine.key() == KeyNeed::Required;
        if missing || !key.as_ref().is_none_or(sendable) {
            return Err(self.refused_key());
        }
        Ok(key)
    }

    /// Sends the request and reads the results. Dropping the future aborts the request.
    ///
    /// # Errors
    /// If no valid response arrives.
    pub(super) async fn send(&self, ready: &PreparedSearch) -> Result<Vec<Hit>, SearchError> {
        let exchanged = within(&*self.host.clock, MOST_MS, self.exchange(ready)).await;
        exchanged.unwrap_or_else(|| {
            let message = format!("nothing received within {} s", MOST_MS / 1_000);
            Err(self.unreachable(message))
        })
    }

    async fn exchange(&self, ready: &PreparedSearch) -> Result<Vec<Hit>, SearchError> {
        let sent = self.host.http.send(ready.request.clone()).await;
        let response = sent.map_err(|error| self.unsent(error, ready))?;
        let (status, headers) = (response.status, response.headers.clone());
        let body = self.body(response, ready).await?;
        let Ok(tree) = serde_json::from_str::<Value>(&String::from_utf8_lossy(&body)) else {
            return Err(self.refused(status, &headers, &Value::Null, ready, &body));
        };
        let dialect = self.engine.dialect();
        let is_refused = !(200..300).contains(&status) || tree.get("error").is_some();
        if is_refused || dialect.refusal(status, &tree).is_some() {
            return Err(self.refused(status, &headers, &tree, ready, &body));
        }
        match dialect.hits(self.query, &tree) {
            Some(hits) => Ok(self.filter_results(hits, ready.span)),
            None => Err(self.answered(status, NO_LIST, ready)),
        }
    }

    async fn body(
        &self,
        response: HttpResponse,
        ready: &PreparedSearch,
    ) -> Result<Vec<u8>, SearchError> {
        let (status, mut pieces) = (response.status, response.body);
        let mut body = Vec::new();
        while let Some(piece) = pieces.next().await {
            body.extend(piece.map_err(|error| self.unsent(error, ready))?);
            if body.len() > MOST_BYTES {
                return Err(self.answered(status, "larger than 2 MB", ready));
            }
        }
        Ok(body)
    }

    /// Returns the error for a refusal. The provider's own error code decides the kind of the
    /// error; without such a code, the HTTP status does.
    fn refused(
        &self,
        status: u16,
        headers: &[(String, String)],
        tree: &Value,
        ready: &PreparedSearch,
        body: &[u8],
    ) -> SearchError {
        let wants_key = self.engine.key() != KeyNeed::None;
        let needs_key = self.engine.key() == KeyNeed::Required;
        match (self.engine.dialect().refusal(status, tree), status) {
            (Some(Refusal::Key), _) => self.refused_key(),
            (None | Some(Refusal::Says(_)), 401) if wants_key => self.refused_key(),
            (None, 403) if needs_key => self.refused_key(),
            (Some(Refusal::Limited), _) | (None, 429) => SearchError::RateLimited {
                seconds: retry_after_ms(headers, self.host.clock.now_ms())
                    .map_or(FREES_S, |ms| ms.div_ceil(1_000).max(1)),
            },
            (Some(Refusal::Says(words)), _) => self.answered(status, &words, ready),
            (None, _) => {
                let said = first(tree, &["/error/message", "/message", "/error", "/detail"]);
                let is_page = body.trim_ascii_start().starts_with(b"<");
                let words = match said {
                    "" if is_page => WEB_PAGE,
                    "" if *tree == Value::Null => NO_JSON,
                    "" => "it does not say why",
                    said => said,
                };
                self.answered(status, words, ready)
            }
        }
    }

    /// Returns the error if there is no response. The address and the key are removed from the
    /// browser's message.
    fn unsent(&self, error: HttpError, ready: &PreparedSearch) -> SearchError {
        match error {
            HttpError::BadUrl { .. } => self.not_ready(Missing::Address),
            HttpError::NotPermitted { origin } => SearchError::NotPermitted { origin },
            HttpError::Redirected => self.not_ready(Missing::Redirect),
            HttpError::Unreachable { message } => self.unreachable(redact(&message, ready)),
            HttpError::Cut { .. } => self.unreachable("the response is incomplete".to_owned()),
        }
    }

    fn answered(&self, status: u16, words: &str, ready: &PreparedSearch) -> SearchError {
        SearchError::Answered {
            provider: self.engine.name().to_owned(),
            status,
            message: redact(words, ready),
        }
    }

    fn refused_key(&self) -> SearchError {
        SearchError::Key {
            provider: self.engine.name().to_owned(),
        }
    }

    fn not_ready(&self, missing: Missing) -> SearchError {
        SearchError::NotReady {
            provider: self.engine.name().to_owned(),
            missing,
        }
    }

    fn unreachable(&self, message: String) -> SearchError {
        SearchError::Unreachable {
            provider: self.engine.name().to_owned(),
            message,
        }
    }

    /// Returns the results that may be shown. They have public addresses, match the requested
    /// domains and dates as far as these are known, have no duplicates, and are not too long.
    fn filter_results(&self, hits: Vec<Hit>, span: DateSpan) -> Vec<Hit> {
        let web = &self.host.web;
        let public = |url: &str| web.address(url).filter(|address| check(address).is_ok());
        let today = dates::day_of(self.host.clock.now_ms());
        let mut tidy: Vec<Hit> = Vec::new();
        for hit in hits {
            if tidy.len() >= self.count.into() {
                break;
            }
            let Some(address) = public(hit.url.trim()) else {
                continue;
            };
            let trusted = self.domains.is_empty()
                || self
                    .domains
                    .iter()
                    .any(|domain| covers(domain, &address.host));
            let known = tidy.iter().any(|known| known.url == address.href);
            if !trusted || known || !dates::is_within(span, hit.date.as_deref(), today) {
                continue;
            }
            let title = match hit.title.as_str() {
                "" => address.host,
                title => shortened(title, MOST_TITLE),
            };
            tidy.push(Hit {
                title,
                url: address.href,
                snippet: shortened(&hit.snippet, MOST_SNIPPET),
                date: hit.date,
                thumbnail: hit.thumbnail.and_then(|url| Some(public(&url)?.href)),
            });
        }
        tidy
    }
}

/// Removes the key and the address from a message. Hidden characters are removed first, because
/// they could split the key or the address.
fn redact(words: &str, ready: &PreparedSearch) -> String {
    let key = ready.key.as_ref().map(Secret::expose).unwrap_or_default();
    let secrets = [ready.request.url.as_str(), key].into_iter();
    let text = secrets
        .filter(|it| !it.is_empty())
        .fold(line(words), |text, secret| text.replace(secret, "…"));
    shortened(&text, MOST_WORDS)
}
