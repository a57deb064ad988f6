//! Gist and key points: the page's own sentences, as the kind of page asks for.
//!
//! Driving example: of an article its point and what supports it; of a manual what it is
//! and something of each section; of a thread the question and what is answered; of an
//! index its first entries, whole.

use std::ops::Range;

use super::super::Reply;
use super::{answered, cited, ourselves};
use crate::phrase::phrase;
use gloss_markdown::{escape, shortened};
use gloss_page::{Document, Entry, Genre, Kind, Sentence};
use gloss_text::summary::{Candidate, Role, Summary, summarise, summarise_parts, summarise_turns};

/// How many entries of a listing are shown.
const ENTRIES: usize = 7;

/// An entry is shown up to here, in characters.
const ENTRY_CHARS: usize = 160;

/// A summary as Markdown: the gist, then a numbered list of points.
pub(super) fn of(page: &Document) -> Reply {
    let language = page.written_in();
    let genre = page.genre();
    let mut sentences = page.sentences(language);
    // A caption tells of its picture, a row of its table.
    sentences.retain(|s| !matches!(s.paragraph.kind, Kind::Caption | Kind::Table));
    let candidates: Vec<Candidate<'_>> = sentences.iter().map(candidate).collect();
    let (title, ranges) = (&page.title, |parts| within(&sentences, page, parts));
    match genre {
        Genre::Listing => listing(page, &summarise(title, &candidates, language), &sentences),
        Genre::Discussion => {
            let turns = ranges(page.turns());
            told(
                &summarise_turns(title, &candidates, &turns, language),
                &sentences,
            )
        }
        Genre::Reference => {
            let parts = ranges(page.parts());
            told(
                &summarise_parts(title, &candidates, &parts, language),
                &sentences,
            )
        }
        Genre::Article | Genre::Short => told(&summarise(title, &candidates, language), &sentences),
    }
}

/// The gist, and the points as a numbered list.
fn told(summary: &Summary, sentences: &[Sentence<'_>]) -> Reply {
    let mut lines = Vec::new();
    if let Some(gist) = summary.gist.and_then(|at| sentences.get(at)) {
        lines.push(escape(gist.text));
        lines.push(String::new());
    }
    let points = summary.points.iter().filter_map(|at| sentences.get(*at));
    lines.extend(numbered(points.map(cited)));
    if lines.is_empty() {
        return ourselves::no_sentences();
    }
    answered(lines.join("\n"), 0.9)
}

/// What the page says it lists, if it does, its first entries, and how many there are.
fn listing(page: &Document, summary: &Summary, sentences: &[Sentence<'_>]) -> Reply {
    let entries = page.entries();
    let first = entries.first().map(|entry| entry.paragraph.number);
    let gist = summary.gist.and_then(|at| sentences.get(at));
    // What stands behind the list is no introduction to it.
    let gist = gist.filter(|gist| Some(gist.paragraph.number) < first);
    let mut lines = Vec::new();
    if let Some(gist) = gist {
        lines.push(escape(gist.text));
        lines.push(String::new());
    }
    lines.extend(numbered(entries.iter().take(ENTRIES).map(listed)));
    let mut reply = answered(lines.join("\n"), 0.8);
    reply.control.remark = Some(
        phrase("extractive_listing")
            .with(&entries.len())
            .with(&entries.len().min(ENTRIES)),
    );
    reply
}

fn numbered(points: impl Iterator<Item = String>) -> impl Iterator<Item = String> {
    (1..)
        .zip(points)
        .map(|(number, point): (u32, String)| format!("{number}. {point}"))
}

/// An entry as Markdown, with its reference; the cells of a row are parted.
fn listed(entry: &Entry<'_>) -> String {
    let text = entry.text.replace(['\t', '\n'], " · ");
    let shown = escape(&shortened(&text, ENTRY_CHARS));
    format!("{shown} [[p{}]]", entry.paragraph.number)
}

fn candidate<'a>(sentence: &Sentence<'a>) -> Candidate<'a> {
    Candidate {
        text: sentence.text,
        paragraph: sentence.paragraph.number,
        role: role_of(sentence.paragraph.kind),
    }
}

/// The ranges of sentences that stand in ranges of paragraphs.
fn within(
    sentences: &[Sentence<'_>],
    page: &Document,
    parts: Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    let first = |at: usize| {
        let number = page.paragraphs.get(at).map_or(u32::MAX, |p| p.number);
        sentences.partition_point(|sentence| sentence.paragraph.number < number)
    };
    parts
        .into_iter()
        .map(|part| first(part.start)..first(part.end))
        .filter(|part| !part.is_empty())
        .collect()
}

fn role_of(kind: Kind) -> Role {
    match kind {
        Kind::Prose => Role::Prose,
        Kind::Item => Role::Item,
        // What each option does is a manual's detail, not what it says.
        Kind::Definition
        | Kind::Heading(_)
        | Kind::Quote
        | Kind::Caption
        | Kind::Code
        | Kind::Table => Role::Aside,
    }
}
