//! Summarises the page with quotes: its main statement (the gist) and its key points.
//!
//! Example: the summary of an article is its main point and supporting sentences. The
//! summary of a manual is its subject and one sentence from each section. The summary of a
//! discussion is its question and the answers. The summary of a listing is its sections, or its
//! first entries.

use std::ops::Range;

use super::super::{QuoteLabel, Reply};
use super::{answered, says};
use crate::phrase::phrase;
use gloss_durable::sorted::SortedSet;
use gloss_markdown::{escape, shortened};
use gloss_page::{Document, Entry, Genre, Kind, Paragraph, Sentence};
use gloss_text::Language;
use gloss_text::summary::{
    About, Parts, Role, SummaryCandidate, summarise, without_reference_marks,
};

/// The maximum number of entries that the summary of a listing shows.
const ENTRIES: usize = 7;

/// The length to which an entry is shortened, in characters.
const ENTRY_CHARS: usize = 160;

/// Answers the request for a summary, `asked`, with Markdown: the gist, and then a numbered list of
/// points or entries, as many as were asked for. The gist is the page's own description, if it has a
/// good one.
pub(super) fn of(page: &Document, asked: &str) -> Reply {
    let language = page.text_language();
    let mut sentences = page.sentences(language);
    // Captions and table rows describe a picture or a table, not the whole page. Links lead to other
    // pages, and often quote their headlines.
    let is_prose = |p: &&Paragraph| !matches!(p.kind, Kind::Caption | Kind::Table);
    let prose = page.paragraphs.iter().filter(is_prose);
    let prose = prose.filter(|p| !p.is_mostly_links()).map(|p| p.number);
    let prose: SortedSet<u32> = prose.collect();
    sentences.retain(|s| prose.contains(&s.paragraph.number));
    let candidates: Vec<SummaryCandidate<'_>> = sentences.iter().map(candidate).collect();
    let genre = page.genre();
    let parts = match genre {
        Genre::Discussion => Parts::Turns(sentence_ranges(&sentences, page, page.turns())),
        Genre::Reference => Parts::Sections(sentence_ranges(&sentences, page, page.parts())),
        Genre::Article | Genre::Short | Genre::Listing => Parts::Whole,
    };
    let count = number_of_points(asked);
    let description = page.own_description();
    let about = About {
        title: &page.title,
        description,
    };
    let summary = summarise(about, &candidates, &parts, count, language);
    // A sentence after the first entry of a listing does not introduce it.
    let entries = if genre == Genre::Listing {
        page.entries()
    } else {
        Vec::new()
    };
    let first = entries.first().map(|entry| entry.paragraph.number);
    let is_above = |s: &&Sentence<'_>| first.is_none_or(|first| s.paragraph.number < first);
    let chosen = sentences.get(summary.gist).unwrap_or_default();
    let quoted: Vec<&str> = chosen.iter().filter(is_above).map(|s| s.text).collect();
    let between = if language == Language::Chinese {
        ""
    } else {
        " "
    };
    let quoted = Some(quoted.join(between)).filter(|quoted| !quoted.is_empty());
    let described = description.filter(|_| quoted.is_none());
    let gist = quoted.as_deref().or(described).map(shown);
    let mut reply = if genre == Genre::Listing {
        listing(page, gist, count.unwrap_or(ENTRIES))
    } else {
        let points = summary.points.iter().filter_map(|at| sentences.get(*at));
        render(gist, points.map(point))
    };
    // A page of links may have no sentences.
    if reply.text.is_empty() {
        reply = listing(page, None, count.unwrap_or(ENTRIES));
    }
    if reply.text.is_empty() {
        return says("extractive_no_sentences");
    }
    if described.is_some() {
        let has_points = reply.text.contains('\n');
        let labels = [(0, "lead_description"), (1, "lead_sentences")];
        let labels = labels.into_iter().take(if has_points { 2 } else { 1 });
        let label = |(before, key)| QuoteLabel {
            before,
            says: phrase(key),
        };
        reply.control.leads = labels.map(label).collect();
    }
    reply
}

/// The gist, then the points as a numbered list.
fn render(gist: Option<String>, points: impl Iterator<Item = String>) -> Reply {
    let numbered = (1..).zip(points);
    let points = numbered.map(|(number, point): (u32, String)| format!("{number}. {point}"));
    let points = points.collect::<Vec<_>>().join("\n");
    let parts = gist.into_iter().chain([points]);
    answered(
        parts
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join("\n\n"),
    )
}

/// The introduction of a listing, if it has one, and its sections with their numbers of entries. If
/// it has no sections, its first entries are shown. A remark gives the total number of entries.
fn listing(page: &Document, gist: Option<String>, most: usize) -> Reply {
    let entries = page.entries();
    let sections = page.entry_sections();
    let (points, remark): (Vec<String>, _) = if sections.is_empty() {
        let points = entries
            .iter()
            .take(most)
            .map(|entry| render_entry(entry, ""));
        (
            points.collect(),
            phrase("extractive_listing")
                .with(&entries.len())
                .with(&entries.len().min(most)),
        )
    } else {
        let section =
            |(head, count): &(Entry<'_>, usize)| render_entry(head, &format!(" ({count})"));
        (
            sections.iter().map(section).collect(),
            phrase("extractive_sections")
                .with(&entries.len())
                .with(&sections.len()),
        )
    };
    let mut reply = render(gist, points.into_iter());
    reply.control.remark = Some(remark);
    reply
}

/// Returns the number of points for which a message asks: 3 for "in three points" and "三点". `None`
/// if it asks for no number from 1 to 20.
fn number_of_points(asked: &str) -> Option<usize> {
    const NUMBERS: [&str; 10] = [
        "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    // The number 一 is left out, because it is usually part of 一下, "a bit".
    const CHINESE: &str = "两三四五六七八九十";
    let lower = asked.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    let english = words.find_map(|word| NUMBERS.iter().position(|it| *it == word));
    let chinese = lower
        .chars()
        .find_map(|c| CHINESE.chars().position(|it| it == c));
    let mut digits = lower.split(|c: char| !c.is_ascii_digit());
    let written = english.map(|at| at + 1).or(chinese.map(|at| at + 2));
    let number = digits.find_map(|it| it.parse().ok()).or(written);
    number.filter(|number| (1..=20).contains(number))
}

/// A text of the page as Markdown, without reference marks.
fn shown(text: &str) -> String {
    escape(&without_reference_marks(text))
}

fn point(sentence: &Sentence<'_>) -> String {
    format!("{} [[{}]]", shown(sentence.text), sentence.id())
}

/// An entry as Markdown with `more` and its citation. The cells of a table row are separated by
/// " · ".
fn render_entry(entry: &Entry<'_>, more: &str) -> String {
    let text = entry.text.replace(['\t', '\n'], " · ");
    let text = shown(&shortened(&text, ENTRY_CHARS));
    format!("{text}{more} [[p{}]]", entry.paragraph.number)
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
