//! What kind of thing a response is: by what it begins with, else by what its server calls it.

use super::encoding;
use gloss_documents::DocumentKind;
use gloss_page::Form;
use std::borrow::Cow;

/// What can be done with a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Medium {
    /// Text.
    Text(Form),
    /// Bytes that have to be taken apart.
    Document(DocumentKind),
    /// Nothing with words.
    Other,
}

/// So many bytes tell what a body is.
const TELLING: usize = 1024;

/// So much of it is looked through for where it begins to tell: a licence may stand before, and
/// in a document other parts of it.
const EARLY: usize = 256 * 1024;

/// Zeros are no text if more than one of so many bytes is one, whatever its server says.
const STRAY: usize = 32;

/// Judges a body. `declared` is its content type, `url` where it stands.
pub(super) fn medium(declared: &str, url: &str, bytes: &[u8]) -> Medium {
    let named = encoding::by_header(declared);
    let declared = declared.split(';').next().unwrap_or_default().trim();
    let declared = declared.to_ascii_lowercase();
    let early = bytes.get(..EARLY).unwrap_or(bytes);
    let head = early.get(..TELLING).unwrap_or(early);
    let is_text = declared.starts_with("text/") || declared.contains("html");
    if head.starts_with(b"%PDF-") || (!is_text && contains(head, b"%PDF-")) {
        return Medium::Document(DocumentKind::Pdf);
    }
    let extension = extension(url);
    if head.starts_with(b"PK\x03\x04") {
        let is_docx = declared.contains("wordprocessingml")
            || extension == "docx"
            // Any archive, by its name: what it holds says which.
            || (is_any(&declared) && contains(early, b"word/document"));
        return if is_docx {
            Medium::Document(DocumentKind::Docx)
        } else {
            Medium::Other
        };
    }
    // Every other byte of UTF-16 may be zero.
    let is_wide = has_wide_mark(head) || named.is_some_and(|it| it.starts_with("utf-16"));
    let zeros = memchr::memchr_iter(0, head).count();
    let most_zeros = if is_text { head.len() / STRAY } else { 0 };
    if zeros > most_zeros && !is_wide {
        return Medium::Other;
    }
    let early = if zeros > 0 {
        let letters = early.iter().copied().filter(|byte| *byte != 0);
        letters.collect::<Cow<[u8]>>()
    } else {
        Cow::Borrowed(early)
    };
    let start = start(&early);
    let is_feed =
        contains(start, b"<rss") || contains(start, b"<feed") || contains(start, b"<rdf:RDF");
    match declared.as_str() {
        "text/html" | "application/xhtml+xml" => Medium::Text(Form::Html),
        "application/rss+xml" | "application/atom+xml" => Medium::Document(DocumentKind::Feed),
        "application/xml" | "text/xml" | "application/rdf+xml" if is_feed => {
            Medium::Document(DocumentKind::Feed)
        }
        "text/markdown" | "text/x-markdown" => Medium::Text(Form::Markdown),
        "text/csv" | "text/tab-separated-values" | "application/csv" => Medium::Text(Form::Table),
        "application/json" | "text/json" => Medium::Text(Form::Json),
        it if it.ends_with("+json") => Medium::Text(Form::Json),
        "text/plain" => Medium::Text(by_name(&extension).unwrap_or(Form::Plain)),
        "" | "application/octet-stream" => undeclared(&extension, start, is_feed),
        "application/xml"
        | "application/rdf+xml"
        | "application/javascript"
        | "application/yaml"
        | "application/x-ndjson"
        | "application/jsonl" => Medium::Text(Form::Plain),
        it if it.starts_with("text/") => Medium::Text(Form::Plain),
        _ => Medium::Other,
    }
}

/// Whether this is what servers call an archive of any kind, or anything at all.
fn is_any(declared: &str) -> bool {
    matches!(
        declared,
        "" | "application/octet-stream" | "application/zip" | "application/x-zip-compressed"
    )
}

/// Where a text begins to tell what it is: behind its mark, the declaration of XML and comments.
fn start(text: &[u8]) -> &[u8] {
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let mut rest = marks
        .into_iter()
        .find_map(|mark| text.strip_prefix(mark))
        .unwrap_or(text);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = if rest.starts_with(b"<!--") {
            b"-->"
        } else if rest.starts_with(b"<?") {
            b"?>"
        } else {
            return rest.get(..TELLING).unwrap_or(rest);
        };
        let at = memchr::memmem::find(rest, end).map_or(rest.len(), |at| at + end.len());
        rest = rest.get(at..).unwrap_or_default();
    }
}

fn undeclared(extension: &str, start: &[u8], is_feed: bool) -> Medium {
    let is_html = |tag: &[u8]| {
        let start = start.get(..tag.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(tag))
    };
    if is_feed {
        Medium::Document(DocumentKind::Feed)
    } else if is_html(b"<!doctype html") || is_html(b"<html") {
        Medium::Text(Form::Html)
    } else {
        Medium::Text(by_name(extension).unwrap_or(Form::Plain))
    }
}

fn by_name(extension: &str) -> Option<Form> {
    Some(match extension {
        "md" | "markdown" => Form::Markdown,
        "csv" | "tsv" => Form::Table,
        "json" => Form::Json,
        _ => return None,
    })
}

fn extension(url: &str) -> String {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    let name = path.rsplit('/').next().unwrap_or_default();
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    extension.to_ascii_lowercase()
}

/// Of UTF-16.
fn has_wide_mark(head: &[u8]) -> bool {
    head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff")
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    memchr::memmem::find(text, part).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_called_by_a_seldom_name_or_by_none_is_known_for_what_it_is() {
        let feed = Medium::Document(DocumentKind::Feed);
        let docx = Medium::Document(DocumentKind::Docx);
        let licence = format!(
            "<?xml version=\"1.0\"?>\n<!-- {} -->\n",
            "Licence. ".repeat(2_000)
        );
        let feed_below = format!("{licence}<rss version=\"2.0\">");
        let page_below = format!("\u{feff}{licence}<!DOCTYPE html><p>a");
        let parts = "PK\u{3}\u{4}[Content_Types].xml".to_owned() + &"x".repeat(1_500);
        let letter = format!("{parts}PK\u{3}\u{4}word/document.xml");
        for (declared, body, expected) in [
            ("application/rdf+xml", "<?xml?><rdf:RDF xmlns", feed),
            (
                "application/rdf+xml",
                "<?xml?><owl:Ontology>",
                Medium::Text(Form::Plain),
            ),
            ("application/csv", "a,b", Medium::Text(Form::Table)),
            ("application/x-ndjson", "{}\n{}", Medium::Text(Form::Plain)),
            ("text/xml", &feed_below, feed),
            (
                "application/octet-stream",
                &page_below,
                Medium::Text(Form::Html),
            ),
            ("application/octet-stream", &letter, docx),
            ("application/zip", &letter, docx),
            ("", &letter, docx),
            ("application/octet-stream", &parts, Medium::Other),
        ] {
            let url = "https://a.example/download?id=7";
            let found = medium(declared, url, body.as_bytes());
            let head: String = body.chars().take(40).collect();
            assert_eq!(found, expected, "{declared} {head}");
        }
    }

    #[test]
    fn a_zero_byte_makes_no_text_a_picture_where_its_server_says_what_it_is() {
        let wide =
            |text: &str| -> Vec<u8> { text.encode_utf16().flat_map(u16::to_le_bytes).collect() };
        let page = "<!doctype html><p>The lamp was lit in 1823, says the book.";
        let stray = format!("{page}\0 So it is.").into_bytes();
        let html = Medium::Text(Form::Html);
        for (declared, body, expected) in [
            ("text/html; charset=utf-16le", wide(page), html),
            ("text/html; charset=\"UTF-16\"", wide(page), html),
            (
                "application/xml; charset=utf-16le",
                wide("<?xml?><rss>"),
                Medium::Document(DocumentKind::Feed),
            ),
            ("text/html", stray.clone(), html),
            (
                "text/plain; charset=utf-8",
                stray.clone(),
                Medium::Text(Form::Plain),
            ),
            ("", [b"\xff\xfe".to_vec(), wide(page)].concat(), html),
            ("", stray, Medium::Other),
            ("text/plain", wide("The lamp"), Medium::Other),
            ("image/png; charset=utf-16", wide("The lamp"), Medium::Other),
        ] {
            assert_eq!(
                medium(declared, "https://a.example/x", &body),
                expected,
                "{declared}"
            );
        }
    }

    #[test]
    fn a_body_is_what_it_begins_with_else_what_it_is_called() {
        for (declared, url, body, expected) in [
            (
                "text/html; charset=gbk",
                "/",
                "<p>",
                Medium::Text(Form::Html),
            ),
            (
                "text/html",
                "/a.pdf",
                "%PDF-1.7",
                Medium::Document(DocumentKind::Pdf),
            ),
            (
                "application/pdf",
                "/",
                "%PDF-1.4",
                Medium::Document(DocumentKind::Pdf),
            ),
            (
                "application/octet-stream",
                "/a.docx",
                "PK\x03\x04",
                Medium::Document(DocumentKind::Docx),
            ),
            ("application/zip", "/a.zip", "PK\x03\x04", Medium::Other),
            (
                "application/rss+xml",
                "/",
                "<?xml?><rss",
                Medium::Document(DocumentKind::Feed),
            ),
            (
                "text/xml",
                "/",
                "<?xml?><feed xmlns",
                Medium::Document(DocumentKind::Feed),
            ),
            ("text/xml", "/", "<?xml?><menu>", Medium::Text(Form::Plain)),
            (
                "text/plain",
                "/README.md?raw",
                "# A",
                Medium::Text(Form::Markdown),
            ),
            ("text/plain", "/notes", "a", Medium::Text(Form::Plain)),
            ("text/csv", "/", "a,b", Medium::Text(Form::Table)),
            ("application/ld+json", "/", "{}", Medium::Text(Form::Json)),
            ("", "/", "\n<!DOCTYPE HTML><p>", Medium::Text(Form::Html)),
            ("", "/a.json", "{}", Medium::Text(Form::Json)),
            ("image/png", "/", "\u{1}PNG", Medium::Other),
            ("text/plain", "/", "a\0b", Medium::Other),
            ("video/mp4", "/", "ftyp", Medium::Other),
        ] {
            let url = format!("https://a.example{url}");
            assert_eq!(
                medium(declared, &url, body.as_bytes()),
                expected,
                "{declared} {body}"
            );
        }
        assert_eq!(
            medium("text/plain", "/", b"\xff\xfea\0"),
            Medium::Text(Form::Plain)
        );
    }
}
