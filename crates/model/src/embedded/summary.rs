//! Summarises the page with quotes: its main statement (the gist) and its key points.
//!
//! Driving example: the summary of an article is its main point and supporting sentences. The
//! summary of a manual is its subject and one sentence from each section. The summary of a
//! discussion is its question and the answers. The summary of a listing is its first entries.

use std::ops::Range;

use super::super::Reply;
use super::{answered, cited, says};
use crate::phrase::phrase;
use gloss_markdown::{escape, shortened};
use gloss_page::{Document, Entry, Genre, Kind, Sentence};
use gloss_text::summary::{
    Role, Summary, SummaryCandidate, summarise, summarise_parts, summarise_turns,
};

/// The maximum number of entries that the summary of a listing shows.
const ENTRIES: usize = 7;

/// The length to which an entry is shortened, in characters.
const ENTRY_CHARS: usize = 160;

/// The summary as Markdown: the gist, and then a numbered list of points or entries.
pub(super) fn of(page: &Document) -> Reply {
    let language = page.text_language();
    let genre = page.genre();
    let mut sentences = page.sentences(language);
    // Captions and table rows describe a picture or a table, not the whole page.
    sentences.retain(|s| !matches!(s.paragraph.kind, Kind::Caption | Kind::Table));
    let candidates: Vec<SummaryCandidate<'_>> = sentences.iter().map(candidate).collect();
    let (title, ranges) = (&page.title, |parts| {
        sentence_ranges(&sentences, page, parts)
    });
    match genre {
        Genre::Listing => listing(page, &summarise(title, &candidates, language), &sentences),
        Genre::Discussion => {
            let turns = ranges(page.turns());
            render_summary(
                &summarise_turns(title, &candidates, &turns, language),
                &sentences,
            )
        }
        Genre::Reference => {
            let parts = ranges(page.parts());
            render_summary(
                &summarise_parts(title, &candidates, &parts, language),
                &sentences,
            )
        }
        Genre::Article | Genre::Short => {
            render_summary(&summarise(title, &candidates, language), &sentences)
        }
    }
}

/// The gist, then the points as a numbered list.
fn render_summary(summary: &Summary, sentences: &[Sentence<'_>]) -> Reply {
    let mut lines = Vec::new();
    if let Some(gist) = summary.gist.and_then(|at| sentences.get(at)) {
        lines.push(escape(gist.text));
        lines.push(String::new());
    }
    let points = summary.points.iter().filter_map(|at| sentences.get(*at));
    lines.extend(numbered(points.map(cited)));
    if lines.is_empty() {
        return says("extractive_no_sentences");
    }
    answered(lines.join("\n"))
}

/// The introduction of a listing, if it has one, and its first entries. A remark gives the total
/// number of entries.
fn listing(page: &Document, summary: &Summary, sentences: &[Sentence<'_>]) -> Reply {
    let entries = page.entries();
    let first = entries.first().map(|entry| entry.paragraph.number);
    let gist = summary.gist.and_then(|at| sentences.get(at));
    // A sentence after the first entry does not introduce the list.
    let gist = gist.filter(|gist| Some(gist.paragraph.number) < first);
    let mut lines = Vec::new();
    if let Some(gist) = gist {
        lines.push(escape(gist.text));
        lines.push(String::new());
    }
    lines.extend(numbered(entries.iter().take(ENTRIES).map(render_entry)));
    let mut reply = answered(lines.join("\n"));
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

/// An entry as Markdown with its citation. The cells of a table row are separated by " · ".
fn render_entry(entry: &Entry<'_>) -> String {
    let text = entry.text.replace(['\t', '\n'], " · ");
    let shown = escape(&shortened(&text, ENTRY_CHARS));
    format!("{shown} [[p{}]]", entry.paragraph.number)
}

fn candidate<'a>(sentence: &Sentence<'a>) -> SummaryCandidate<'a> {
    SummaryCandidate {
        text: sentence.text,
        paragraph: sentence.paragraph.number,
        role: role_of(sentence.paragraph.kind),
    }
}

/// Converts ranges of paragraph numbers to ranges of sentence indices.
fn sentence_ranges(
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
        // In a manual, the definition of an option is a detail, not a main point.
        Kind::Definition
        | Kind::Heading(_)
        | Kind::Quote
        | Kind::Caption
        | Kind::Code
        | Kind::Table => Role::Aside,
    }
}
