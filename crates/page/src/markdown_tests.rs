//! Tests that a Markdown parser reads back the text that was written.

use super::*;
use crate::run::InlineText;
use pulldown_cmark::{Event, Options, Parser, TagEnd};
use quickcheck::quickcheck;

/// Returns the text that a Markdown parser finds in `markdown`. The second value is true if the
/// parser also found a block element or raw HTML.
fn read_back(markdown: &str) -> (String, bool) {
    let (mut words, mut odd) = (String::new(), false);
    for event in Parser::new_ext(markdown, Options::all() - Options::ENABLE_SMART_PUNCTUATION) {
        match event {
            Event::Text(t) | Event::Code(t) => words.push_str(&t),
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            Event::Start(_)
            | Event::End(
                TagEnd::Paragraph
                | TagEnd::Strong
                | TagEnd::Emphasis
                | TagEnd::Strikethrough
                | TagEnd::Link,
            ) => {}
            _ => {
                odd = true;
                words.push('?');
            }
        }
    }
    (words, odd)
}

const PALETTE: &[&str] = &[
    "a",
    "word ",
    "*",
    "_",
    "**",
    "`",
    "[x](y)",
    "<b>",
    "&lt;",
    " ",
    "中文",
    "“引”",
    "#",
    "1. ",
    "- ",
    "\\",
    "~~",
    "|",
    "!",
    ".",
    ")",
    "=",
    ">",
    "\n",
    "+",
    ":",
];

quickcheck! {
    fn whatever_the_page_says_markdown_says_the_same(parts: Vec<(u8, u8)>) -> bool {
        let mut run = InlineText::default();
        for (word, dress) in parts {
            let word = PALETTE[usize::from(word) % PALETTE.len()];
            let mut style = Style::default();
            if dress & 1 != 0 { style = style.with(Mark::Strong); }
            if dress & 2 != 0 { style = style.with(Mark::Emphasis); }
            if dress & 4 != 0 { style.link = Some(0); }
            style.code = dress & 0x18 == 0x18;
            if word == "\n" { run.push_break(); } else { run.push(word, style); }
        }
        let (text, markdown) = run.take(&["https://a.example/".to_owned()]);
        let text = text.replace('\n', " ");
        let (words, odd) = read_back(&markdown);
        if words.trim() != text.trim() || odd {
            eprintln!("text {text:?}\nmarkdown {markdown:?}\nread {words:?}");
        }
        !odd && words.trim() == text.trim()
    }
}

#[test]
fn marks_are_kept_where_a_parser_would_see_them() {
    let strong = Style::default().with(Mark::Strong);
    for (parts, expected) in [
        (
            vec![
                ("a ", Style::default()),
                ("b", strong),
                (" c", Style::default()),
            ],
            "a **b** c",
        ),
        (
            vec![
                ("中文", Style::default()),
                ("重点", strong),
                ("中文", Style::default()),
            ],
            "中文**重点**中文",
        ),
        (
            vec![
                ("中文", Style::default()),
                ("“重点”", strong),
                ("中文", Style::default()),
            ],
            "中文“重点”中文",
        ),
        (vec![("x", strong.with(Mark::Emphasis))], "***x***"),
        (vec![("<script>", Style::default())], "\\<script>"),
        (vec![("&amp;", Style::default())], "\\&amp;"),
        (vec![("snake_case", Style::default())], "snake_case"),
    ] {
        let mut run = InlineText::default();
        for (text, style) in parts {
            run.push(text, style);
        }
        assert_eq!(run.take(&[]).1, expected);
    }
}

#[test]
fn a_fence_is_longer_than_any_in_the_code() {
    assert_eq!(fence("a\n```\nb", "rust"), "````rust\na\n```\nb\n````");
    assert_eq!(fence("a", ""), "```\na\n```");
}
