//! Describes the form of a sentence: its first words, its last marks, and the kinds of its
//! characters.
//!
//! Example: "However, it does this only on Linux." is a sentence, but can't be understood
//! without the sentence before it.

use super::super::language::length;
use super::super::marks::{is_closer, is_terminator};
use super::character_counts::{CharacterCounts, is_quote};
use super::phrases::{
    BOILERPLATE, CONNECTIVES, CONTRASTS, COURTESIES, CUES, DEFINING, ELSEWHERE, LEANING, NUMBERED,
    PERSONAL, POINTERS, REFERENCES, SELF_REFERENCES,
};
use super::without_reference_marks;

/// The maximum length of a gist, in words.
pub(super) const LONGEST_GIST: f64 = 60.0;

/// The way in which a sentence begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SentenceOpening {
    /// The sentence begins with any other word.
    Plain,
    /// The first word connects the sentence to the one before: "However", "因此".
    Connective,
    /// The first word reverses what was said before: "But", "但是".
    Contrast,
    /// The first word refers to something mentioned before: "This", "他".
    Reference,
}

/// Features of a sentence that can be recognised by its words and characters alone.
#[derive(Clone, Copy, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent observations, each with a name"
)]
pub(super) struct SentenceForm {
    /// The length in words; 1.6 Chinese characters count as one word.
    pub(super) words: f64,
    pub(super) opening: SentenceOpening,
    pub(super) is_question: bool,
    /// True if the sentence introduces the text after it: "The options are:".
    pub(super) leads_on: bool,
    /// True if a defining phrase is near the beginning: "is a", "refers to".
    pub(super) defines: bool,
    /// True if the sentence announces a conclusion or the main point.
    pub(super) announces: bool,
    /// The amount of detail: 1 if the sentence contains digits, plus 1 for each opening bracket up
    /// to three.
    pub(super) details: f64,
    pub(super) clauses: f64,
    /// True if the last character is a mark that ends sentences.
    is_closed: bool,
    /// True if the text consists mostly of letters, unlike a formula, a table row or a line of
    /// code.
    is_language: bool,
    /// True if the text begins with a pointer to another part of the page: "See also", "Figure 3".
    is_pointer: bool,
    /// True if the author speaks personally or addresses the reader: "I", "you".
    pub(super) is_personal: bool,
    /// True if the sentence refers to another part of the page: "Figure 3", "as follows".
    pub(super) refers: bool,
    has_open_bracket: bool,
    /// True if a quotation begins in this sentence and ends in another, or begins in another and
    /// ends in this one.
    pub(super) splits_quotation: bool,
    /// True if the sentence is, or ends within, a quotation whose speaker it doesn't name.
    pub(super) is_torn: bool,
    /// True if the next sentence reverses this one.
    pub(super) is_reversed: bool,
    trails_off: bool,
    /// True if the sentence contains a word that refers back, such as "this" or "such".
    pub(super) leans: bool,
    /// True for a line of names, such as a title, an address, a path, or the header of a document.
    is_names: bool,
}

impl SentenceForm {
    pub(super) fn of(text: &str) -> Self {
        let text = &*without_reference_marks(text);
        let bare = text.trim_end_matches(|c: char| is_closer(c) || c.is_whitespace());
        let last = bare.chars().next_back().unwrap_or(' ');
        let lower = text.to_lowercase();
        let beginning = head(lower.trim_start_matches(|c: char| !c.is_alphanumeric()), 60);
        let census = CharacterCounts::of(text);
        let has_ideographs = census.ideographs > 0;
        Self {
            words: length(text),
            opening: opening(beginning),
            is_question: matches!(last, '?' | '？'),
            leads_on: matches!(last, ':' | '：'),
            defines: defines(text),
            announces: holds(&lower, CUES),
            details: details(&census),
            clauses: f64::from(census.clauses),
            is_closed: is_terminator(last),
            is_language: is_language(&census),
            // The line of a table of contents has dots before the number of a page.
            is_pointer: begins(beginning, POINTERS)
                || text.starts_with('^')
                || text.matches(['…', '․']).count() > 1
                || text.contains(". . ."),
            is_personal: census.persons > 0 || is_personal(text),
            refers: refers(text),
            has_open_bracket: census.open_brackets != 0,
            splits_quotation: census.quotes % 2 == 1,
            is_torn: census.quotes % 2 == 1 || census.quotes > 0 && is_bare_quotation(text),
            is_reversed: false,
            leans: LEANING.iter().any(|word| text.contains(word)),
            is_names: !has_ideographs && is_names(text),
            trails_off: bare.ends_with("..") || bare.ends_with('…'),
        }
    }

    /// Returns true for a sentence. Returns false for a heading, a caption, a list's introduction
    /// or a line of code.
    pub(super) fn is_sentence(&self) -> bool {
        let enough = self.words >= 4.0;
        enough
            && self.is_language
            && !self.is_pointer
            && !self.is_names
            && (self.is_closed || self.words >= 15.0)
    }

    /// Returns true if the sentence can be understood alone, as the first sentence of a summary.
    pub(super) fn can_be_gist(&self) -> bool {
        self.is_sentence()
            && self.is_closed
            && matches!(
                self.opening,
                SentenceOpening::Plain | SentenceOpening::Contrast
            )
            && !self.is_question
            && !self.leads_on
            && !self.is_personal
            && !self.refers
            && !self.has_open_bracket
            && !self.is_torn
            && !self.is_reversed
            && !self.trails_off
            && (6.0..=LONGEST_GIST).contains(&self.words)
    }
}

/// Returns true for boilerplate of a site, and for thanks and greetings. Returns false for a long
/// sentence that only mentions such words.
pub(super) fn is_beside(text: &str) -> bool {
    let words = length(text);
    let lower = text.to_lowercase();
    words <= 60.0 && holds(&lower, BOILERPLATE) || words <= 12.0 && holds(&lower, COURTESIES)
}

/// Returns the first `chars` characters.
fn head(text: &str, chars: usize) -> &str {
    let end = text
        .char_indices()
        .nth(chars)
        .map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or(text)
}

fn begins(text: &str, phrases: &[&str]) -> bool {
    after_one(text, phrases).is_some()
}

/// Returns the rest of `text`, which is in lower case, after the first of `phrases` with which it
/// begins. The phrase must end at the end of a word.
fn after_one<'a>(text: &'a str, phrases: &[&str]) -> Option<&'a str> {
    phrases.iter().find_map(|phrase| {
        let rest = text.strip_prefix(phrase)?;
        let ascii = phrase.ends_with(|c: char| c.is_ascii_alphanumeric());
        let goes_on = rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '\'');
        (!(ascii && goes_on)).then(|| rest.trim_start_matches([' ', ',', '，', '、']))
    })
}

fn opening(lower: &str) -> SentenceOpening {
    if begins(lower, SELF_REFERENCES) {
        SentenceOpening::Plain
    } else if begins(lower, REFERENCES) {
        SentenceOpening::Reference
    } else if let Some(rest) = after_one(lower, CONTRASTS) {
        // "However, it …" adds to what was said before, instead of reversing it.
        if begins(rest, REFERENCES) {
            SentenceOpening::Connective
        } else {
            SentenceOpening::Contrast
        }
    } else if begins(lower, CONNECTIVES) {
        SentenceOpening::Connective
    } else {
        SentenceOpening::Plain
    }
}

/// Returns true if a defining phrase is near the beginning, where the sentence's subject is.
fn defines(text: &str) -> bool {
    let head = head(text, 90);
    DEFINING.iter().any(|mark| head.contains(mark))
}

/// Returns true if `lower` contains one of `phrases` at the beginning of a word. The text is read
/// once for all phrases, because one search per phrase would take half of a summary's time.
fn holds(lower: &str, phrases: &[&str]) -> bool {
    let mut before = ' ';
    for (at, c) in lower.char_indices() {
        let begins = !(before.is_ascii_alphanumeric() && c.is_ascii_alphanumeric());
        before = c;
        let rest = lower.as_bytes().get(at..).unwrap_or_default();
        let first = rest.first();
        let is_here = |phrase: &&str| {
            phrase.as_bytes().first() == first && rest.starts_with(phrase.as_bytes())
        };
        if begins && phrases.iter().any(is_here) {
            return true;
        }
    }
    false
}

/// Returns the amount of detail: digits and remarks in brackets. Summaries should contain few
/// details.
fn details(census: &CharacterCounts) -> f64 {
    let figures = f64::from(u8::from(census.digits > 0));
    figures + f64::from(census.asides).min(3.0)
}

/// Returns true if most words begin with a capital letter or a digit, or one contains "@". In a
/// sentence, even in German, fewer do.
fn is_names(text: &str) -> bool {
    let first = |word: &str| word.chars().find(|c| c.is_alphanumeric());
    let firsts: Vec<char> = text.split_whitespace().filter_map(first).collect();
    let names = firsts.iter().filter(|c| c.is_uppercase() || c.is_numeric());
    names.count() * 10 > firsts.len() * 7 || text.contains('@')
}

/// Returns true if a text with quotation marks has at most two words outside them, such as "he said",
/// and no name among them.
fn is_bare_quotation(text: &str) -> bool {
    let outside = text.split(is_quote).step_by(2);
    let outside = outside.collect::<Vec<_>>().join(" ");
    length(&outside) <= 2.0 && !outside.contains(char::is_uppercase)
}

fn is_language(census: &CharacterCounts) -> bool {
    census.letters * 10 >= census.shown * 7 && census.code * 12 <= census.shown
}

/// Returns true for references such as "as shown in Listing 4-5" and "见图 3".
fn refers(text: &str) -> bool {
    let numbers = |word: &&str| {
        let mut after = text.split(word).skip(1);
        after.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    NUMBERED.iter().any(numbers) || ELSEWHERE.iter().any(|phrase| text.contains(phrase))
}

fn is_personal(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    words
        .by_ref()
        .take(12)
        .any(|word| PERSONAL.contains(&word.replace('’', "'").as_str()))
}
