//! Finds the sentences of a page that answer a question, with a confidence.
//!
//! Driving example: "When was the lamp lit?" is answered by "It was first lit in 1823." after a
//! sentence about the lamp. Each sentence is rated by a weighted sum of a few terms ([`evidence`]).
//! The sum gives a confidence from 0 to 1. The weights were fitted to questions on real pages.
//! If no sentence reaches [`LIKELY_CONFIDENCE`], the page probably has no answer. The meaning of
//! the words is ignored. A sentence that says the opposite in the same words is therefore found
//! too.

mod answer_kind;
mod evidence;
mod question;
mod question_words;
mod words;

use super::Language;
use super::best_first::best_first;
use super::embedding::Embeddings;
use evidence::Evidence;
use question::Question;

/// The confidence below which the page probably has no answer. On the development questions of
/// `evaluation/answers`, both kinds of errors are equally frequent with this value. One in seven
/// questions with an answer on the page has a lower confidence. One in seven questions without an
/// answer on the page has a higher confidence.
pub const LIKELY_CONFIDENCE: f64 = 0.5;

/// An answer up to this confidence is shown as "the closest passage of the page", because such an
/// answer is more often wrong.
pub const SURE_CONFIDENCE: f64 = 0.65;

/// A sentence of a page, with its context.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The sentence's text.
    pub text: &'a str,
    /// The number of the paragraph that contains the sentence. Sentences of different paragraphs
    /// don't count as neighbours.
    pub paragraph: u32,
    /// The headings above the sentence as one text, outermost first.
    pub heading: &'a str,
}

/// A sentence that may answer the question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// The sentence's index among the candidates.
    pub sentence: usize,
    /// The probability that the sentence is an answer, 0 to 1.
    pub confidence: f64,
    /// The terms of the weighted sum, not yet multiplied by their weights.
    pub terms: [f64; 9],
}

/// Returns true if `sentence` begins with a word such as "It", which refers to the sentence before.
pub fn refers_back(sentence: &str) -> bool {
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

/// Returns the `most` likeliest answers among the candidates, best first; ties are in the order of
/// the page. A sentence that has no word in common with the question is left out. If `meaning` is
/// given, words of similar meaning count as common words.
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
