//! A `SearXNG` of the person's own: `GET /search?format=json`
//! (<https://docs.searxng.org/dev/search_api.html>). It must be told to answer in JSON
//! (`search: formats: [html, json]`), else it answers 403 to everything.

use super::dates::{self, Back, Span};
use super::dialect::{Asked, Dialect, Refusal, first, get, list, some, text};
use super::narrow::{Room, narrowed};
use super::url::with_query;
use super::{Hit, Kind, Query};
use gloss_host::HttpRequest;
use gloss_markdown::line;
use serde_json::Value;

/// The engines behind it take about as much as Google does.
const ROOM: Room = Room {
    characters: 600,
    words: 32,
};

pub(super) struct Searxng;

impl Dialect for Searxng {
    fn request(&self, query: &Query, asked: &Asked) -> Result<HttpRequest, String> {
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
            Span::Any => None,
            Span::Back(back) => Some(back),
            // It has no other: what is older or newer is left out afterwards, where it
            // says when it was published.
            Span::Between(from, _) => Back::to(from, asked.today),
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
        // Nothing was found because nobody behind it answered: that is no empty list.
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

/// What it takes for one: `^[a-z]{2,3}(-[a-zA-Z]{2})?$`.
fn is_language(tag: &str) -> bool {
    let (language, region) = tag.split_once('-').unwrap_or((tag, "aa"));
    (2..=3).contains(&language.len())
        && language.chars().all(|it| it.is_ascii_lowercase())
        && region.len() == 2
        && region.chars().all(|it| it.is_ascii_alphabetic())
}
