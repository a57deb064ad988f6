//! HTML that is made to break parsers, and the parts of it that may reach the Markdown.
//!
//! The fixtures belong to the project DOMPurify. If their folder (`GLOSS_SUITES`, else
//! `../shared/suites`) is missing, the test prints a message and passes.

#![allow(
    clippy::doc_markdown,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

use std::path::{Path, PathBuf};

use gloss::page::{self, ReadError};
use pulldown_cmark::{Event, Parser, Tag};

/// Reads a page, and checks that a Markdown parser finds nothing active in its Markdown.
fn is_harmless(html: &str) {
    let Ok(document) = page::read(html, "https://a.example/page") else {
        return;
    };
    for paragraph in &document.paragraphs {
        assert!(
            !paragraph.text.contains(['\0', '\u{202e}', '\u{200b}']),
            "{:?}",
            paragraph.text
        );
        for event in Parser::new(&paragraph.markdown) {
            match event {
                Event::Html(raw) | Event::InlineHtml(raw) => {
                    panic!("raw HTML {raw} in {:?}", paragraph.markdown)
                }
                Event::Start(Tag::Image { dest_url, .. }) => panic!("an image {dest_url}"),
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let safe = ["http://", "https://", "mailto:"]
                        .iter()
                        .any(|s| dest_url.to_ascii_lowercase().starts_with(s));
                    assert!(safe, "{dest_url} from {html}");
                }
                _ => {}
            }
        }
    }
}

/// Runs `work` with a stack as small as that of wasm.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(1 << 20)
        .spawn(work)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn deep_and_broken_pages_fit_a_small_stack() {
    on_a_small_stack(|| {
        for (open, close) in [
            ("<div>", "</div>"),
            ("<b>", "</b>"),
            ("<ul><li>", "</ul>"),
            ("<blockquote>", ""),
            ("<table><tr><td>", ""),
            ("<span><p>", ""),
            ("<a href=x><i>", ""),
            ("<svg>", ""),
            ("<pre>", ""),
        ] {
            let html = format!(
                "<body>{}deepest words of all{}",
                open.repeat(10_000),
                close.repeat(10_000)
            );
            let read = page::read(&html, "https://a.example/");
            if open != "<svg>" {
                let text: String = read
                    .unwrap()
                    .paragraphs
                    .iter()
                    .map(|p| p.text.as_str())
                    .collect();
                assert!(text.contains("deepest words"), "{open}");
            }
        }
    });
}

#[test]
fn a_page_of_a_megabyte_is_read_whole() {
    let paragraph = "<div class=section><h2>Part</h2><p>Some <b>words</b> that <a href=x>link</a> and go on, and on, for a while.</p><ul><li>one<li>two</ul></div>";
    let html = format!(
        "<title>Big</title><body><article>{}</article>",
        paragraph.repeat((1 << 20) / paragraph.len())
    );
    let document = page::read(&html, "https://a.example/").unwrap();
    // Each heading has one paragraph and two list items.
    assert_eq!(document.paragraphs.len(), html.matches("<h2>").count() * 4);
}

#[test]
fn odd_pages_are_read_or_said_to_be_empty() {
    for empty in [
        "",
        " ",
        "<html></html>",
        "<body><script>x</script>",
        "<body><img src=x>",
        "\0\0",
        "<!-- x",
    ] {
        assert_eq!(
            page::read(empty, "https://a.example/"),
            Err(ReadError::Empty),
            "{empty:?}"
        );
    }
    for (html, text) in [
        ("<p>Only one.", "Only one."),
        ("no markup at all", "no markup at all"),
        ("<pre>plain\n  text</pre>", "plain\n  text"),
        ("<nav>only a menu</nav>", "only a menu"),
        ("<body>nu\0ll b\u{202e}idi z\u{200b}ero", "null bidi zero"),
        ("<p>a<b>b<i>c</b>d</i>e", "abcde"),
    ] {
        let document = page::read(html, "https://a.example/").unwrap();
        assert_eq!(document.paragraphs[0].text, text, "{html:?}");
    }
}

#[test]
fn attacks_stay_text() {
    let suites = std::env::var_os("GLOSS_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        PathBuf::from,
    );
    let mut folders = vec![suites.join("dompurify/test")];
    let mut payloads = 0;
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("skipped: no {}", folder.display());
            continue;
        };
        for path in entries.filter_map(|e| Some(e.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(file) = std::fs::read_to_string(&path) {
                // The fixtures are lists of JavaScript strings. Test each line, once as it is and
                // once unescaped.
                is_harmless(&file);
                for line in file
                    .lines()
                    .filter(|l| l.contains('<') || l.contains("script"))
                {
                    is_harmless(line);
                    is_harmless(
                        &line
                            .replace("\\\"", "\"")
                            .replace("\\/", "/")
                            .replace("\\n", "\n")
                            .replace("\\t", "\t"),
                    );
                    payloads += 1;
                }
            }
        }
    }
    println!("{payloads} payloads");
    for html in [
        "<a href=' jav\tascript:alert(1)'>x</a>",
        "<p>&lt;img src=x onerror=alert(1)&gt; &amp;lt;b&amp;gt; [a](javascript:alert(1)) ![i](http://e.example)</p>",
        "<a href='https://a.example/)[x](javascript:alert(1)'>x](javascript:y)</a>",
        "<pre>```\n<script>alert(1)</script>\n```</pre>",
        "<code>`</code><code>`` <script></code>",
        "<table><tr><th>a|b<th>c<tr><td><code>x|y</code><td>&lt;b&gt;</table>",
    ] {
        is_harmless(html);
    }
}
