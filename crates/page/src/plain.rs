//! Splits a plain text into paragraphs. A browser shows a plain text file as one `<pre>`.
//!
//! Example: a browser shows an RFC as a page with a single `<pre>`. The RFC's paragraphs
//! become prose, and its diagrams become code. Headings and lists are not recognised; they become
//! short paragraphs.

use super::run::{InlineText, Style};
use super::{Document, Kind, Paragraph};
use gloss_markdown::escape;
use gloss_text as text;

/// The maximum length, in bytes, of a line that may have been wrapped by hand. A longer line is a
/// whole paragraph.
const WRAPPED: usize = 120;

impl Document {
    /// Reads plain text that is not from a page. Empty lines separate paragraphs, and a long line
    /// is a whole paragraph. Each sentence is a verbatim slice of `text`.
    pub fn of_text(text: &str) -> Self {
        let paragraphs = (1..).zip(paragraphs(text)).map(|(number, text)| Paragraph {
            number,
            kind: Kind::Prose,
            text: text.to_owned(),
            markdown: escape(text),
        });
        Self {
            paragraphs: paragraphs.collect(),
            ..Self::default()
        }
    }
}

/// Returns the paragraphs of a plain text, as trimmed slices.
fn paragraphs(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut at, mut was_long) = (0, 0, false);
    for line in text.split_inclusive('\n') {
        let is_long = line.len() > WRAPPED;
        if line.trim().is_empty() || is_long || was_long {
            found.push(text.get(start..at));
            start = at;
        }
        was_long = is_long;
        at += line.len();
    }
    found.push(text.get(start..));
    let found = found.into_iter().flatten().map(str::trim);
    found.filter(|paragraph| !paragraph.is_empty()).collect()
}

/// Splits preformatted blocks at their empty lines. Returns the paragraphs unchanged unless nearly
/// all text of the page is preformatted and reads like prose.
pub(super) fn split_preformatted(paragraphs: Vec<Paragraph>) -> Vec<Paragraph> {
    let all: usize = paragraphs.iter().map(|p| p.text.len()).sum();
    // A block with a declared programming language is code, so it is not counted as plain text.
    let is_bare = |p: &&Paragraph| {
        p.kind == Kind::Code && p.markdown.trim_start_matches('`').starts_with('\n')
    };
    let bare: usize = paragraphs
        .iter()
        .filter(is_bare)
        .map(|p| p.text.len())
        .sum();
    if bare * 5 < all * 4 {
        return paragraphs;
    }
    let mut unfolded = Vec::new();
    for paragraph in paragraphs {
        if is_bare(&&paragraph) && is_prose(&paragraph.text) {
            unfolded.extend(blocks(&paragraph.text).iter().map(|b| read(b)));
        } else {
            unfolded.push(paragraph);
        }
    }
    for (number, paragraph) in (1..).zip(&mut unfolded) {
        paragraph.number = number;
    }
    unfolded
}

/// Returns the groups of lines between empty lines.
fn blocks(text: &str) -> Vec<Vec<&str>> {
    let lines: Vec<&str> = text.split('\n').collect();
    lines
        .split(|line| line.trim().is_empty())
        .filter(|block| !block.is_empty())
        .map(<[&str]>::to_vec)
        .collect()
}

/// Converts a group of lines to prose, or to code if the lines look like a diagram or a listing.
fn read(lines: &[&str]) -> Paragraph {
    if is_code(lines) {
        let text = lines.join("\n").trim_end().to_owned();
        let markdown = super::markdown::fence(&text, "");
        return Paragraph {
            number: 0,
            kind: Kind::Code,
            text,
            markdown,
        };
    }
    let mut folded = InlineText::default();
    for line in lines {
        folded.push(line, Style::default());
        folded.push(" ", Style::default());
    }
    let (_, markdown) = folded.take(&[]);
    let lines: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
    Paragraph {
        number: 0,
        kind: Kind::Prose,
        // Line breaks stay, because a text fragment can't match text across a line break.
        text: lines.join("\n"),
        markdown,
    }
}

/// Returns true if at least half of the text is in groups of lines that contain sentences.
fn is_prose(text: &str) -> bool {
    if text.trim_start().starts_with(['{', '[', '<']) {
        return false;
    }
    let bytes = |block: &[&str]| block.iter().map(|line| line.trim().len()).sum::<usize>();
    let blocks = blocks(text);
    // The badges and code examples of a README don't count in the total.
    let is_aside = |b: &&Vec<&str>| b.iter().any(|l| l.contains("](") || l.contains("```"));
    let asides = blocks.iter().filter(|b| is_aside(b) && !is_prose_group(b));
    let all: usize = blocks.iter().map(|b| bytes(b)).sum();
    let all = all - asides.map(|b| bytes(b)).sum::<usize>();
    let told = blocks
        .iter()
        .filter(|b| is_prose_group(b))
        .map(|b| bytes(b))
        .sum::<usize>();
    told > 0 && told * 2 >= all
}

fn is_prose_group(lines: &[&str]) -> bool {
    has_sentences(lines) && !is_code(lines)
}

/// Returns true if the lines have at least four words on average, and at least one line contains
/// the end of a sentence.
fn has_sentences(lines: &[&str]) -> bool {
    let counted = lines.iter().map(|line| {
        let (words, characters) = text::words_and_characters(line);
        words + characters / 2
    });
    let is_full = counted.sum::<usize>() >= 4 * lines.len();
    is_full && lines.iter().any(|line| ends_a_sentence(line))
}

fn ends_a_sentence(line: &str) -> bool {
    line.contains(['。', '！', '？'])
        || line.split_whitespace().any(|word| {
            word.trim_end_matches(['"', '\'', ')', '”', '’'])
                .strip_suffix(['.', '!', '?'])
                .is_some_and(|stem| stem.ends_with(char::is_alphanumeric))
        })
}

/// Returns true if the lines are a listing, a diagram or a table rather than running text.
fn is_code(lines: &[&str]) -> bool {
    let (mut shown, mut letters, mut signs) = (0, 0, 0);
    let words = lines.iter().flat_map(|line| line.split_whitespace());
    // URLs don't count as signs of code, because READMEs contain many URLs.
    for c in words.filter(|w| !w.contains("://")).flat_map(str::chars) {
        shown += 1;
        letters += usize::from(c.is_alphabetic());
        signs += usize::from("{}<>=$|\\^~;#_/@+".contains(c));
    }
    let of_code = |line: &&&str| {
        let line = line.trim();
        line.ends_with([';', '{', '}', '(', '='])
            || ["//", "/*", "*/", "#!", "#[", "# ", "--"]
                .iter()
                .any(|mark| lines.len() > 1 && line.starts_with(mark))
    };
    let listed = lines.iter().filter(of_code).count();
    letters * 10 < shown * 6 || signs * 12 > shown || listed * 4 > lines.len()
}

#[cfg(test)]
mod tests {
    use crate::{Document, Kind, read};

    const RFC: &str = "Network Working Group                                     A. Keeper\n\n\
        1. Introduction\n\n   The harbour protocol lets a keeper & a ship agree on\n   the depth of the water.  It is used by every port of\n   the northern coast.\n\n   \
        Each ship MUST state its draught before it enters.  A\n   keeper answers within a minute.\n\n    +------+     +------+\n    | ship |<--->| port |\n    +------+     +------+\n\n   \
        Ships that give no answer are turned away at the\n   outer light, as the older rules had it.\n";

    fn page(text: &str) -> Document {
        let text = text.replace('&', "&amp;").replace('<', "&lt;");
        read(
            &format!("<html><head></head><body><pre>{text}</pre></body></html>"),
            "https://a.example/rfc.txt",
        )
        .unwrap()
    }

    #[test]
    fn a_page_of_plain_text_is_prose_and_its_diagrams_are_not() {
        let document = page(RFC);
        let kinds: Vec<Kind> = document.paragraphs.iter().map(|p| p.kind).collect();
        let prose = Kind::Prose;
        assert_eq!(kinds, [prose, prose, prose, prose, Kind::Code, prose]);
        let third = &document.paragraphs[2];
        assert_eq!(third.number, 3);
        assert!(
            third
                .text
                .starts_with("The harbour protocol lets a keeper & a ship agree on\nthe depth")
        );
        assert!(
            third
                .markdown
                .starts_with("The harbour protocol lets a keeper & a ship agree on the depth")
        );
        let sentences = document.sentences(document.text_language());
        assert!(
            sentences
                .iter()
                .any(|s| s.text == "A\nkeeper answers within a minute.")
        );
    }

    #[test]
    fn text_without_a_page_is_parted_where_its_author_did() {
        let long = "The keeper wrote on. ".repeat(9);
        let text = format!("One is\nwrapped.\n\n  Two.\r\n\r\n{long}\n{long}\nThree.\n");
        let document = Document::of_text(&text);
        let texts: Vec<&str> = document
            .paragraphs
            .iter()
            .map(|p| p.text.as_str())
            .collect();
        let long = long.trim();
        assert_eq!(texts, ["One is\nwrapped.", "Two.", long, long, "Three."]);
        assert!(texts.iter().all(|slice| text.contains(slice)));
        assert_eq!(document.paragraphs[4].number, 5);
        assert_eq!(Document::of_text(" \n").paragraphs, []);
    }

    #[test]
    fn several_blocks_of_plain_text_are_read_as_one_page() {
        let pre = RFC.replace('&', "&amp;").replace('<', "&lt;");
        let document = read(
            &format!("<body><pre>{pre}</pre><pre>{pre}</pre></body>"),
            "https://a.example/rfc",
        );
        let paragraphs = document.unwrap().paragraphs;
        let prose = paragraphs.iter().filter(|p| p.kind == Kind::Prose);
        assert_eq!(prose.count(), 10);
        assert_eq!(paragraphs.last().unwrap().number, 12);
    }

    #[test]
    fn code_data_and_short_text_stay_as_they_are() {
        for text in [
            "fn main() {\n    let value = compute(other);\n    println!(\"It is done. {value}\");\n}\n",
            "// Copyright the keepers. All rights reserved.\n// Use it as you like to use it.\n\nint main(void)\n{\n    return 0;\n}\n",
            "value = compute(other)\nvalue = compute(other)\n",
            "{\"text\": \"A sentence stands in here. And here is another one.\"}",
            "name,depth,year\nharbour,3,1900\nport,4,1910\n",
            "plain\n  text",
        ] {
            let document = page(text);
            assert_eq!(document.paragraphs.len(), 1, "{text}");
            assert_eq!(document.paragraphs[0].kind, Kind::Code, "{text}");
        }
    }

    #[test]
    fn a_listing_beside_an_article_is_not_the_page() {
        let article =
            "<p>The keeper measured the height of the water and wrote it down.</p>".repeat(9);
        let html =
            format!("<body>{article}<pre>A listing that reads like prose. It is short.</pre>");
        let document = read(&html, "https://a.example/").unwrap();
        assert_eq!(document.paragraphs.last().unwrap().kind, Kind::Code);
    }
}
