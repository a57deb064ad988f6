//! Reads Wikipedia articles without a permission for the site.
//!
//! Example: a search finds `https://en.wikipedia.org/wiki/Tide`, and the user has not
//! permitted any site yet. The article is requested with `action=parse`
//! (<https://www.mediawiki.org/wiki/API:Parsing_wikitext>). The request is anonymous (`origin=*`),
//! so it needs no host permission (<https://www.mediawiki.org/wiki/API:Cross-site_requests>). The
//! response contains the article as the page shows it, without the menus.

use gloss_durable::json;
use gloss_host::Address;
use gloss_page::without_place;
use serde::Deserialize;

/// The domain of all Wikipedias.
const WIKIPEDIA: &str = ".wikipedia.org";

/// The beginning of an article's path.
const ARTICLES: &str = "/wiki/";

/// Returns the API address that returns the text of an article without permission. `None` if the
/// address is not an article, or is an earlier revision of one.
pub(super) fn api_address(address: &Address) -> Option<String> {
    let language = language(address)?;
    let title = address.href.strip_prefix(&address.origin)?;
    let title = title.strip_prefix(ARTICLES)?;
    let title = without_place(title);
    let (title, query) = title.split_once('?').unwrap_or((title, ""));
    // The only query that shows the current article is the choice of a language variant.
    let is_as_it_stands = query.is_empty() || query.starts_with("variant=") && !query.contains('&');
    if title.is_empty() || title.starts_with("Special:") || !is_as_it_stands {
        return None;
    }
    if address.scheme != "https" {
        return None;
    }
    // The title is already escaped for a path, but these two characters separate the parts of a
    // query.
    let title = title.replace('&', "%26").replace('+', "%2B");
    Some(format!(
        "https://{language}{WIKIPEDIA}/w/api.php?action=parse&format=json&formatversion=2\
         &origin=*&redirects=1&prop=text&disableeditsection=1&disabletoc=1\
         &disablelimitreport=1&page={title}"
    ))
}

/// Makes an HTML page of the article in an API response; `None` if the response contains no
/// article.
pub(super) fn page_of(address: &Address, body: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Answer {
        parse: Parsed,
    }
    #[derive(Deserialize)]
    struct Parsed {
        title: String,
        text: String,
    }
    let Parsed { title, text } = json::parse::<Answer>(body).ok()?.parse;
    let title = title.replace('&', "&amp;").replace('<', "&lt;");
    let language = language(address)?;
    Some(format!(
        "<!doctype html><html lang=\"{language}\"><head><title>{title}</title></head>\
         <body><main><h1>{title}</h1>{text}</main></body></html>"
    ))
}

/// Returns true if the final address, after redirects, belongs to Wikipedia.
pub(super) fn is_of_wikipedia(url: &str) -> bool {
    let rest = url.strip_prefix("https://").unwrap_or_default();
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    host.ends_with(WIKIPEDIA)
}

/// Returns the language of a Wikipedia: `en.wikipedia.org` and `en.m.wikipedia.org` -> `en`.
fn language(address: &Address) -> Option<&str> {
    let host = address.host.strip_suffix(WIKIPEDIA)?;
    let language = host.strip_suffix(".m").unwrap_or(host);
    let is_one = |it: &str| !it.is_empty() && it != "www" && !it.contains('.');
    Some(language).filter(|it| is_one(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(href: &str) -> Address {
        let (scheme, rest) = href.split_once("://").unwrap();
        let host = rest.split('/').next().unwrap();
        Address {
            href: href.to_owned(),
            scheme: scheme.to_owned(),
            host: host.to_owned(),
            origin: format!("{scheme}://{host}"),
            has_credentials: false,
        }
    }

    #[test]
    fn articles_alone_have_an_open_form() {
        let title = |href: &str| {
            let form = api_address(&address(href))?;
            let (before, title) = form.split_once("&page=")?;
            let host = before.strip_prefix("https://")?.split('/').next()?;
            Some(format!("{host} {title}"))
        };
        for (href, expected) in [
            (
                "https://en.wikipedia.org/wiki/Tide",
                Some("en.wikipedia.org Tide"),
            ),
            (
                "https://zh.m.wikipedia.org/wiki/%E6%BD%AE%E6%B1%90?variant=zh-cn#%E8%B5%B7",
                Some("zh.wikipedia.org %E6%BD%AE%E6%B1%90"),
            ),
            (
                "https://en.wikipedia.org/wiki/AT&T_C++",
                Some("en.wikipedia.org AT%26T_C%2B%2B"),
            ),
            ("https://en.wikipedia.org/wiki/Tide?oldid=12", None),
            (
                "https://en.wikipedia.org/wiki/Tide?variant=x&oldid=12",
                None,
            ),
            ("https://en.wikipedia.org/wiki/Special:Random", None),
            ("https://en.wikipedia.org/wiki/", None),
            ("https://en.wikipedia.org/w/index.php?title=Tide", None),
            ("https://www.wikipedia.org/wiki/Tide", None),
            ("http://en.wikipedia.org/wiki/Tide", None),
            ("https://en.wikipedia.org.evil.example/wiki/Tide", None),
            ("https://wikipedia.org/wiki/Tide", None),
        ] {
            assert_eq!(title(href).as_deref(), expected, "{href}");
        }
    }

    #[test]
    fn an_article_is_a_page_and_what_is_none_is_not() {
        let tide = address("https://en.wikipedia.org/wiki/Tide");
        let body =
            r#"{"parse": {"title": "Tides & <b>", "pageid": 1, "text": "<p>They rise.</p>"}}"#;
        let page = page_of(&tide, body).unwrap();
        assert!(page.contains("<title>Tides &amp; &lt;b></title>"), "{page}");
        assert!(page.contains("<p>They rise.</p>"), "{page}");
        let missing = r#"{"error": {"code": "missingtitle", "info": "There is none."}}"#;
        assert_eq!(page_of(&tide, missing), None);
        assert_eq!(page_of(&tide, "<html>"), None);
    }
}
