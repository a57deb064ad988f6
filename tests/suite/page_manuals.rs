//! Chapters of manuals must be extracted completely. An article finder alone would extract only 3
//! % of some chapters.
//!
//! The books are the Debian packages `debian-handbook`, `rust-doc` and `postgresql-doc-NN`. They
//! are in the folder that `GLOSS_BOOKS` names, else in `target/books`; `cargo xtask test`
//! downloads them. If a book is missing, the test prints a message and skips the book.

#![allow(
    clippy::doc_markdown,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use dom_query::{Document as Tree, NodeData, NodeRef};
use gloss::page;

/// The books: the package, the folder in its documentation, and two CSS selectors. The first
/// selects a chapter's main column; the second selects elements that are not the chapter's text.
const BOOKS: &[(&str, &str, &str, &str)] = &[
    (
        "debian-handbook",
        "html/en-US",
        "body > div.section, body > div.chapter, body > div.preface, body > div.appendix",
        "script",
    ),
    (
        "debian-handbook",
        "html/zh-CN",
        "body > div.section, body > div.chapter, body > div.preface, body > div.appendix",
        "script",
    ),
    (
        "postgresql-doc-",
        "html",
        "body > div.sect1, body > div.chapter, body > div.refentry, body > div.appendix, body > div.part",
        "script",
    ),
    ("rust-doc", "html/book", "main", "script, button"),
];

fn books() -> PathBuf {
    std::env::var_os("GLOSS_BOOKS").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("target/books"),
        PathBuf::from,
    )
}

/// The folder of a package's documentation. The package's name may be followed by a version.
fn documentation(package: &str) -> PathBuf {
    let all = books().join("usr/share/doc");
    let named = std::fs::read_dir(&all).into_iter().flatten().flatten();
    named
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(package))
        .map(|entry| entry.path())
        .max()
        .unwrap_or_else(|| all.join(package))
}

/// The text below `node`, with a space at each element that is not inline. The function does not
/// use the code under test, so that it finds text that this code loses.
fn column_text(node: &NodeRef, out: &mut String) {
    for child in node.children_it(false) {
        let name = child.element_ref().map(|e| e.name.local.to_string());
        child.query(|n| {
            if let NodeData::Text { contents } = &n.data {
                out.push_str(contents);
            }
        });
        let inline = name.is_none_or(|name| {
            matches!(
                name.as_str(),
                "a" | "abbr"
                    | "acronym"
                    | "b"
                    | "code"
                    | "em"
                    | "i"
                    | "kbd"
                    | "samp"
                    | "small"
                    | "span"
                    | "strong"
                    | "sub"
                    | "sup"
                    | "tt"
                    | "var"
            )
        });
        if !inline {
            out.push(' ');
        }
        column_text(&child, out);
        if !inline {
            out.push(' ');
        }
    }
}

/// The words of a text, and how often each occurs. Each Chinese character counts as a word.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    let mut add = |word: String| {
        if !word.is_empty() {
            *counts.entry(word).or_insert(0) += 1;
        }
    };
    let mut word = String::new();
    for c in text.chars() {
        if c > '\u{2e80}' && c.is_alphabetic() {
            add(std::mem::take(&mut word));
            add(c.to_string());
        } else if c.is_alphanumeric() {
            word.push(c);
        } else {
            add(std::mem::take(&mut word));
        }
    }
    add(word);
    counts
}

#[test]
fn chapters_of_manuals_keep_their_words() {
    let mut failed = false;
    for (package, folder, column, noise) in BOOKS {
        let folder = documentation(package).join(folder);
        let Ok(entries) = std::fs::read_dir(&folder) else {
            println!("skipped: no {}", folder.display());
            continue;
        };
        let mut pages: Vec<PathBuf> = entries
            .filter_map(|e| Some(e.ok()?.path()))
            .filter(|p| p.extension().is_some_and(|e| e == "html"))
            .collect();
        pages.sort();
        let (mut all, mut kept, mut chapters, mut worst) = (0, 0, 0, (1.0, PathBuf::new()));
        for path in pages {
            let Ok(bytes) = std::fs::read(&path) else {
                continue;
            };
            let html = String::from_utf8_lossy(&bytes);
            let tree = Tree::from(html.as_ref());
            tree.select(noise).remove();
            let mut text = String::new();
            for node in tree.select(column).nodes() {
                column_text(node, &mut text);
                text.push(' ');
            }
            let expected = words(&text);
            let total: usize = expected.values().sum();
            // Skip tables of contents and indexes, which are not chapters.
            if total < 100 {
                continue;
            }
            let found = page::read(&html, "https://example.org/book/page.html").map(|document| {
                // The heading that is the title is not among the paragraphs.
                let paragraphs = document.paragraphs.iter().map(|p| p.text.as_str());
                [document.title.as_str()]
                    .into_iter()
                    .chain(paragraphs)
                    .collect::<Vec<_>>()
                    .join("\n")
            });
            let found = words(&found.unwrap_or_default());
            let common: usize = expected
                .iter()
                .map(|(word, n)| n.min(found.get(word).unwrap_or(&0)))
                .sum();
            let share = common as f64 / total as f64;
            if share < worst.0 {
                worst = (share, path.clone());
            }
            if share < 0.95 {
                println!("{share:.3} of {total} words: {}", path.display());
            }
            (all, kept, chapters) = (all + total, kept + common, chapters + 1);
        }
        println!(
            "{chapters} chapters of {}: {:.4} of {all} words, worst {:.4} {}",
            folder.display(),
            kept as f64 / all as f64,
            worst.0,
            worst.1.display()
        );
        failed |= worst.0 < 0.95;
    }
    assert!(!failed, "a chapter lost more than 5 % of its words");
}
