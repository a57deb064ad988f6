//! Google's Custom Search JSON API: `GET /customsearch/v1`, with the key in the query
//! (<https://developers.google.com/custom-search/v1/reference/rest/v1/cse/list>). Date ranges use
//! `sort` (<https://developers.google.com/custom-search/docs/structured_search>).

use super::dates::{self, DateSpan, RelativeRange};
use super::dialect::{Dialect, Refusal, RequestOptions, first, get, list, some, text};
use super::narrow::{QueryLimits, narrowed};
use super::url::with_query;
use super::{Hit, Kind, Query};
use gloss_host::{HttpRequest, Secret};
use gloss_markdown::line;
use serde_json::Value;

/// The limits on a query. Google reads 32 words, and an address of 2 048 characters.
const ROOM: QueryLimits = QueryLimits {
    characters: 600,
    words: 32,
};
/// The maximum number of results: "Valid values are integers between 1 and 10, inclusive".
const MOST: u8 = 10;
/// The JSON paths of a page's publication date.
const DATES: [&str; 6] = [
    "/pagemap/metatags/0/article:published_time",
    "/pagemap/metatags/0/datepublished",
    "/pagemap/metatags/0/date",
    "/pagemap/newsarticle/0/datepublished",
    "/pagemap/article/0/datepublished",
    "/pagemap/metatags/0/og:updated_time",
];

pub(super) struct Google;

impl Dialect for Google {
    fn request(&self, query: &Query, asked: &RequestOptions) -> Result<HttpRequest, String> {
        match query.kind {
            Kind::Web | Kind::Image => {}
            Kind::Video => return Err("videos".to_owned()),
            Kind::News => return Err("news".to_owned()),
        }
        let q = narrowed(&query.text, asked.domains, ROOM);
        let num = asked.count.clamp(1, MOST).to_string();
        let key = asked.key.map(Secret::expose).unwrap_or_default();
        let (restrict, sort) = dates(asked.span);
        let language = query.language.split('-').next().unwrap_or_default();
        let mut pairs = vec![("key", key), ("cx", asked.id), ("q", &q), ("num", &num)];
        if (2..=3).contains(&language.len()) {
            pairs.push(("hl", &query.language));
        }
        if let Some(restrict) = restrict {
            pairs.push(("dateRestrict", restrict));
        }
        if let Some(sort) = &sort {
            pairs.push(("sort", sort));
        }
        if query.kind == Kind::Image {
            pairs.push(("searchType", "image"));
        }
        let address = format!("{}/customsearch/v1", asked.base);
        Ok(get(with_query(&address, &pairs), Vec::new()))
    }

    fn hits(&self, query: &Query, body: &Value) -> Option<Vec<Hit>> {
        let Some(items) = list(body, "/items") else {
            // If nothing is found, the response has no `items`.
            return text(body, "/kind")
                .starts_with("customsearch")
                .then(Vec::new);
        };
        let (page, thumbnail) = match query.kind {
            // The `link` of an image result is the image itself. The page that contains it is in
            // another field.
            Kind::Image => ("/image/contextLink", "/image/thumbnailLink"),
            Kind::Web | Kind::Video | Kind::News => ("/link", "/pagemap/cse_thumbnail/0/src"),
        };
        let hit = |item: &Value| Hit {
            title: line(text(item, "/title")),
            url: text(item, page).to_owned(),
            snippet: line(text(item, "/snippet")),
            date: dates::published(first(item, &DATES)),
            thumbnail: some(text(item, thumbnail)),
        };
        Some(items.iter().map(hit).collect())
    }

    fn refusal(&self, status: u16, body: &Value) -> Option<Refusal> {
        let reason = first(body, &["/error/errors/0/reason", "/error/details/0/reason"]);
        let message = text(body, "/error/message");
        Some(match (status, reason) {
            (_, "keyInvalid" | "API_KEY_INVALID" | "keyExpired") | (401, _) => Refusal::Key,
            // The key is valid, but its project may not use the API, which Google's message
            // explains.
            (_, "accessNotConfigured") => Refusal::Says(some(message)?),
            (400 | 403, _) if message.contains("API key") => Refusal::Key,
            // For a daily limit, Google does not say how long to wait.
            (_, "dailyLimitExceeded" | "quotaExceeded") => Refusal::Says(some(message)?),
            (429, _) if message.contains("per day") => Refusal::Says(some(message)?),
            (_, "rateLimitExceeded" | "userRateLimitExceeded" | "RATE_LIMIT_EXCEEDED")
            | (429, _) => Refusal::Limited,
            _ => Refusal::Says(some(message)?),
        })
    }
}

/// Returns the parameters for a date range: `dateRestrict` for a range that ends today, `sort` for
/// a range between two days.
fn dates(span: DateSpan) -> (Option<&'static str>, Option<String>) {
    match span {
        DateSpan::Any => (None, None),
        DateSpan::Back(RelativeRange::Day) => (Some("d1"), None),
        DateSpan::Back(RelativeRange::Week) => (Some("w1"), None),
        DateSpan::Back(RelativeRange::Month) => (Some("m1"), None),
        DateSpan::Back(RelativeRange::Year) => (Some("y1"), None),
        DateSpan::Between(from, to) => {
            let [from, to] = [from, to].map(|day| dates::iso(day).replace('-', ""));
            (None, Some(format!("date:r:{from}:{to}")))
        }
    }
}
