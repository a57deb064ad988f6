//! The type of a response. It is recognised by the beginning of the body, otherwise by the declared
//! content type.

use gloss_documents::DocumentKind;
use gloss_page::TextFormat;

/// The way in which a response can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContentType {
    /// The response is text.
    Text(TextFormat),
    /// The response is a document that has to be parsed.
    Document(DocumentKind),
    /// The response has no text.
    Other,
}

/// The number of bytes at the start of a body that are examined to recognise its type.
const TELLING: usize = 1024;

/// The number of bytes of an archive that are searched for the names of a document's parts.
const EARLY: usize = 256 * 1024;

/// Recognises the type of a body. `declared` is its content type, and `url` its address.
pub(super) fn medium(declared: &str, url: &str, bytes: &[u8]) -> ContentType {
    let declared = declared.split(';').next().unwrap_or_default().trim();
    let declared = declared.to_ascii_lowercase();
    let early = bytes.get(..EARLY).unwrap_or(bytes);
    let head = early.get(..TELLING).unwrap_or(early);
    if head.starts_with(b"%PDF-") {
        return ContentType::Document(DocumentKind::Pdf);
    }
    let extension = extension(url);
    if head.starts_with(b"PK\x03\x04") {
        let is_docx = declared.contains("wordprocessingml")
            || extension == "docx"
            || contains(early, b"word/document");
        return if is_docx {
            ContentType::Document(DocumentKind::Docx)
        } else {
            ContentType::Other
        };
    }
    // A null byte means that the body is not text, unless the server declares it as HTML.
    let is_text = declared.starts_with("text/html") || declared.starts_with("application/xhtml");
    if head.contains(&0) && !is_text {
        return ContentType::Other;
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let start = text.trim_ascii_start();
    let feeds: [&[u8]; 3] = [b"<rss", b"<feed", b"<rdf:RDF"];
    let is_feed = feeds.into_iter().any(|tag| contains(start, tag));
    match declared.as_str() {
        "text/html" | "application/xhtml+xml" => ContentType::Text(TextFormat::Html),
        "application/rss+xml" | "application/atom+xml" => ContentType::Document(DocumentKind::Feed),
        "application/xml" | "text/xml" | "application/rdf+xml" if is_feed => {
            ContentType::Document(DocumentKind::Feed)
        }
        "text/markdown" | "text/x-markdown" => ContentType::Text(TextFormat::Markdown),
        "text/csv" | "text/tab-separated-values" | "application/csv" => {
            ContentType::Text(TextFormat::Table)
        }
        "application/json" | "text/json" => ContentType::Text(TextFormat::Json),
        it if it.ends_with("+json") => ContentType::Text(TextFormat::Json),
        "text/plain" => ContentType::Text(by_name(&extension).unwrap_or(TextFormat::Plain)),
        "" | "application/octet-stream" => undeclared(&extension, start, is_feed),
        "application/xml"
        | "application/rdf+xml"
        | "application/javascript"
        | "application/yaml"
        | "application/x-ndjson"
        | "application/jsonl" => ContentType::Text(TextFormat::Plain),
        it if it.starts_with("text/") => ContentType::Text(TextFormat::Plain),
        _ => ContentType::Other,
    }
}

fn undeclared(extension: &str, start: &[u8], is_feed: bool) -> ContentType {
    let is_html = |tag: &[u8]| {
        let start = start.get(..tag.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(tag))
    };
    if is_feed {
        ContentType::Document(DocumentKind::Feed)
    } else if is_html(b"<!doctype html") || is_html(b"<html") {
        ContentType::Text(TextFormat::Html)
    } else {
        ContentType::Text(by_name(extension).unwrap_or(TextFormat::Plain))
    }
}

fn by_name(extension: &str) -> Option<TextFormat> {
    Some(match extension {
        "md" | "markdown" => TextFormat::Markdown,
        "csv" | "tsv" => TextFormat::Table,
        "json" => TextFormat::Json,
        _ => return None,
    })
}

fn extension(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    extension.to_ascii_lowercase()
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_by_a_seldom_name_or_by_none_is_known_for_what_it_is() {
        let feed = ContentType::Document(DocumentKind::Feed);
        let docx = ContentType::Document(DocumentKind::Docx);
        let parts = "PK\u{3}\u{4}[Content_Types].xml".to_owned() + &"x".repeat(1_500);
        let letter = format!("{parts}PK\u{3}\u{4}word/document.xml");
        for (declared, body, expected) in [
            ("application/rdf+xml", "<?xml?><rdf:RDF xmlns", feed),
            (
                "application/rdf+xml",
                "<?xml?><owl:Ontology>",
                ContentType::Text(TextFormat::Plain),
            ),
            (
                "application/csv",
                "a,b",
                ContentType::Text(TextFormat::Table),
            ),
            (
                "application/x-ndjson",
                "{}\n{}",
                ContentType::Text(TextFormat::Plain),
            ),
            ("application/octet-stream", &letter, docx),
            ("application/zip", &letter, docx),
            ("", &letter, docx),
            ("application/octet-stream", &parts, ContentType::Other),
        ] {
            let url = "https://a.example/download?id=7";
            let found = medium(declared, url, body.as_bytes());
            let head: String = body.chars().take(40).collect();
            assert_eq!(found, expected, "{declared} {head}");
        }
    }

    #[test]
    fn a_zero_byte_makes_no_page_a_picture_where_its_server_says_what_it_is() {
        let stray = "<!doctype html><p>The lamp was lit in 1823.\0 So it is.";
        for (declared, expected) in [
            ("text/html", ContentType::Text(TextFormat::Html)),
            ("", ContentType::Other),
            ("image/png; charset=utf-16", ContentType::Other),
        ] {
            let found = medium(declared, "https://a.example/x", stray.as_bytes());
            assert_eq!(found, expected, "{declared}");
        }
    }

    #[test]
    fn a_body_is_what_it_begins_with_else_what_it_is_called() {
        for (declared, url, body, expected) in [
            (
                "text/html; charset=gbk",
                "/",
                "<p>",
                ContentType::Text(TextFormat::Html),
            ),
            (
                "text/html",
                "/a.pdf",
                "%PDF-1.7",
                ContentType::Document(DocumentKind::Pdf),
            ),
            (
                "application/pdf",
                "/",
                "%PDF-1.4",
                ContentType::Document(DocumentKind::Pdf),
            ),
            (
                "application/octet-stream",
                "/a.docx",
                "PK\x03\x04",
                ContentType::Document(DocumentKind::Docx),
            ),
            (
                "application/zip",
                "/a.zip",
                "PK\x03\x04",
                ContentType::Other,
            ),
            (
                "application/rss+xml",
                "/",
                "<?xml?><rss",
                ContentType::Document(DocumentKind::Feed),
            ),
            (
                "text/xml",
                "/",
                "<?xml?><feed xmlns",
                ContentType::Document(DocumentKind::Feed),
            ),
            (
                "text/xml",
                "/",
                "<?xml?><menu>",
                ContentType::Text(TextFormat::Plain),
            ),
            (
                "text/plain",
                "/README.md?raw",
                "# A",
                ContentType::Text(TextFormat::Markdown),
            ),
            (
                "text/plain",
                "/notes",
                "a",
                ContentType::Text(TextFormat::Plain),
            ),
            ("text/csv", "/", "a,b", ContentType::Text(TextFormat::Table)),
            (
                "application/ld+json",
                "/",
                "{}",
                ContentType::Text(TextFormat::Json),
            ),
            (
                "",
                "/",
                "\n<!DOCTYPE HTML><p>",
                ContentType::Text(TextFormat::Html),
            ),
            ("", "/a.json", "{}", ContentType::Text(TextFormat::Json)),
            ("image/png", "/", "\u{1}PNG", ContentType::Other),
            ("text/plain", "/", "a\0b", ContentType::Other),
            ("video/mp4", "/", "ftyp", ContentType::Other),
        ] {
            let url = format!("https://a.example{url}");
            assert_eq!(
                medium(declared, &url, body.as_bytes()),
                expected,
                "{declared} {body}"
            );
        }
    }
}
