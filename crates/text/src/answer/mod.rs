//! The sentences of a page that answer a question, and how sure that is.
//!
//! Driving example: "When was the lamp lit?" is answered by "It was first lit in 1823."
//! after a sentence on the lamp. Each sentence is judged by a sum of few terms, whose
//! weights were fitted to questions on real pages ([`evidence`]); the sum gives a
//! confidence from 0 to 1, and below [`SAYS`] the page does not seem to say. Deliberately no
//! understanding: a page that says the contrary in the same words is quoted too.

mod asked;
mod evidence;
mod expected;
mod question;
mod words;

use super::Language;
use super::best_first::best_first;
use super::embedding::Embeddings;
use evidence::Evidence;
use question::Question;

/// The confidence below which the page doesn't seem to say. It stands where the two errors
/// meet on the development questions of `evaluation/answers`: of those that their page
/// answers about one in seven is below it, of the others about one in seven above.
pub const SAYS: f64 = 0.5;

/// Up to this an answer is called the closest that the page has: it is more often wrong
/// than the others.
pub const SURE: f64 = 0.65;

/// A sentence of a page, with what it is read in the light of.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// Its words.
    pub text: &'a str,
    /// The number of its paragraph: sentences of one stand together.
    pub paragraph: u32,
    /// The headings above it, outermost first, in one text.
    pub heading: &'a str,
}

/// A sentence that may answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// Its position among the candidates.
    pub sentence: usize,
    /// How likely it answers, 0 to 1.
    pub confidence: f64,
    /// The terms of the sum that says so, each before its weight.
    pub terms: [f64; 9],
}

/// Whether a sentence opens with a word that leans on the one before it.
pub fn leans(sentence: &str) -> bool {
    #[rustfmt::skip]
    const ENGLISH: [&str; 18] = [
        "he", "she", "it", "they", "this", "that", "these", "those", "his", "her", "its", "their",
        "he's", "she's", "it's", "such", "both", "there",
    ];
    const CHINESE: [&str; 13] = [
        "他", "她", "它", "这", "该", "其", "此", "那", "两者", "前者", "后者", "上述", "以上",
    ];
    let word = sentence.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')));
    let word = word
        .into_iter()
        .find(|word| !word.is_empty())
        .unwrap_or_default();
    let lower = word.to_lowercase().replace('’', "'");
    ENGLISH.contains(&lower.as_str()) || CHINESE.iter().any(|start| sentence.starts_with(start))
}

/// The `most` sentences that most likely answer a question, best first, ties in the
/// order of the page. One that shares nothing with the question is none. `meaning` finds
/// words that mean the same as the question's.
pub fn answers(
    question: &str,
    title: &str,
    candidates: &[Candidate<'_>],
    language: Language,
    meaning: Option<&Embeddings>,
    most: usize,
) -> Vec<Answer> {
    let question = Question::of(question, language, meaning);
    let evidence = Evidence::gather(&question, title, candidates, language);
    let judged = (0..candidates.len())
        .filter_map(|at| Some((at, evidence.of(at)?.confidence())))
        .collect();
    let best = best_first(judged, most).into_iter();
    best.filter_map(|(sentence, confidence)| {
        Some(Answer {
            sentence,
            confidence,
            terms: evidence.of(sentence)?.each(),
        })
    })
    .collect()
}
