//! Wikipedia, and any other `MediaWiki`: `GET /w/api.php?action=query`
//! (<https://www.mediawiki.org/wiki/API:Search>, `Extension:TextExtracts`, `Extension:PageImages`).
//! The parameter `list=search` returns the matches, and `generator=search` returns the beginning of
//! each article. The request is anonymous (`origin=*`), so every `MediaWiki` allows it from any
//! origin (<https://www.mediawiki.org/wiki/API:Cross-site_requests>). The request has no header
//! that would require a preflight request.
//!
//! An article has no publication date, and all articles have the same domain. Therefore filters by
//! category or date can't be applied. Images and videos are files (namespace 6).

use super::dialect::{Dialect, Refusal, RequestOptions, first, get, list, some, text};
use super::language::primary;
use super::plain::of_html;
use super::url::with_query;
use super::{Hit, Kind, Query, dates};
use gloss_durable::sorted::sort_by_key;
use gloss_host::HttpRequest;
use gloss_markdown::line;
use serde_json::Value;

/// The maximum number of results: "No more than 20 allowed" for extracts.
const MOST: u8 = 20;
/// The number of characters from the beginning of an article.
const BEGINNING: &str = "500";
/// The width of a thumbnail, in pixels.
const WIDTH: &str = "320";
/// The domain of all Wikipedias.
const WIKIPEDIA: &str = ".wikipedia.org";

pub(super) struct Wikipedia;

impl Dialect for Wikipedia {
    fn request(&self, query: &Query, asked: &RequestOptions) -> Result<HttpRequest, String> {
        let limit = asked.count.clamp(1, MOST).to_string();
        let q = match query.kind {
            Kind::Web => query.text.clone(),
            Kind::Image => format!("{} filetype:bitmap", query.text),
            Kind::Video => format!("{} filetype:video", query.text),
            Kind::News => return Err("news".to_owned()),
        };
        let mut pairs = vec![
            ("action", "query"),
            ("format", "json"),
            ("formatversion", "2"),
            ("origin", "*"),
            ("generator", "search"),
            ("gsrsearch", &q),
            ("gsrlimit", &limit),
        ];
        if query.kind == Kind::Web {
            pairs.extend([
                ("list", "search"),
                ("srsearch", q.as_str()),
                ("srlimit", &limit),
                ("srprop", "snippet"),
                ("prop", "extracts|info|pageimages"),
                ("exintro", "1"),
                ("explaintext", "1"),
                ("exchars", BEGINNING),
                ("exlimit", &limit),
                ("inprop", "url"),
                ("piprop", "thumbnail"),
                ("pithumbsize", WIDTH),
            ]);
        } else {
            pairs.extend([
                ("gsrnamespace", "6"),
                ("prop", "imageinfo"),
                ("iiprop", "url|extmetadata"),
                ("iiextmetadatafilter", "ImageDescription|DateTimeOriginal"),
                ("iiurlwidth", WIDTH),
            ]);
        }
        let url = with_query(&endpoint(asked.base, query), &pairs);
        Ok(get(url, Vec::new()))
    }

    fn hits(&self, query: &Query, body: &Value) -> Option<Vec<Hit>> {
        let pages = match list(body, "/query/pages") {
            Some(pages) => pages.as_slice(),
            // If nothing is found, the response has no pages, and its `query` contains only the
            // list.
            None if body.get("batchcomplete").is_some() => &[],
            None => return None,
        };
        // The response sorts pages by their ids, so they are sorted by `index`.
        let mut pages: Vec<&Value> = pages.iter().collect();
        let index = |page: &Value| page.get("index").and_then(Value::as_u64);
        sort_by_key(&mut pages, |page| index(page).unwrap_or(u64::MAX));
        let matched = list(body, "/query/search").map_or(&[][..], Vec::as_slice);
        let hit = |page: &&Value| match query.kind {
            Kind::Web | Kind::News => article(page, matched),
            Kind::Image | Kind::Video => file(page),
        };
        Some(pages.iter().map(hit).collect())
    }

    fn refusal(&self, status: u16, body: &Value) -> Option<Refusal> {
        let code = text(body, "/error/code");
        if matches!(code, "ratelimited" | "maxlag") || status == 429 {
            return Some(Refusal::Limited);
        }
        let said = first(
            body,
            &["/error/info", "/error/code", "/messageTranslations/en"],
        );
        some(&of_html(said)).map(Refusal::Says)
    }
}

/// Returns an article as a result: the beginning of its text, and the matching excerpt.
fn article(page: &Value, matched: &[Value]) -> Hit {
    let id = page.get("pageid");
    let matched = matched.iter().find(|it| it.get("pageid") == id);
    let matched = of_html(matched.map_or("", |it| text(it, "/snippet")));
    let begins = line(text(page, "/extract"));
    let snippet = if matched.is_empty() || begins.contains(&matched) {
        begins
    } else if begins.is_empty() {
        matched
    } else {
        format!("{begins} … {matched}")
    };
    Hit {
        title: line(text(page, "/title")),
        url: first(page, &["/canonicalurl", "/fullurl"]).to_owned(),
        snippet,
        date: None,
        thumbnail: some(text(page, "/thumbnail/source")),
    }
}

fn file(page: &Value) -> Hit {
    let title = text(page, "/title");
    let (_, name) = title.split_once(':').unwrap_or(("", title));
    let said = |of: &str| of_html(text(page, &format!("/imageinfo/0/extmetadata/{of}/value")));
    Hit {
        title: line(name),
        url: text(page, "/imageinfo/0/descriptionurl").to_owned(),
        snippet: said("ImageDescription"),
        date: dates::published(&said("DateTimeOriginal")),
        thumbnail: some(text(page, "/imageinfo/0/thumburl")),
    }
}

/// Returns the address of the API. It belongs to the Wikipedia in the query's language, or to the
/// wiki that the user has set.
fn endpoint(base: &str, query: &Query) -> String {
    if base.ends_with("/api.php") {
        return base.to_owned();
    }
    let (scheme, host) = base.split_once("://").unwrap_or(("https", base));
    let named = host.strip_suffix(WIKIPEDIA).unwrap_or(host);
    // `simple` in `simple.wikipedia.org` is not a language. If the user has set this address, it is
    // used unchanged.
    let follows = host == "wikipedia.org"
        || (named.len() < host.len() && (named == "www" || named.len() <= 3));
    if follows {
        let language = subdomain(&query.language);
        return format!("{scheme}://{language}{WIKIPEDIA}/w/api.php");
    }
    format!("{base}/w/api.php")
}

/// Returns the subdomain of the Wikipedia in a language, which is given as a BCP 47 tag.
fn subdomain(tag: &str) -> String {
    match primary(tag).as_str() {
        "nb" => "no".to_owned(),
        "" => "en".to_owned(),
        language => language.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_follows_the_question_and_other_wikis_stay_where_they_are() {
        for (base, tag, address) in [
            (
                "https://en.wikipedia.org",
                "en",
                "https://en.wikipedia.org/w/api.php",
            ),
            (
                "https://en.wikipedia.org",
                "zh-CN",
                "https://zh.wikipedia.org/w/api.php",
            ),
            (
                "https://wikipedia.org",
                "de",
                "https://de.wikipedia.org/w/api.php",
            ),
            (
                "https://www.wikipedia.org",
                "nb",
                "https://no.wikipedia.org/w/api.php",
            ),
            (
                "https://wikipedia.org",
                "",
                "https://en.wikipedia.org/w/api.php",
            ),
            (
                "https://simple.wikipedia.org",
                "en",
                "https://simple.wikipedia.org/w/api.php",
            ),
            (
                "http://localhost:8080",
                "zh",
                "http://localhost:8080/w/api.php",
            ),
            (
                "https://wiki.example/api.php",
                "en",
                "https://wiki.example/api.php",
            ),
            (
                "https://notwikipedia.org",
                "en",
                "https://notwikipedia.org/w/api.php",
            ),
        ] {
            let query = Query {
                language: tag.to_owned(),
                ..Query::default()
            };
            assert_eq!(endpoint(base, &query), address);
        }
    }
}
