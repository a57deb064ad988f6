//! Recognises the genre of a page.
//!
//! Example: a reader of a forum thread wants the question and its answers. A reader of an index
//! wants its entries. The genre is computed from the paragraphs alone, in any language. If a page
//! combines several genres, the genre with the most words is returned. A page without clear signs
//! of another genre is an article.

use std::ops::Range;

use super::entries::Entry;
use super::word_count::{has_sentence, words};
use super::{Document, Kind, Paragraph, discussion_turns, entries};

/// The genre of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Genre {
    /// Text that is read from beginning to end: news, essays, stories, papers.
    Article,
    /// Text in which readers look things up: manuals, encyclopedias.
    Reference,
    /// Contributions of several people: threads, questions with answers, comments.
    Discussion,
    /// Entries that link to other pages or need no context: indexes, home pages, tables.
    Listing,
    /// A page of only a few sentences.
    Short,
}

/// The maximum number of words in the sentences of a short page. With its other text, the page may
/// have twice as many.
const SHORT_WORDS: usize = 110;

/// The minimum number of entries of a listing.
const ENTRIES: usize = 6;

/// The minimum number of turns of a discussion.
const TURNS: usize = 4;

impl Document {
    /// Returns the genre of the document.
    pub fn genre(&self) -> Genre {
        let seen = GenreCounts::of(self);
        // The pages of a printed document have no posts.
        if seen.is_discussion() && self.pages.is_empty() {
            return Genre::Discussion;
        }
        if seen.entries >= ENTRIES && seen.listed > seen.told {
            return Genre::Listing;
        }
        if seen.told <= SHORT_WORDS && seen.words <= 2 * SHORT_WORDS {
            return Genre::Short;
        }
        if seen.is_looked_up_in() {
            return Genre::Reference;
        }
        Genre::Article
    }

    /// Returns the contributions of a discussion, as ranges of indices into `paragraphs`. The first
    /// contribution is the question or the opening post.
    pub fn turns(&self) -> Vec<Range<usize>> {
        discussion_turns::of(&self.paragraphs)
    }

    /// Returns the entries that the page lists, in order: list items, headlines or table rows.
    pub fn entries(&self) -> Vec<Entry<'_>> {
        entries::of(&self.paragraphs)
    }

    /// Returns the parts of the page, as ranges of indices into `paragraphs`. Each heading begins a
    /// new part. The first part may have no heading.
    pub fn parts(&self) -> Vec<Range<usize>> {
        let headings = self.paragraphs.iter().enumerate();
        let mut starts: Vec<usize> = headings
            .filter(|(_, paragraph)| matches!(paragraph.kind, Kind::Heading(_)))
            .map(|(at, _)| at)
            .collect();
        starts.insert(0, 0);
        starts.push(self.paragraphs.len());
        let pairs = starts.iter().zip(starts.iter().skip(1));
        pairs
            .map(|(start, end)| *start..*end)
            .filter(|part| !part.is_empty())
            .collect()
    }
}

/// The counts that determine the genre. `words`, `told`, `listed` and the fields `in_…` are numbers
/// of words. The other fields are numbers of paragraphs, entries, turns or reference marks.
#[derive(Debug, Default)]
struct GenreCounts {
    words: usize,
    /// The number of words in running sentences.
    told: usize,
    /// The number of words in list entries.
    listed: usize,
    in_turns: usize,
    in_longest_turn: usize,
    entries: usize,
    turns: usize,
    headings: usize,
    /// Headings that begin with a section number, such as "2.1 Tides".
    numbered: usize,
    code: usize,
    tables: usize,
    definitions: usize,
    /// Reference marks such as "[12]".
    marks: usize,
    prose: usize,
    /// Paragraphs that contain "I" or "we".
    narrated: usize,
}

impl GenreCounts {
    fn of(page: &Document) -> Self {
        let mut seen = Self::default();
        for paragraph in &page.paragraphs {
            seen.take(paragraph);
        }
        let entries = page.entries();
        seen.entries = entries.len();
        seen.listed = entries.iter().map(|entry| words(entry.text)).sum();
        let turns: Vec<usize> = page
            .turns()
            .into_iter()
            .map(|turn| {
                let within = page.paragraphs.get(turn).unwrap_or_default();
                within.iter().map(|paragraph| words(&paragraph.text)).sum()
            })
            .collect();
        seen.turns = turns.len();
        seen.in_turns = turns.iter().sum();
        seen.in_longest_turn = turns.into_iter().max().unwrap_or_default();
        seen
    }

    fn take(&mut self, paragraph: &Paragraph) {
        self.words += words(&paragraph.text);
        match paragraph.kind {
            Kind::Heading(_) => {
                self.headings += 1;
                let number = paragraph.text.split_whitespace().next().unwrap_or_default();
                self.numbered += usize::from(is_section_number(number));
            }
            Kind::Prose | Kind::Quote | Kind::Item | Kind::Definition => self.take_text(paragraph),
            Kind::Code => self.code += 1,
            Kind::Table => self.tables += 1,
            Kind::Caption => {}
        }
    }

    fn take_text(&mut self, paragraph: &Paragraph) {
        let text = &paragraph.text;
        self.definitions += usize::from(paragraph.kind == Kind::Definition);
        // Reference marks in list items are not counted, because they may be a list of sources.
        if matches!(paragraph.kind, Kind::Prose | Kind::Quote) {
            self.marks += marks(text);
        }
        if entries::is_link(&paragraph.markdown) || !has_sentence(text) {
            return;
        }
        self.told += words(text);
        if matches!(paragraph.kind, Kind::Prose | Kind::Quote) {
            self.prose += 1;
            self.narrated += usize::from(is_narrated(text));
        }
    }

    /// Returns true if the page is a discussion. Most words of an article with comments are in a
    /// single contribution, the article, so it is not a discussion.
    fn is_discussion(&self) -> bool {
        let is_among_many = self.in_longest_turn * 2 <= self.in_turns;
        self.turns >= TURNS && self.in_turns * 2 >= self.words && is_among_many
    }

    /// Returns true if the page is a reference work. Manuals have numbered sections, code, tables
    /// and definitions. Encyclopedias have sections and reference marks. A technical text is an
    /// article if many of its paragraphs contain "I" or "we", unless its sections are numbered.
    fn is_looked_up_in(&self) -> bool {
        let is_told_by_someone = self.narrated * 8 > self.prose;
        let is_encyclopedic = self.marks >= 8 && self.headings >= 2;
        let is_technical = self.code + self.tables + self.definitions >= 4 && self.headings >= 1;
        let is_numbered = self.numbered >= 2;
        is_encyclopedic || is_numbered || is_technical && !is_told_by_someone
    }
}

/// Returns true for "2.1" and "2.1.3.", but not for "2.", which may number a list of tips.
fn is_section_number(word: &str) -> bool {
    let mut groups = word.split('.').filter(|group| !group.is_empty());
    let is_number = |group: &str| group.chars().all(|c| c.is_ascii_digit());
    word.contains('.') && groups.clone().count() >= 2 && groups.all(is_number)
}

fn is_narrated(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    let english = words.any(|word| matches!(word, "I" | "my" | "My" | "we" | "We" | "our" | "Our"));
    english || text.contains("我")
}

/// Returns the number of reference marks, such as "[12]", in a text.
fn marks(text: &str) -> usize {
    let open = text.match_indices('[');
    let is_mark = |(at, _): &(usize, &str)| {
        let rest = text.get(at + 1..).unwrap_or_default();
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        (1..=3).contains(&digits) && rest.get(digits..).is_some_and(|rest| rest.starts_with(']'))
    };
    open.filter(is_mark).count()
}

#[cfg(test)]
#[path = "genre_tests.rs"]
mod tests;
