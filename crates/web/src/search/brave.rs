//! Brave Search: `GET /res/v1/{web|news|images|videos}/search`, with the key in a header.
//!
//! The code follows <https://api-dashboard.search.brave.com/documentation/services/web-search>, and
//! the description of parameters and responses in `brave/brave-search-skills`.

use super::dates::{self, DateSpan, RelativeRange};
use super::dialect::{Dialect, Refusal, RequestOptions, first, get, list, some, text};
use super::narrow::{QueryLimits, narrowed};
use super::plain::of_html;
use super::url::with_query;
use super::{Hit, Kind, Query};
use gloss_host::HttpRequest;
use serde_json::Value;

/// The limits on a query: "1-400 chars, max 50 words".
const ROOM: QueryLimits = QueryLimits {
    characters: 400,
    words: 50,
};
/// The maximum number of web results in one response.
const MOST: u8 = 20;
/// The language codes that `search_lang` accepts unchanged. The parameter rejects any other code.
const LANGUAGES: &str = " ar eu bn bg ca hr cs da nl en et fi fr gl de el gu he hi hu is it kn ko lv \
    lt ms ml mr nb pl pa ro ru sr sk sl es sv ta te th tr uk vi ";

pub(super) struct Brave;

impl Dialect for Brave {
    fn request(&self, query: &Query, asked: &RequestOptions) -> Result<HttpRequest, String> {
        let what = match query.kind {
            Kind::Web => "web",
            Kind::News => "news",
            Kind::Image => "images",
            Kind::Video => "videos",
        };
        let q = narrowed(&query.text, asked.domains, ROOM);
        let count = asked.count.min(MOST).to_string();
        let freshness = freshness(asked.span);
        let language = language(&query.language);
        let mut pairs = vec![("q", q.as_str()), ("count", &count)];
        if let Some(language) = &language {
            pairs.push(("search_lang", language));
        }
        // Image search has no parameter for dates.
        if let Some(freshness) = freshness.as_ref().filter(|_| query.kind != Kind::Image) {
            pairs.push(("freshness", freshness));
        }
        if query.kind == Kind::Web {
            // Only web search documents these parameters.
            pairs.push(("text_decorations", "false"));
            pairs.push(("result_filter", "web"));
        }
        let address = format!("{}/res/v1/{what}/search", asked.base);
        let token =
            |key: &gloss_host::Secret| ("x-subscription-token".to_owned(), key.expose().to_owned());
        let headers = asked.key.map(token).into_iter().collect();
        Ok(get(with_query(&address, &pairs), headers))
    }

    fn hits(&self, query: &Query, body: &Value) -> Option<Vec<Hit>> {
        let results = match query.kind {
            Kind::Web => "/web/results",
            Kind::News | Kind::Image | Kind::Video => "/results",
        };
        let Some(results) = list(body, results) else {
            // If nothing is found, the response has no list.
            return body.get("query").is_some().then(Vec::new);
        };
        let hit = |result: &Value| Hit {
            title: of_html(text(result, "/title")),
            url: text(result, "/url").to_owned(),
            snippet: of_html(text(result, "/description")),
            date: dates::published(first(result, &["/page_age", "/age"])),
            thumbnail: some(text(result, "/thumbnail/src")),
        };
        Some(results.iter().map(hit).collect())
    }

    fn refusal(&self, status: u16, body: &Value) -> Option<Refusal> {
        let code = text(body, "/error/code");
        match (status, code) {
            // Brave reports an invalid key with status 422, like any invalid parameter.
            (_, "SUBSCRIPTION_TOKEN_INVALID") | (401 | 403, _) => Some(Refusal::Key),
            (429, _) | (_, "RATE_LIMITED" | "QUOTA_LIMITED") => Some(Refusal::Limited),
            _ => some(text(body, "/error/detail")).map(Refusal::Says),
        }
    }
}

fn freshness(span: DateSpan) -> Option<String> {
    let back = |word: &str| Some(word.to_owned());
    match span {
        DateSpan::Any => None,
        DateSpan::Back(RelativeRange::Day) => back("pd"),
        DateSpan::Back(RelativeRange::Week) => back("pw"),
        DateSpan::Back(RelativeRange::Month) => back("pm"),
        DateSpan::Back(RelativeRange::Year) => back("py"),
        DateSpan::Between(from, to) => Some(format!("{}to{}", dates::iso(from), dates::iso(to))),
    }
}

fn language(tag: &str) -> Option<String> {
    let lower = tag.to_ascii_lowercase();
    let known = match lower.split('-').next().unwrap_or_default() {
        "zh" if ["hant", "tw", "hk", "mo"]
            .iter()
            .any(|it| lower.ends_with(it)) =>
        {
            "zh-hant"
        }
        "zh" => "zh-hans",
        "ja" => "jp",
        "pt" if lower == "pt-br" => "pt-br",
        "pt" => "pt-pt",
        "no" => "nb",
        other => {
            return LANGUAGES
                .contains(&format!(" {other} "))
                .then(|| other.to_owned());
        }
    };
    Some(known.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_language_is_named_as_brave_names_it_or_not_at_all() {
        for (tag, expected) in [
            ("zh-CN", Some("zh-hans")),
            ("zh", Some("zh-hans")),
            ("zh-Hant", Some("zh-hant")),
            ("zh-TW", Some("zh-hant")),
            ("ja", Some("jp")),
            ("pt-BR", Some("pt-br")),
            ("pt", Some("pt-pt")),
            ("de-AT", Some("de")),
            ("tlh", None),
            ("e", None),
            ("", None),
        ] {
            assert_eq!(language(tag).as_deref(), expected, "{tag}");
        }
    }
}
