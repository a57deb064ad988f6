//! Finds the passages of a page that are nearest to a question.
//!
//! Example: "When was the lamp lit?" finds "It was first lit in 1823." under the heading
//! "The lamp", together with the sentence before. The sentences are ranked by the words that they,
//! their headings and their sections share with the question (BM25), and by the score of a model,
//! if there is one.
//! Each of the best sentences is extended to a passage within its paragraph. This module does not
//! decide if a passage answers the question, because none of these scores can tell.

mod absent;
mod marks;

pub use absent::absent_words;
pub use marks::shared_words;

use super::index::{Entry, Index};
use super::{Language, words_and_characters};
use std::ops::Range;

/// The number of sentences that a model rates, those with the best words first. The model needs
/// about 0.6 s for them.
pub const RATED: usize = 150;

/// A sentence whose cosine with the question is higher is related to it, even if the two share no
/// word.
pub const NEAR: f64 = 0.4;

/// The weight of the model's score; the weight of the words' score is 1 minus this. All constants
/// of this module were tuned on the first half of the questions in `evaluation/answers`.
const MODEL: f64 = 0.8;

/// The weight of the words of a sentence's section; the sentence's own words have weight 1.
const SECTION: f64 = 0.5;

/// A passage has at most three sentences, or more if they have at most 60 words or 120 Chinese,
/// Japanese or Korean characters.
const SENTENCES: usize = 3;
const WORDS: usize = 60;
const CHARACTERS: usize = 120;

/// A sentence of a page.
#[derive(Clone, Copy, Debug)]
pub struct PageSentence<'a> {
    /// The sentence with the headings above it.
    pub entry: Entry<'a>,
    /// The number of the paragraph that contains the sentence. A passage is within one paragraph.
    pub paragraph: u32,
    /// The number of the section that contains the sentence: all sentences below one heading.
    pub section: usize,
}

/// A sentence that may be near the question.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The sentence's index on the page.
    pub sentence: usize,
    /// True if the sentence, or a heading above it, shares a word with the question.
    pub is_related: bool,
    /// The BM25 score of the words that the sentence and its section share with the question.
    pub words: f64,
}

/// Returns the sentences that a model should rate, best first. Sentences whose sections share no
/// word with the question come last, evenly taken from the page, in its order.
pub fn candidates(
    question: &str,
    sentences: &[PageSentence<'_>],
    language: Language,
) -> Vec<Candidate> {
    let index = Index::new(language, sentences.iter().map(|sentence| sentence.entry));
    let sections = sections(question, sentences, language);
    let mut found: Vec<Candidate> = (0..)
        .zip(index.scores(question))
        .zip(sections)
        .map(|((sentence, own), section)| Candidate {
            sentence,
            is_related: own > 0.0,
            words: own + SECTION * section,
        })
        .collect();
    found.sort_by(|one, other| other.words.total_cmp(&one.words));
    let with_words = found.partition_point(|candidate| candidate.words > 0.0);
    let rest = found.split_off(with_words.min(RATED));
    let most = RATED - found.len();
    // If the question's words don't say where to look, the model looks at the whole page.
    let step = rest.len().div_ceil(most.max(1)).max(1);
    found.extend(rest.into_iter().step_by(step).take(most));
    found
}

/// Returns the BM25 score of each sentence's section.
fn sections(question: &str, sentences: &[PageSentence<'_>], language: Language) -> Vec<f64> {
    let sections = || sentences.chunk_by(|one, other| one.section == other.section);
    let texts = sections().map(|section| {
        let texts: Vec<&str> = section.iter().map(|it| it.entry.text).collect();
        texts.join(" ")
    });
    let texts: Vec<String> = texts.collect();
    let entries = sections().zip(&texts).filter_map(|(section, text)| {
        let heading = section.first()?.entry.heading;
        Some(Entry { heading, text })
    });
    let scores = Index::new(language, entries).scores(question);
    let each = sections().zip(scores);
    each.flat_map(|(section, score)| std::iter::repeat_n(score, section.len()))
        .collect()
}

/// Returns the `most` passages that are nearest to the question, best first, as ranges of
/// sentences. They don't overlap. `model` contains a model's scores of the first candidates.
pub fn passages(
    sentences: &[PageSentence<'_>],
    candidates: &[Candidate],
    model: Option<&[f64]>,
    most: usize,
) -> Vec<Range<usize>> {
    let mut nearness = vec![f64::MIN; sentences.len()];
    let mut order = Vec::new();
    let words: Vec<f64> = candidates.iter().map(|candidate| candidate.words).collect();
    for (candidate, score) in candidates.iter().zip(combined(&words, model)) {
        order.push((candidate.sentence, score));
        if let Some(nearness) = nearness.get_mut(candidate.sentence) {
            *nearness = score;
        }
    }
    order.sort_by(|one, other| other.1.total_cmp(&one.1));
    let mut found: Vec<Range<usize>> = Vec::new();
    for (best, _) in order {
        if found.len() == most {
            break;
        }
        if !found.iter().any(|passage| passage.contains(&best)) {
            found.push(grown(best, sentences, &nearness, &found));
        }
    }
    found
}

/// Combines the scores of words and model. Both are scaled to z-scores, because their ranges differ.
/// Candidates that the model did not rate come after the others.
pub fn combined(words: &[f64], model: Option<&[f64]>) -> Vec<f64> {
    let Some(model) = model else {
        return words.to_vec();
    };
    let (rated, rest) = words.split_at(model.len().min(words.len()));
    let both = z_scores(rated).into_iter().zip(z_scores(model));
    let mut scores: Vec<f64> = both
        .map(|(words, model)| (1.0 - MODEL) * words + MODEL * model)
        .collect();
    let least = scores.iter().copied().fold(0.0, f64::min);
    scores.extend(rest.iter().map(|_| least - 1.0));
    scores
}

fn z_scores(scores: &[f64]) -> Vec<f64> {
    let count = scores.len().max(1) as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let variance = scores.iter().map(|score| (score - mean) * (score - mean));
    let deviation = libm::sqrt(variance.sum::<f64>() / count).max(f64::MIN_POSITIVE);
    scores
        .iter()
        .map(|score| (score - mean) / deviation)
        .collect()
}

/// Returns the passage around the sentence `best`. It grows by the neighbour that is nearer to the
/// question, as long as it stays short and within its paragraph, and overlaps no earlier passage.
fn grown(
    best: usize,
    sentences: &[PageSentence<'_>],
    nearness: &[f64],
    taken: &[Range<usize>],
) -> Range<usize> {
    let paragraph = |at: usize| sentences.get(at).map(|sentence| sentence.paragraph);
    let score = |at: usize| nearness.get(at).copied().unwrap_or(f64::MIN);
    let is_free = |at: usize| {
        paragraph(at) == paragraph(best) && !taken.iter().any(|passage| passage.contains(&at))
    };
    let mut passage = best..best + 1;
    loop {
        let before = passage.start.checked_sub(1).filter(|at| is_free(*at));
        let after = Some(passage.end).filter(|at| is_free(*at));
        let mut beside: Vec<usize> = after.into_iter().chain(before).collect();
        beside.sort_by(|one, other| score(*other).total_cmp(&score(*one)));
        let longer = beside.into_iter().map(|at| {
            let (start, end) = (passage.start.min(at), passage.end.max(at + 1));
            start..end
        });
        let Some(longer) = longer.into_iter().find(|it| is_short(it, sentences)) else {
            return passage;
        };
        passage = longer;
    }
}

fn is_short(passage: &Range<usize>, sentences: &[PageSentence<'_>]) -> bool {
    let (mut words, mut characters) = (0, 0);
    for sentence in sentences.get(passage.clone()).unwrap_or_default() {
        let (more_words, more_characters) = words_and_characters(sentence.entry.text);
        words += more_words;
        characters += more_characters;
    }
    passage.len() <= SENTENCES || words * CHARACTERS + characters * WORDS <= WORDS * CHARACTERS
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    const PAGE: [(u32, &str, &str); 7] = [
        (1, "The lamp", "The lamp burned oil."),
        (1, "The lamp", "It was first lit in 1823."),
        (1, "The lamp", "Boats saw it from afar."),
        (1, "The lamp", "Nobody slept that night."),
        (2, "The keepers", "Three keepers lived in the tower."),
        (3, "The keepers", "Bread came by boat."),
        (4, "", "The end."),
    ];

    fn page<'a>(of: &'a [(u32, &'a str, &'a str)]) -> Vec<PageSentence<'a>> {
        let sentence = |(paragraph, heading, text): &(u32, &'a str, &'a str)| PageSentence {
            entry: Entry { heading, text },
            paragraph: *paragraph,
            section: heading.bytes().map(usize::from).sum(),
        };
        of.iter().map(sentence).collect()
    }

    fn found(question: &str, model: Option<&[f64]>, most: usize) -> Vec<Range<usize>> {
        let sentences = page(&PAGE);
        let candidates = candidates(question, &sentences, Language::English);
        passages(&sentences, &candidates, model, most)
    }

    #[test]
    fn a_passage_grows_around_the_best_sentence_within_its_paragraph() {
        assert_eq!(found("When was the lamp lit?", None, 2)[0], 0..4);
        assert_eq!(found("How many keepers?", None, 2), [4..5, 5..6]);
    }

    #[test]
    fn passages_are_shown_even_if_no_word_is_shared() {
        assert_eq!(found("Zebra quotas?", None, 3), [0..4, 4..5, 5..6]);
        assert_eq!(passages(&[], &[], None, 3), []);
    }

    #[test]
    fn a_model_outweighs_words_and_what_it_did_not_rate_comes_last() {
        let by_words = candidates("keepers", &page(&PAGE), Language::English);
        assert_eq!(by_words[0].sentence, 4);
        assert_eq!(found("keepers", Some(&[0.1, 0.9]), 2), [5..6, 4..5]);
    }

    #[test]
    fn of_equal_sentences_the_one_in_the_section_about_the_question_comes_first() {
        let sentences = [
            (1, "B", "They came to Boston."),
            (2, "A", "The whales swam."),
            (3, "A", "They came to Boston."),
        ];
        let found = candidates("Whales of Boston?", &page(&sentences), Language::English);
        let place = |sentence| found.iter().position(|it| it.sentence == sentence);
        assert!(place(2) < place(0), "{found:?}");
        assert!(found.iter().all(|it| it.is_related));
    }

    #[test]
    fn a_passage_has_three_sentences_or_sixty_words() {
        let (long, wide) = ("word ".repeat(30), "潮".repeat(60));
        for (text, count) in [("Two words.", 5), (&*long, 3), (&*wide, 3)] {
            let sentences = [(1, "", text); 5];
            let sentences = page(&sentences);
            let candidates = candidates("word 潮", &sentences, Language::English);
            let found = passages(&sentences, &candidates, None, 1);
            assert_eq!(found[0].len(), count, "{text}");
        }
    }

    quickcheck! {
        fn passages_are_disjoint_and_short(seeds: Vec<(u8, u8)>, scores: Vec<f64>, most: u8) -> bool {
            const TEXTS: [&str; 4] = ["The lamp.", "Lit at night, by two keepers.", "", "潮汐每天涨落两次。"];
            let mut paragraph = 0;
            let sentences: Vec<_> = seeds.iter().map(|(new, text)| {
                paragraph += u32::from(new % 4 == 0);
                (paragraph, "Night", TEXTS[usize::from(*text) % 4])
            }).collect();
            let sentences = page(&sentences);
            let candidates = candidates("lamp at night", &sentences, Language::English);
            let most = usize::from(most);
            let found = passages(&sentences, &candidates, Some(&scores), most);
            let mut all: Vec<usize> = found.iter().cloned().flatten().collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            found.len() <= most && all.len() == count
                && found.iter().all(|passage| !passage.is_empty() && is_short(passage, &sentences))
        }
    }
}
