//! Summaries of real pages must quote the main text, and nothing around it.
//!
//! The pages are Mozilla's suite. If its folder (`GLOSS_SUITES`, else `../shared/suites`) is
//! missing, the test prints a message and passes.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::rc::Rc;

use gloss::page::{Document, Genre, Kind, read};
use gloss::page_service::ask;

/// Texts that no summary may contain. They come from site headers, captions and bylines.
const AROUND: &[&str] = &[
    "©",
    "all rights reserved",
    "cookie",
    "newsletter",
    "click here",
    "read more",
    "share this",
    "sign up",
    "follow us",
    "photo by",
    "photo via",
    "getty images",
    "advertisement",
    "版权所有",
    "责任编辑",
    "独家所有",
    "图为",
    "图注",
    "謝謝",
];

fn pages() -> Option<Vec<(String, Rc<Document>)>> {
    let suites = std::env::var_os("GLOSS_SUITES").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/suites"),
        PathBuf::from,
    );
    let folders = std::fs::read_dir(suites.join("readability/test/test-pages")).ok()?;
    let mut pages: Vec<_> = folders
        .filter_map(|folder| {
            let folder = folder.ok()?.path();
            let html = std::fs::read_to_string(folder.join("source.html")).ok()?;
            let page = read(&html, "https://a.example/page").ok()?;
            Some((
                folder.file_name()?.to_string_lossy().into_owned(),
                Rc::new(page),
            ))
        })
        .collect();
    pages.sort_by(|one, other| one.0.cmp(&other.0));
    Some(pages)
}

/// The ids of the passages that a summary cites.
fn ids(markdown: &str) -> impl Iterator<Item = &str> {
    let marks = markdown.split("[[").skip(1);
    marks.filter_map(|rest| rest.split_once("]]").map(|(id, _)| id))
}

#[test]
fn captions_code_and_the_words_of_sites_are_never_picked() {
    let Some(pages) = pages() else {
        println!("skipped: no pages");
        return;
    };
    let (mut summed_up, mut points) = (0, 0);
    for (name, page) in &pages {
        let reply = ask(Rc::clone(page), "Summarize this page", None);
        let lower = reply.text.to_lowercase();
        for words in AROUND {
            assert!(
                !lower.contains(words),
                "{name} says {words:?}:\n{}",
                reply.text
            );
        }
        let language = page.text_language();
        for id in ids(&reply.text) {
            let (number, words) = page.resolve_citation(id, language).unwrap();
            let kind = page.paragraphs[number as usize - 1].kind;
            let is_text = !matches!(kind, Kind::Caption | Kind::Code);
            assert!(
                is_text || page.genre() == Genre::Listing,
                "{name} {id}: {words}"
            );
            points += 1;
        }
        summed_up += usize::from(!reply.text.is_empty());
    }
    println!("{summed_up} of {} pages, {points} points", pages.len());
    assert!(pages.len() >= 100 && points >= 300);
    assert!(summed_up * 10 >= pages.len() * 9);
}

#[test]
fn a_summary_is_as_long_as_its_page_deserves() {
    let Some(pages) = pages() else {
        println!("skipped: no pages");
        return;
    };
    let is_short = |(_, page): &(String, Rc<Document>)| page.genre() == Genre::Short;
    let short: Vec<_> = pages.into_iter().filter(is_short).collect();
    println!("{} short pages", short.len());
    assert!(short.len() >= 4);
    for (name, page) in short {
        let reply = ask(Rc::clone(&page), "Summarize this page", None);
        assert!(ids(&reply.text).count() <= 1, "{name}:\n{}", reply.text);
    }
}
