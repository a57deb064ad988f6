//! Reads a page's HTML as a [`Document`].
//!
//! Example: the capture script sends a page's HTML to the worker, whose page module calls [`read`].
//! The capture script has already decoded the page and removed invisible content. The page is
//! parsed once or, if its article is hard to find, up to three times.

use super::extract::{self, Content};
use super::{Document, Paragraph, links, parse, plain, tree};
use gloss_documents::Fault;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The maximum length of a page's description, in bytes. A longer one is no summary.
const LONGEST_DESCRIPTION: usize = 1_000;

/// The reasons why a page could not be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ReadError {
    /// The page has no text.
    #[error("the page has no text")]
    Empty,
    /// The extraction failed on this page.
    #[error("the page's content could not be read: {message}")]
    Failed {
        /// The error's message.
        message: String,
    },
    /// The page is a document of another format, such as a PDF, that could not be read.
    #[error("{fault}")]
    Document {
        /// The problem that the parser of this format reported.
        fault: Fault,
    },
}

/// Reads the main content of a page from its serialised DOM `html` and its address `url`.
///
/// # Errors
/// Returns [`ReadError::Empty`] if the page has no text.
pub fn read(html: &str, url: &str) -> Result<Document, ReadError> {
    let parse = || {
        let page = parse::parse(html);
        tree::flatten(&page.root());
        page
    };
    let page = parse();
    let base = links::base(url, page.base_uri().as_deref());
    let language = language(&page);
    let all = words_of(&page);
    let Content {
        title,
        site,
        description,
        paragraphs,
    } = extract::content(page, &parse, &base);
    if paragraphs.is_empty() {
        return Err(ReadError::Empty);
    }
    let title = without_site(title.trim(), site.as_deref(), url);
    let description = description.filter(|it| it.len() <= LONGEST_DESCRIPTION);
    let description = description.unwrap_or_default();
    Ok(Document {
        title,
        language,
        other_words: other_words(&all, &paragraphs),
        paragraphs: plain::split_preformatted(paragraphs),
        description: description.split_whitespace().collect::<Vec<_>>().join(" "),
        ..Document::default()
    })
}

/// Returns the text of the whole page. A word may contain an element (`<b>H</b>ome`) or end at one
/// (`Home<a>Weather</a>`), so the two parts of each such word follow the text.
fn words_of(page: &dom_query::Document) -> String {
    let mut words = String::new();
    let mut parts = String::new();
    let mut last = 0;
    for node in page.root().descendants_it() {
        tree::with_text(&node, |text| {
            let before = words.get(last..).unwrap_or_default();
            let ends_word = before.ends_with(char::is_whitespace);
            if !ends_word && !text.starts_with(char::is_whitespace) {
                let ends = before.split_whitespace().next_back();
                for part in ends.into_iter().chain(text.split_whitespace().next()) {
                    parts.push(' ');
                    parts.push_str(part);
                }
            }
            last = words.len();
            words.push_str(text);
        });
    }
    words + &parts
}

/// Returns the words of the whole page that are not in its content, each once.
fn other_words(all: &str, content: &[Paragraph]) -> String {
    // Comparing lengths first is faster, because most words then differ at once.
    let content = content.iter().flat_map(|it| it.text.split_whitespace());
    let mut known: BTreeSet<(usize, &str)> = content.map(|word| (word.len(), word)).collect();
    let words = all.split_whitespace();
    let others = words.filter(|word| known.insert((word.len(), word)));
    others.collect::<Vec<_>>().join(" ")
}

/// Returns the language tag that `<html lang>` declares, or else the one that a `<meta>` element
/// declares, or else "".
fn language(page: &dom_query::Document) -> String {
    let declared = tree::attr(&page.html_root(), "lang");
    if !declared.trim().is_empty() {
        return declared.trim().to_owned();
    }
    let said = page
        .root()
        .descendants_it()
        .filter(|n| n.has_name("meta"))
        .find(|n| {
            tree::attr(n, "http-equiv").eq_ignore_ascii_case("content-language")
                || tree::attr(n, "property") == "og:locale"
        });
    said.map_or_else(String::new, |meta| {
        tree::attr(&meta, "content").trim().replace('_', "-")
    })
}

/// Removes the site's name from the end of a title. The name is recognised if it is in the metadata
/// or in the host name.
fn without_site(title: &str, site: Option<&str>, url: &str) -> String {
    let plain = |name: &str| {
        name.chars()
            .filter(|c| c.is_alphanumeric())
            .collect::<String>()
            .to_lowercase()
    };
    let host = url.split_once("://").map_or("", |(_, rest)| {
        rest.split(['/', '?', '#']).next().unwrap_or_default()
    });
    for separator in [" - ", " | ", " – ", " — ", " · ", " :: ", " » "] {
        if let Some((head, tail)) = title.rsplit_once(separator) {
            let tail = plain(tail);
            let is_site = site.is_some_and(|site| plain(site) == tail)
                || host.split('.').any(|label| plain(label) == tail);
            if is_site && !tail.is_empty() && !head.trim().is_empty() {
                return head.trim().to_owned();
            }
        }
    }
    title.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_lose_the_name_of_their_site_only() {
        for (title, site, expected) in [
            ("Rust (language) - Wikipedia", None, "Rust (language)"),
            (
                "News of today | The Daily",
                Some("The Daily"),
                "News of today",
            ),
            ("A - B", None, "A - B"),
            ("Wikipedia", None, "Wikipedia"),
        ] {
            assert_eq!(
                without_site(title, site, "https://en.wikipedia.org/wiki/Rust"),
                expected
            );
        }
    }

    #[test]
    fn words_outside_the_content_are_kept_once() {
        let html = "<title>Tides</title><main><p>Tides rise.</p></main>\
            <footer>Weather<a>Home</a> Tides</footer>";
        let page = read(html, "https://a.example/").unwrap();
        let words: Vec<&str> = page.other_words.split(' ').collect();
        assert!(
            words.contains(&"Home") && words.contains(&"Weather"),
            "{words:?}"
        );
        assert!(!words.contains(&"Tides"), "{words:?}");
    }

    #[test]
    fn the_language_is_the_roots_or_a_metas() {
        for (head, expected) in [
            ("<html lang=de>", "de"),
            ("<meta http-equiv=Content-Language content=fr>", "fr"),
            ("<meta property=og:locale content=zh_CN>", "zh-CN"),
            ("", ""),
        ] {
            assert_eq!(
                read(&format!("{head}<body>x"), "https://a.example/")
                    .unwrap()
                    .language,
                expected
            );
        }
    }
}
