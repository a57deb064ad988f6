//! The user's own `SearXNG` server: `GET /search?format=json`
//! (<https://docs.searxng.org/dev/search_api.html>). The server's configuration must enable JSON
//! (`search: formats: [html, json]`). Without this setting, the server returns 403 for every
//! search.

use super::dates::{self, DateSpan, RelativeRange};
use super::dialect::{Dialect, Refusal, RequestOptions, first, get, list, some, text};
use super::narrow::{QueryLimits, narrowed};
use super::url::with_query;
use super::{Hit, Kind, Query};
use gloss_host::HttpRequest;
use gloss_markdown::line;
use serde_json::Value;

/// The limits on a query. The search engines that `SearXNG` uses accept about as much as Google
/// does.
const ROOM: QueryLimits = QueryLimits {
    characters: 600,
    words: 32,
};

pub(super) struct Searxng;

impl Dialect for Searxng {
    fn request(&self, query: &Query, asked: &RequestOptions) -> Result<HttpRequest, String> {
        let category = match query.kind {
            Kind::Web => "general",
            Kind::News => "news",
            Kind::Image => "images",
            Kind::Video => "videos",
        };
        let q = narrowed(&query.text, asked.domains, ROOM);
        let mut pairs = vec![
            ("q", q.as_str()),
            ("format", "json"),
            ("categories", category),
        ];
        if is_language(&query.language) {
            pairs.push(("language", &query.language));
        }
        let back = match asked.span {
            DateSpan::Any => None,
            DateSpan::Back(back) => Some(back),
            // `SearXNG` has no range between two days. Results outside of the range are removed
            // later, if their date is known.
            DateSpan::Between(from, _) => RelativeRange::to(from, asked.today),
        };
        if let Some(back) = back {
            pairs.push(("time_range", back.word()));
        }
        let address = format!("{}/search", asked.base);
        Ok(get(with_query(&address, &pairs), asked.bearer()))
    }

    fn hits(&self, _: &Query, body: &Value) -> Option<Vec<Hit>> {
        let hit = |result: &Value| Hit {
            title: line(text(result, "/title")),
            url: text(result, "/url").to_owned(),
            snippet: line(text(result, "/content")),
            date: dates::published(first(result, &["/publishedDate", "/pubdate"])),
            thumbnail: some(first(result, &["/thumbnail_src", "/thumbnail", "/img_src"])),
        };
        Some(list(body, "/results")?.iter().map(hit).collect())
    }

    fn refusal(&self, status: u16, body: &Value) -> Option<Refusal> {
        if status != 200 {
            return some(first(body, &["/error", "/message"])).map(Refusal::Says);
        }
        // If there are no results and some search engines did not respond, that is an error and not
        // an empty list.
        let found = list(body, "/results").is_none_or(|found| !found.is_empty());
        let silent = list(body, "/unresponsive_engines").filter(|silent| !silent.is_empty())?;
        if found {
            return None;
        }
        let names = silent.iter().map(|engine| match text(engine, "/1") {
            "" => text(engine, "/0").to_owned(),
            why => format!("{} ({why})", text(engine, "/0")),
        });
        let names = names.collect::<Vec<_>>().join(", ");
        Some(Refusal::Says(format!(
            "none of its engines responds: {names}"
        )))
    }
}

/// Returns true for a language tag that `SearXNG` accepts: `^[a-z]{2,3}(-[a-zA-Z]{2})?$`.
fn is_language(tag: &str) -> bool {
    let (language, region) = tag.split_once('-').unwrap_or((tag, "aa"));
    (2..=3).contains(&language.len())
        && language.chars().all(|it| it.is_ascii_lowercase())
        && region.len() == 2
        && region.chars().all(|it| it.is_ascii_alphabetic())
}
