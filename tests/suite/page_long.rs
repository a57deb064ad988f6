//! Pages with one paragraph of a megabyte. No code may read such a paragraph again for each word.
//!
//! The test measures no time. If the work grew with the square of the length, the test would take
//! hours.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::unwrap_used)]

use gloss::page;
use gloss::text::{
    index::{Entry, Index},
    summary::{self, About, Parts, Role, SummaryCandidate},
};

/// Reads, indexes, summarises, explains and cites a page with this body.
fn work_through(body: &str) {
    let html = format!("<title>Talk</title><body><article>{body}</article>");
    let document = page::read(&html, "https://a.example/").unwrap();
    let language = document.text_language();
    let sentences = document.sentences(language);
    let candidates: Vec<SummaryCandidate<'_>> = sentences
        .iter()
        .map(|sentence| SummaryCandidate {
            text: sentence.text,
            paragraph: sentence.paragraph.number,
            role: Role::Prose,
        })
        .collect();
    let about = About {
        title: &document.title,
        description: document.own_description(),
    };
    let summary = summary::summarise(about, &candidates, &Parts::Whole, None, language);
    for at in summary.points.iter().copied().chain(summary.gist) {
        let sentence = &sentences[at];
        assert!(sentence.text.chars().count() <= 600);
        let (number, quote) = document.resolve_citation(&sentence.id(), language).unwrap();
        let directive = page::text_fragment(&document, number, quote).unwrap();
        assert!(directive.len() < 8_000);
    }
    page::text_fragment(&document, 1, &document.paragraphs[0].text).unwrap();
    let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text).collect();
    let entries = texts.iter().map(|text| Entry { heading: "", text });
    Index::new(language, entries).search("the river 软件", 5);
    for term in ["river", "软件"] {
        document.find_explanations(term, None, 8);
    }
}

#[test]
fn a_paragraph_of_a_megabyte_is_worked_through_whatever_it_is_made_of() {
    for unit in [
        "so we went down to the river and looked at all these boats ",
        "The keeper measured the height of the water near the old lighthouse. ",
        "自由软件运动今天继续",
        "软件，",
        "a",
        "so we went<br>",
        "<b>so</b> <a href=x>we</a> ",
        "* _ [ ` < ",
        "&amp;#(",
    ] {
        work_through(&format!("<p>{}</p>", unit.repeat((1 << 20) / unit.len())));
    }
}

#[test]
fn a_plain_text_page_of_a_megabyte_is_worked_through() {
    for unit in [
        "The keeper measured the water. It was high\n",
        "The keeper measured the water.\n\n",
    ] {
        work_through(&format!(
            "<pre>{}</pre>",
            unit.repeat((1 << 20) / unit.len())
        ));
    }
}
