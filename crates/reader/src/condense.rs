//! Selects the most important sentences of many texts. The sentences are verbatim.
//!
//! Example: a search found 40 passages, which are too long for the model. Sentences about
//! the question are chosen first, then the most informative ones, until the token budget is used.
//! Sentences are never rewritten, so that a cited sentence can be found in its source.

use super::Filling;
use crate::retrieval::rank_relevant;
use gloss_model::{PassageData, PassagesData};
use gloss_text::embedding::Embeddings;
use gloss_text::index::{Entry, Index};
use gloss_text::summary::{Role, SummaryCandidate, choose};
use gloss_text::tokens::{AROUND_TOKENS, estimate};
use gloss_text::{Language, sentences};
use std::collections::BTreeSet;

/// The minimum number of tokens of a sentence. The budget divided by it limits the number of
/// sentences.
const LEAST_TOKENS: u32 = 10;

/// The search stops after this many sentences that are too long for the rest of the budget.
const MAX_MISSES: usize = 32;

/// The number of bytes from which the language is detected.
const SAMPLE_BYTES: usize = 8_000;

/// Returns the most important sentences of `texts` within a token budget, in their original order.
/// Each has the id of its text. Sentences about `focus` are chosen before all others.
pub(super) fn condense(
    texts: &[PassageData],
    focus: &str,
    then: Filling,
    budget_tokens: u32,
    meaning: Option<&Embeddings>,
) -> PassagesData {
    let language = language(texts);
    let found: Vec<(&PassageData, &str)> = texts
        .iter()
        .flat_map(|text| {
            let sentences = sentences(&text.text, language).into_iter();
            sentences.map(move |sentence| (text, sentence))
        })
        .collect();
    let mut left = budget_tokens;
    let mut misses = 0;
    let mut chosen = Vec::new();
    let mut said = BTreeSet::new();
    let most = usize::try_from(budget_tokens / LEAST_TOKENS).unwrap_or(usize::MAX);
    let entries = found.iter().map(|(_, text)| Entry { heading: "", text });
    let places = match then {
        Filling::Nothing => {
            let entries: Vec<Entry<'_>> = entries.collect();
            let mut on_focus = rank_relevant(&entries, focus, language, meaning);
            on_focus.truncate(most);
            on_focus
        }
        Filling::TheRest => {
            let hits = Index::new(language, entries).search(focus, most);
            informative_order(&found, hits.into_iter().map(|hit| hit.item), language, most)
        }
    };
    for place in places {
        let Some((text, sentence)) = found.get(place) else {
            continue;
        };
        // A sentence that occurs in several texts is chosen once.
        if said.contains(sentence) {
            continue;
        }
        let cost = estimate(sentence) + estimate(&text.id) + AROUND_TOKENS;
        if cost <= left {
            left -= cost;
            said.insert(sentence);
            chosen.push(place);
        } else {
            misses += 1;
            if misses == MAX_MISSES {
                break;
            }
        }
    }
    chosen.sort_unstable();
    let passages = chosen.into_iter().filter_map(|place| found.get(place));
    PassagesData {
        passages: passages
            .map(|(text, sentence)| PassageData {
                id: text.id.clone(),
                text: (*sentence).to_owned(),
                why: None,
            })
            .collect(),
        share_percent: None,
    }
}

/// Returns the indices of all sentences: first those about the focus, then the most informative
/// ones, then all others.
fn informative_order(
    found: &[(&PassageData, &str)],
    hits: impl Iterator<Item = usize>,
    language: Language,
    most: usize,
) -> Vec<usize> {
    let candidates: Vec<SummaryCandidate<'_>> = found
        .iter()
        .enumerate()
        .map(|(place, (_, text))| SummaryCandidate {
            text,
            paragraph: place as u32,
            role: Role::Prose,
        })
        .collect();
    let best = choose(&candidates, language, found.len().min(most));
    let mut seen = BTreeSet::new();
    // All other sentences follow. In a text such as a list of numbers, no sentence is informative.
    hits.chain(best)
        .chain(0..found.len())
        .filter(|place| seen.insert(*place))
        .collect()
}

pub(super) fn language(texts: &[PassageData]) -> Language {
    let mut sample = String::new();
    for text in texts {
        if sample.len() > SAMPLE_BYTES {
            break;
        }
        sample.push_str(&text.text);
        sample.push('\n');
    }
    Language::of("", &sample)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(id: &str, text: &str) -> PassageData {
        PassageData {
            id: id.to_owned(),
            text: text.to_owned(),
            why: None,
        }
    }

    #[test]
    fn what_bears_on_the_focus_comes_first_and_all_of_it_is_verbatim() {
        let filler = "The harbour was rebuilt after the war by engineers from Nantes. \
                      Its quays are of granite. Fishing boats land there every morning. "
            .repeat(30);
        let texts = [
            text("p1", &filler),
            text(
                "p2",
                "The spring tide at Brest reaches 7.3 m. It is measured daily.",
            ),
            text("p3", &filler),
        ];
        let found = condense(
            &texts,
            "How high is the spring tide at Brest?",
            Filling::TheRest,
            100,
            None,
        );
        let tide = &found.passages.iter().find(|it| it.id == "p2");
        assert_eq!(
            tide.map(|it| it.text.as_str()),
            Some("The spring tide at Brest reaches 7.3 m.")
        );
        let cost: u32 = found.passages.iter().map(|it| estimate(&it.text)).sum();
        assert!(cost <= 100, "{cost}");
        for passage in &found.passages {
            let source = texts.iter().find(|text| text.id == passage.id);
            assert!(source.is_some_and(|source| source.text.contains(&passage.text)));
        }
    }

    #[test]
    fn nothing_gives_nothing_and_chinese_is_cut_at_its_own_stops() {
        assert!(
            condense(&[], "tide", Filling::TheRest, 400, None)
                .passages
                .is_empty()
        );
        let texts = [text(
            "p1",
            &"潮汐每天涨落两次。布列斯特的大潮高达七米。".repeat(40),
        )];
        let found = condense(&texts, "大潮有多高？", Filling::TheRest, 20, None);
        assert_eq!(found.passages[0].text, "布列斯特的大潮高达七米。");
    }

    #[test]
    fn on_a_focus_alone_nothing_else_fills_the_room_and_nothing_is_said_twice() {
        let filler = "The harbour was rebuilt after the war by engineers from Nantes. ".repeat(30);
        let tide = "The spring tide at Brest reaches 7.3 m. It is measured daily.";
        let texts = [text("p1", &filler), text("p2", tide), text("p3", tide)];
        let focus = "How high is the spring tide at Brest?";
        let found = condense(&texts, focus, Filling::Nothing, 2_000, None).passages;
        let said: Vec<&str> = found.iter().map(|it| it.text.as_str()).collect();
        assert_eq!(said, ["The spring tide at Brest reaches 7.3 m."]);
        let found = condense(&texts, "quasar", Filling::Nothing, 2_000, None).passages;
        assert!(found.is_empty(), "{found:?}");
        let found = condense(&texts, focus, Filling::TheRest, 2_000, None).passages;
        assert_eq!(found.len(), 3, "{found:?}");
    }

    #[test]
    fn a_text_that_never_breaks_is_told_in_pieces() {
        let endless = format!("{}needle{}", "x7Gq".repeat(50_000), "Zk9".repeat(50_000));
        let texts = [text("p1", &endless)];
        let found = condense(&texts, "x", Filling::TheRest, 340, None).passages;
        assert!(!found.is_empty());
        assert!(found.iter().all(|it| endless.contains(&it.text)));
    }
}
