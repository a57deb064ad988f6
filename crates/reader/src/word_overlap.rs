//! Measures the share of a question's words that a text contains.
//!
//! Example: no model is connected, and the results of a web search for "Hilbre tide gauge" must be
//! graded. A result that contains two of the words gets a higher grade than a result that contains
//! one. All words have the same weight, because a few titles and excerpts don't show which words
//! are rare.

use super::Bearing;
use super::condense::language;
use gloss_model::PassageData;
use gloss_text::terms;
use std::collections::BTreeSet;

/// Returns the share of the question's words that each text contains.
pub(super) fn word_overlap(texts: &[PassageData], question: &str) -> Vec<Bearing> {
    let language = language(texts);
    let mut asked: Vec<(String, Vec<String>)> = Vec::new();
    for word in question.split_whitespace() {
        let terms = terms(word, language);
        let known = asked.iter().any(|(_, known)| *known == terms);
        if !terms.is_empty() && !known {
            let word = word.trim_matches(|it: char| !it.is_alphanumeric());
            asked.push((word.to_owned(), terms));
        }
    }
    let all: usize = asked.iter().map(|(_, terms)| terms.len()).sum();
    let of = |text: &PassageData| {
        let has: BTreeSet<String> = terms(&text.text, language).into_iter().collect();
        let mut found = 0;
        let mut words = Vec::new();
        for (word, terms) in &asked {
            let here = terms.iter().filter(|term| has.contains(*term)).count();
            found += here;
            // A word in a script without spaces has several pairs of characters as terms. More than
            // half of the pairs must occur in the text.
            if here * 2 > terms.len() {
                words.push(word.clone());
            }
        }
        let percent = (found * 100).checked_div(all).unwrap_or(0);
        Bearing {
            percent: u8::try_from(percent).unwrap_or(100),
            words,
        }
    };
    texts.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_of_a_questions_words_says_how_far_a_text_bears_on_it() {
        let texts = [
            "The tide gauges of Hilbre Island.",
            "Birds of Hilbre.",
            "Cars.",
        ];
        let texts: Vec<PassageData> = texts
            .iter()
            .map(|text| PassageData {
                id: String::new(),
                text: (*text).to_owned(),
                why: None,
            })
            .collect();
        let found = word_overlap(&texts, "where is the tide gauge of Hilbre? Tide!");
        let percent: Vec<u8> = found.iter().map(|it| it.percent).collect();
        assert_eq!(percent, [100, 33, 0]);
        assert_eq!(found[0].words, ["tide", "gauge", "Hilbre"]);
        assert_eq!(word_overlap(&texts, "the of")[0].percent, 0);
    }

    #[test]
    fn chinese_goes_by_pairs_of_characters() {
        let text = PassageData {
            id: String::new(),
            text: "布雷斯特的潮汐表".to_owned(),
            why: None,
        };
        let found = word_overlap(&[text], "布雷斯特 潮汐");
        assert_eq!(found[0].percent, 100);
    }
}
