//! Tests PDFs that the tests build, and compares the text of Debian's manuals with that of
//! `pdftotext`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests fail by it"
)]

mod made;

use gloss_documents::{Document, DocumentKind, Fault, Kind, read};
use made::{pdf, pdf_with};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

fn told(bytes: Vec<u8>) -> Vec<(u32, Kind, String)> {
    let read = read(bytes, DocumentKind::Pdf).unwrap();
    read.blocks
        .into_iter()
        .map(|it| (it.page, it.kind, it.text))
        .collect()
}

fn block(page: u32, kind: Kind, text: &str) -> (u32, Kind, String) {
    (page, kind, text.to_owned())
}

#[test]
fn lines_are_paragraphs_headings_and_items_each_with_its_page() {
    let first = [
        (72.0, 760.0, 20.0, "The tide"),
        (
            72.0,
            720.0,
            11.0,
            "It rises twice a day and falls as often, for the moon",
        ),
        (
            72.0,
            706.0,
            11.0,
            "draws the water, and the earth turns be-",
        ),
        (72.0, 692.0, 11.0, "neath it (so they say)."),
        (72.0, 664.0, 11.0, "A second paragraph."),
        (72.0, 636.0, 11.0, "\u{95} no bullet in this encoding"),
    ];
    let second = [
        (72.0, 760.0, 14.0, "At Brest"),
        (72.0, 720.0, 11.0, "Seven metres."),
        (300.0, 720.0, 11.0, "In spring."),
    ];
    let blocks = told(pdf(&[&first, &[], &second]));
    let (h1, h2, prose) = (Kind::Heading(1), Kind::Heading(2), Kind::Prose);
    let text = "It rises twice a day and falls as often, for the moon draws the water, \
        and the earth turns beneath it (so they say).";
    assert_eq!(
        blocks[..3],
        [
            block(1, h1, "The tide"),
            block(1, prose, text),
            block(1, prose, "A second paragraph."),
        ]
    );
    assert_eq!(
        blocks[blocks.len() - 2..],
        [
            block(3, h2, "At Brest"),
            block(3, prose, "Seven metres. In spring."),
        ]
    );
}

#[test]
fn what_stands_at_the_edge_of_all_pages_is_left_out() {
    let page = |number: &'static str| {
        [
            (72.0, 800.0, 9.0, "A history of tides"),
            (72.0, 700.0, 11.0, "The water rose."),
            (72.0, 600.0, 11.0, "The water fell."),
            (72.0, 500.0, 11.0, "And again."),
            (300.0, 30.0, 9.0, number),
        ]
    };
    let pages = [page("1"), page("2"), page("3"), page("iv")];
    let pages: Vec<&[made::Line]> = pages.iter().map(|page| &page[..]).collect();
    let texts: Vec<String> = told(pdf(&pages))
        .into_iter()
        .map(|(_, _, text)| text)
        .collect();
    assert_eq!(
        texts,
        ["The water rose.", "The water fell.", "And again."].repeat(4)
    );
}

#[test]
fn what_cannot_be_read_says_why() {
    let locked = "/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 \
        /O <0000000000000000000000000000000000000000000000000000000000000000> \
        /U <0000000000000000000000000000000000000000000000000000000000000000> >>";
    let words: &[made::Line] = &[(72.0, 700.0, 11.0, "Words.")];
    let cases = [
        (pdf_with(&[words], locked), Fault::Locked),
        (pdf(&[&[]]), Fault::Empty),
        (
            vec![0; gloss_documents::MOST_BYTES + 1],
            Fault::TooLarge { most_megabytes: 50 },
        ),
    ];
    for (bytes, fault) in cases {
        assert_eq!(read(bytes, DocumentKind::Pdf), Err(fault));
    }
    for bytes in [b"".to_vec(), b"%PDF-1.7\n".to_vec(), b"<html>".to_vec()] {
        let fault = read(bytes, DocumentKind::Pdf).unwrap_err();
        assert!(matches!(fault, Fault::Damaged { .. }), "{fault}");
    }
}

/// The folder with Debian's manuals; `None` unless `cargo xtask test` provides it.
fn books() -> Option<PathBuf> {
    let folder = std::env::var_os("GLOSS_BOOKS").map(PathBuf::from);
    if folder.is_none() {
        println!("skipped: GLOSS_BOOKS names no folder of manuals");
    }
    folder
}

/// Reads a manual; prints a message and returns `None` if the file is missing.
fn manual(path: &Path) -> Option<Document> {
    let Ok(bytes) = std::fs::read(path) else {
        println!("skipped: there is no {}", path.display());
        return None;
    };
    Some(read(bytes, DocumentKind::Pdf).unwrap())
}

/// Counts each word of a text, or each character of text without spaces.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut apart = String::new();
    for character in text.chars() {
        match character {
            '\u{2e80}'.. => apart.extend([' ', character, ' ']),
            it if it.is_alphanumeric() => apart.push(it),
            _ => apart.push(' '),
        }
    }
    let mut counted = BTreeMap::new();
    for word in apart.split_whitespace() {
        *counted.entry(word.to_lowercase()).or_default() += 1;
    }
    counted
}

/// The precision and recall of the words in `ours`, compared with `theirs`.
fn overlap(ours: &str, theirs: &str) -> (f64, f64) {
    let (ours, theirs) = (words(ours), words(theirs));
    let common: usize = ours
        .iter()
        .map(|(word, count)| *count.min(theirs.get(word).unwrap_or(&0)))
        .sum();
    let all = |counted: &BTreeMap<String, usize>| counted.values().sum::<usize>() as f64;
    (common as f64 / all(&ours), common as f64 / all(&theirs))
}

#[test]
fn manuals_say_what_pdftotext_reads_in_them() {
    let Some(books) = books() else { return };
    let mut read = 0;
    for name in [
        "usr/share/doc/debian-history/docs/project-history.en.pdf",
        "usr/share/doc/debian-history/docs/project-history.ja.pdf",
        "usr/share/doc/debian-history/docs/project-history.ru.pdf",
        "usr/share/debian-reference/debian-reference.zh-cn.pdf",
    ] {
        let path = books.join(name);
        let Some(document) = manual(&path) else {
            continue;
        };
        let Ok(theirs) = Command::new("pdftotext").arg(&path).arg("-").output() else {
            println!("skipped: there is no pdftotext");
            return;
        };
        let ours: Vec<&str> = document.blocks.iter().map(|it| it.text.as_str()).collect();
        let (precision, recall) =
            overlap(&ours.join("\n"), &String::from_utf8_lossy(&theirs.stdout));
        println!("{name}: precision {precision:.4}, recall {recall:.4}");
        // The missing words are those of running headers and footers.
        assert!(
            precision > 0.995 && recall > 0.98,
            "{name}: {precision} {recall}"
        );
        read += 1;
    }
    println!("{read} manuals compared");
}

#[test]
fn a_manual_has_chapters_on_their_pages() {
    let Some(books) = books() else { return };
    let path = books.join("usr/share/doc/debian-history/docs/project-history.en.pdf");
    let Some(document) = manual(&path) else {
        return;
    };
    assert_eq!(document.title, "A Brief History of Debian");
    let heading = |text: &str| {
        let found = document.blocks.iter().find(|it| it.text == text).unwrap();
        (found.kind, found.page)
    };
    assert_eq!(
        heading("Introduction -- What is the Debian Project?"),
        (Kind::Heading(1), 7)
    );
    assert_eq!(heading("1.1 In the Beginning"), (Kind::Heading(3), 7));
    assert_eq!(heading("Leadership"), (Kind::Heading(1), 8));
    let officially = document
        .blocks
        .iter()
        .find(|it| it.text.contains("officially founded by Ian"));
    let officially = officially.unwrap();
    assert!(
        officially
            .text
            .ends_with("(November 1994 to November 1995).")
    );
    assert_eq!((officially.kind, officially.page), (Kind::Prose, 7));
}
