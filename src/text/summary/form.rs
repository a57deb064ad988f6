//! What can be seen of a sentence without understanding it.
//!
//! Driving example: "However, it does this only on Linux." is a sentence, but
//! nobody can read it alone. Deliberately superficial: first words, last marks
//! and proportions.

use super::super::Language;
use super::super::language::length;
use super::super::sentences::{is_closer, is_terminator};
use super::phrases::{
    BOILERPLATE, CONNECTIVES, COURTESIES, CUES, POINTERS, REFERENCES, SELF_REFERENCES,
};

/// How a sentence begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    /// With something of its own.
    Plain,
    /// With a word that joins it to what was said: "However", "因此".
    Connective,
    /// With a word that stands for what was said: "This", "他".
    Reference,
}

/// The outward form of a sentence.
#[derive(Clone, Copy, Debug)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent observations, each with a name"
)]
pub(super) struct Form {
    /// Its length in words of its language.
    pub(super) words: f64,
    pub(super) opening: Opening,
    pub(super) is_question: bool,
    /// It announces what follows it: "The options are:".
    pub(super) leads_on: bool,
    /// It says what something is.
    pub(super) defines: bool,
    /// It says what the text comes to, or what matters in it.
    pub(super) announces: bool,
    /// How many details it carries: a figure, each pair of brackets.
    pub(super) details: f64,
    /// How many marks part its clauses.
    pub(super) clauses: f64,
    /// It ends as sentences do.
    is_closed: bool,
    /// Most of it is letters: no formula, table row or line of code.
    is_language: bool,
    /// It points to another place: "See also", "Figure 3".
    is_pointer: bool,
    /// It speaks as "I" or to "you".
    pub(super) is_personal: bool,
    /// It speaks of a figure, a listing, an example elsewhere.
    pub(super) refers: bool,
    has_open_bracket: bool,
    /// A quotation that begins or ends in another sentence.
    pub(super) is_torn: bool,
    trails_off: bool,
    /// It points to something said before, though not at its beginning: "in this regard".
    pub(super) leans: bool,
    /// Steps of a path: "Home > Tides > Spring".
    is_path: bool,
}

impl Form {
    pub(super) fn of(text: &str, language: Language) -> Self {
        let bare = text.trim_end_matches(|c: char| is_closer(c) || c.is_whitespace());
        let bare = without_marks(bare);
        let last = bare.chars().next_back().unwrap_or(' ');
        let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
        let lower = start.chars().take(60).collect::<String>().to_lowercase();
        Self {
            words: length(text),
            opening: opening(&lower),
            is_question: matches!(last, '?' | '？'),
            leads_on: matches!(last, ':' | '：'),
            defines: defines(text, language),
            announces: announces(text),
            details: details(bare),
            clauses: count(bare, &[',', ';', ':', '，', '；', '：', '、']),
            is_closed: is_terminator(last),
            is_language: is_language(text),
            is_pointer: begins(&lower, POINTERS),
            is_personal: is_personal(text),
            refers: refers(text),
            has_open_bracket: text.matches(['(', '（']).count()
                != text.matches([')', '）']).count(),
            is_torn: is_torn(text),
            leans: leans(text),
            is_path: text.matches(['>', '›', '»', '|']).count() >= 2 && !text.contains('«'),
            trails_off: bare.ends_with("..") || bare.ends_with('…'),
        }
    }

    /// Whether it is one: no heading, caption, stub of a list or line of code.
    pub(super) fn is_sentence(&self) -> bool {
        let enough = self.words >= 4.0;
        enough
            && self.is_language
            && !self.is_pointer
            && !self.is_path
            && (self.is_closed || self.words >= 15.0)
    }

    /// Whether it can stand alone above everything else.
    pub(super) fn can_be_gist(&self) -> bool {
        self.is_sentence()
            && self.is_closed
            && self.opening == Opening::Plain
            && !self.is_question
            && !self.leads_on
            && !self.is_personal
            && !self.refers
            && !self.has_open_bracket
            && !self.is_torn
            && !self.trails_off
            && (6.0..=60.0).contains(&self.words)
    }
}

/// Whether a sentence is what a site says around its text, or thanks and greetings: a
/// long one that only mentions such words is not.
pub(super) fn is_beside(text: &str) -> bool {
    let words = length(text);
    let lower = text.to_lowercase();
    let has = |phrases: &[&str]| phrases.iter().any(|phrase| lower.contains(phrase));
    words <= 60.0 && has(BOILERPLATE) || words <= 12.0 && has(COURTESIES)
}

fn leans(text: &str) -> bool {
    const LEANING: [&str; 7] = [" this ", " these ", " those ", " such ", "这", "這", "上述"];
    LEANING.iter().any(|word| text.contains(word))
}

/// Whether quotation marks stand without their other half.
fn is_torn(text: &str) -> bool {
    let count = |mark: char| text.matches(mark).count();
    count('“') != count('”') || count('「') != count('」') || count('"') % 2 == 1
}

/// Whether lower-cased `text` begins with one of `phrases` as a whole.
fn begins(text: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| {
        text.strip_prefix(phrase).is_some_and(|rest| {
            let ascii = phrase.ends_with(|c: char| c.is_ascii_alphanumeric());
            !(ascii && rest.starts_with(|c: char| c.is_alphanumeric() || c == '-' || c == '\''))
        })
    })
}

fn opening(lower: &str) -> Opening {
    if begins(lower, SELF_REFERENCES) {
        Opening::Plain
    } else if begins(lower, REFERENCES) {
        Opening::Reference
    } else if begins(lower, CONNECTIVES) {
        Opening::Connective
    } else {
        Opening::Plain
    }
}

fn defines(text: &str, language: Language) -> bool {
    let marks: &[&str] = match language {
        Language::English => &[
            " is a ",
            " is an ",
            " is the ",
            " are a ",
            " are the ",
            " was a ",
            " was an ",
            " was the ",
            " refers to ",
            " means ",
            " describes ",
            " explains ",
            " introduces ",
            " presents ",
            " provides ",
            " covers ",
        ],
        Language::Chinese => &[
            "是一",
            "是指",
            "指的是",
            "是由",
            "是最",
            "介绍",
            "描述",
            "说明",
            "称为",
            "讲述",
        ],
        Language::Other => return false,
    };
    // The mark must come early: what is defined is what the sentence is about.
    let early = text.char_indices().nth(90).map_or(text.len(), |(at, _)| at);
    let head = text.get(..early).unwrap_or(text);
    marks.iter().any(|mark| head.contains(mark))
}

fn announces(text: &str) -> bool {
    let lower = text.to_lowercase().replace(" ,", ",");
    CUES.iter().any(|cue| lower.contains(cue))
}

/// Figures and asides in brackets are what a summary leaves out.
fn details(text: &str) -> f64 {
    let figures = f64::from(u8::from(text.contains(|c: char| c.is_ascii_digit())));
    figures + count(text, &['(', '[', '（']).min(3.0)
}

fn count(text: &str, marks: &[char]) -> f64 {
    text.matches(marks).count() as f64
}

fn is_language(text: &str) -> bool {
    let shown = text.chars().filter(|c| !c.is_whitespace()).count();
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    let code = text
        .chars()
        .filter(|c| "{}<>=$|\\^~;#_/@".contains(*c))
        .count();
    letters * 10 >= shown * 7 && code * 12 <= shown
}

/// "as shown in Listing 4-5", "见图 3".
fn refers(text: &str) -> bool {
    let numbered = [
        "Listing ", "Figure ", "Fig. ", "Table ", "Section ", "Example ",
    ];
    let numbers = |word: &&str| {
        let follows = |(at, _): (usize, &str)| text.get(at + word.len()..);
        let mut after = text.match_indices(*word).filter_map(follows);
        after.any(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let plain = [
        "shown above",
        "shown below",
        "the following",
        "as follows",
        "见图",
        "如图",
        "参见",
        "如下",
        "以下",
        "上面的",
        "下面的",
    ];
    let named = numbered.iter().any(numbers) || plain.iter().any(|phrase| text.contains(phrase));
    named || names_a_section(text)
}

/// "第 10.1.1 节", "第 3 章".
fn names_a_section(text: &str) -> bool {
    let after = text
        .match_indices('第')
        .filter_map(|(at, mark)| text.get(at + mark.len()..));
    let mut ends = after
        .map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' '));
    ends.any(|end| end.starts_with(['节', '章', '節', '图', '表']))
}

fn is_personal(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
    let english = words.take(12).any(|word| {
        matches!(
            word,
            "I" | "I'm"
                | "I'll"
                | "I've"
                | "you"
                | "You"
                | "your"
                | "Your"
                | "let's"
                | "Let's"
                | "Let’s"
                | "us"
                | "we'll"
                | "we’ll"
                | "We'll"
                | "We’ll"
        )
    });
    english || text.contains('我') || text.contains('你') || text.contains('您')
}

/// Without the reference marks of an encyclopedia: "fast.[1][2]".
fn without_marks(mut text: &str) -> &str {
    while let Some((rest, _)) = text.rsplit_once('[').filter(|(_, mark)| mark.len() <= 4) {
        text = rest.trim_end_matches(is_closer);
    }
    text
}
