//! Tavily: `POST /search`, with the key as a bearer token.
//!
//! The code follows <https://docs.tavily.com/documentation/api-reference/endpoint/search>, and the
//! parameters and refusals in `tavily-ai/tavily-python`.

use super::dates::{self, DateSpan};
use super::dialect::{Dialect, Refusal, RequestOptions, first, list, some, text};
use super::{Hit, Kind, Query};
use gloss_host::{HttpRequest, Method};
use gloss_markdown::line;
use serde_json::{Map, Value};

/// The maximum number of results: "0 <= x <= 20".
const MOST: u8 = 20;

pub(super) struct Tavily;

impl Dialect for Tavily {
    fn request(&self, query: &Query, asked: &RequestOptions) -> Result<HttpRequest, String> {
        match query.kind {
            Kind::Web | Kind::News => {}
            // Tavily returns images without the pages that contain them.
            Kind::Image => return Err("pictures".to_owned()),
            Kind::Video => return Err("videos".to_owned()),
        }
        let mut body = Map::new();
        let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
        put("query", query.text.as_str().into());
        put("max_results", asked.count.min(MOST).into());
        put("search_depth", "basic".into());
        if dates::is_news(query) {
            // Only news results have publication dates.
            put("topic", "news".into());
        }
        match asked.span {
            DateSpan::Any => {}
            DateSpan::Back(back) => {
                put("time_range", back.word().into());
            }
            DateSpan::Between(from, to) => {
                put("start_date", dates::iso(from).into());
                put("end_date", dates::iso(to).into());
            }
        }
        if !asked.domains.is_empty() {
            let domains = asked.domains.iter().map(|it| Value::from(it.as_str()));
            put("include_domains", domains.collect());
        }
        let mut headers = asked.bearer();
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        headers.push(header("content-type", "application/json"));
        headers.push(header("accept", "application/json"));
        Ok(HttpRequest {
            method: Method::Post,
            url: format!("{}/search", asked.base),
            headers,
            body: Some(Value::Object(body).to_string()),
        })
    }

    fn hits(&self, _: &Query, body: &Value) -> Option<Vec<Hit>> {
        let hit = |result: &Value| Hit {
            title: line(text(result, "/title")),
            url: text(result, "/url").to_owned(),
            snippet: line(text(result, "/content")),
            date: dates::published(text(result, "/published_date")),
            thumbnail: None,
        };
        Some(list(body, "/results")?.iter().map(hit).collect())
    }

    fn refusal(&self, status: u16, body: &Value) -> Option<Refusal> {
        match status {
            401 => Some(Refusal::Key),
            429 => Some(Refusal::Limited),
            // The statuses 432 and 433 mean that the limit of the plan, or of paying as you go, is
            // used up.
            _ => some(first(body, &["/detail/error", "/detail", "/error"])).map(Refusal::Says),
        }
    }
}
