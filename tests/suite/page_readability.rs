//! Compares the words that `read` extracts with those that Mozilla's suite expects of Readability.
//!
//! The pages are Mozilla's suite, which no package registry contains. If its folder
//! (`GLOSS_SUITES`, else `../shared/suites`) is missing, the test prints a message and passes.

#![allow(
    clippy::doc_markdown,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use dom_query::{Document as Tree, NodeData, NodeRef};
use gloss::page;

fn suite() -> PathBuf {
    let suites = std::env::var_os("GLOSS_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        PathBuf::from,
    );
    suites.join("readability/test/test-pages")
}

/// The text of the expected article, with a space at each element that is not inline. The function
/// does not use the code under test, so that it finds text that this code loses.
fn expected_text(node: &NodeRef, out: &mut String) {
    for child in node.children_it(false) {
        let name = child.element_ref().map(|e| e.name.local.to_string());
        if let Some(name) = name {
            let inline = matches!(
                name.as_str(),
                "a" | "abbr"
                    | "b"
                    | "bdi"
                    | "bdo"
                    | "cite"
                    | "code"
                    | "data"
                    | "del"
                    | "dfn"
                    | "em"
                    | "font"
                    | "i"
                    | "ins"
                    | "kbd"
                    | "mark"
                    | "q"
                    | "s"
                    | "samp"
                    | "small"
                    | "span"
                    | "strong"
                    | "sub"
                    | "sup"
                    | "time"
                    | "u"
                    | "var"
                    | "wbr"
            );
            if matches!(name.as_str(), "script" | "style" | "template" | "svg") {
                continue;
            }
            if !inline {
                out.push(' ');
            }
            expected_text(&child, out);
            if !inline {
                out.push(' ');
            }
        } else {
            child.query(|n| {
                if let NodeData::Text { contents } = &n.data {
                    out.push_str(contents);
                }
            });
        }
    }
}

fn words(text: &str) -> BTreeMap<String, usize> {
    let shown: String = text
        .chars()
        .filter(|c| {
            !matches!(
                c,
                '\u{200b}' | '\u{ad}' | '\u{feff}' | '\u{200e}' | '\u{200f}'
            )
        })
        .collect();
    let mut counts = BTreeMap::new();
    for word in shown.split_whitespace() {
        *counts.entry(word.to_owned()).or_insert(0) += 1;
    }
    counts
}

fn f1(found: &BTreeMap<String, usize>, expected: &BTreeMap<String, usize>) -> f64 {
    let total = |counts: &BTreeMap<String, usize>| counts.values().sum::<usize>();
    let common: usize = found
        .iter()
        .map(|(word, n)| n.min(expected.get(word).unwrap_or(&0)))
        .sum();
    let all = total(found) + total(expected);
    if all == 0 {
        1.0
    } else {
        2.0 * common as f64 / all as f64
    }
}

#[test]
fn the_articles_of_mozillas_pages_are_found_word_for_word() {
    let Ok(entries) = std::fs::read_dir(suite()) else {
        println!("skipped: no {}", suite().display());
        return;
    };
    let mut folders: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    folders.sort();
    let (mut sum, mut count, mut report) = (0.0, 0.0, String::new());
    for folder in folders {
        let (Ok(source), Ok(expected)) = (
            std::fs::read_to_string(folder.join("source.html")),
            std::fs::read_to_string(folder.join("expected.html")),
        ) else {
            continue;
        };
        let found = page::read(&source, "http://fakehost/test/page.html").map(|d| {
            d.paragraphs
                .iter()
                .map(|p| p.text.clone())
                .collect::<Vec<_>>()
                .join("\n")
        });
        let mut text = String::new();
        expected_text(&Tree::from(expected).root(), &mut text);
        let score = f1(&words(&found.unwrap_or_default()), &words(&text));
        sum += score;
        count += 1.0;
        if score < 0.9995 {
            let _ = writeln!(report, "{score:.4} {}", folder.display());
        }
    }
    println!(
        "mean text F1 {:.5} over {count} pages\n{report}",
        sum / count
    );
    assert!(
        sum / count >= 0.999,
        "mean text F1 {:.5} over {count} pages\n{report}",
        sum / count
    );
}
