//! Search for facts by terms and categories, tolerant of misspellings.
//!
//! Driving example: "boats, saling" finds "Sails a 7-metre sloop" by a similar word and by its
//! keyword "boat". A fact without any matching word is not found by words.

use super::facts::SearchResult;
use super::{Category, Fact, FactId, Facts, Tier};
use gloss_durable::sorted::{SortedSet, sort_by};
use gloss_text::tokens::estimate_item;
use gloss_text::{Language, terms, words_and_characters};

/// The similarity (Jaro-Winkler) from which two words count as the same, misspelt.
const NEARLY: f64 = 0.9;

/// The score of a misspelt word; an exact one scores 1.
const FUZZY: f64 = 0.7;

/// The smallest share of typed words that a fact must contain: of two words both, even if misspelt.
const MOSTLY: f64 = 0.65;

/// The smallest length of a word, in characters, at which misspellings are considered.
const LEAST_LETTERS: usize = 4;

/// Terms of a question that only refer to the user.
const OF_USER: [&str; 4] = ["user", "person", "用户", "本人"];

/// A search for facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The search words; empty for any fact.
    pub terms: Vec<String>,
    /// The categories to search; empty for all.
    pub categories: Vec<Category>,
    /// Facts with a similar meaning, the nearest first; those without a common word are ranked
    /// last.
    pub near: Vec<FactId>,
    /// The maximal number of results.
    pub most: usize,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResults {
    /// The facts that were found, the best first.
    pub facts: Vec<Fact>,
    /// The number of facts that match.
    pub matched: usize,
    /// The number of all facts.
    pub total: usize,
}

impl Facts {
    /// Searches facts and counts their use, once per action; the same action again returns the same
    /// facts.
    ///
    /// Facts that match only by meaning are returned but not counted as used, since they may be all
    /// that is known. If no fact contains the words, the nearest one is counted.
    pub fn retrieve(&mut self, query: &Query, act: &str, now_ms: u64) -> SearchResults {
        self.expire(now_ms);
        let (mut ids, by_words) = self.found(query, now_ms);
        let matched = ids.len();
        ids.truncate(query.most);
        let bearing = by_words.max(1).min(ids.len());
        self.give(ids, bearing, matched, act, now_ms)
    }

    /// Returns these facts, and counts a use for the first `bearing` of them, once per action.
    fn give(
        &mut self,
        ids: Vec<FactId>,
        bearing: usize,
        matched: usize,
        act: &str,
        now_ms: u64,
    ) -> SearchResults {
        let found = SearchResult {
            ids,
            matched,
            total: self.known.len(),
        };
        let used = self.mark_used(found, bearing, act, now_ms);
        let facts = used.ids.iter().filter_map(|id| self.get(id).cloned());
        SearchResults {
            facts: facts.collect(),
            matched: used.matched,
            total: used.total,
        }
    }

    /// Searches facts: the best match first; the more valuable one wins a tie.
    pub fn find(&self, query: &Query, now_ms: u64) -> Vec<FactId> {
        self.found(query, now_ms).0
    }

    /// Searches facts; also returns the number that match by words.
    fn found(&self, query: &Query, now_ms: u64) -> (Vec<FactId>, usize) {
        let wanted = wanted(&query.terms);
        let of_category =
            |fact: &&Fact| query.categories.is_empty() || query.categories.contains(&fact.category);
        let scored = self.known.iter().filter(of_category).map(|fact| {
            let score = if query.terms.is_empty() {
                1.0
            } else {
                score(fact, &wanted)
            };
            (fact, score)
        });
        let mut ids = ranked(scored.collect(), now_ms);
        let by_words = ids.len();
        let of_category = |id: &&FactId| self.get(id).is_some_and(|fact| of_category(&fact));
        let near = query.near.iter().filter(of_category);
        let near: Vec<FactId> = near.filter(|id| !ids.contains(id)).cloned().collect();
        ids.extend(near);
        (ids, by_words)
    }

    /// Returns the facts that contain the typed words, possibly misspelt. Nothing counts as used.
    pub fn with_words(&self, typed: &str) -> Vec<FactId> {
        let wanted = wanted(&[typed.to_owned()]);
        let found = self
            .known
            .iter()
            .filter(|fact| score(fact, &wanted) >= MOSTLY);
        found.map(|fact| fact.id.clone()).collect()
    }

    /// Returns the facts with which a run begins, as sentences, within `room`: those that always
    /// apply, and those that relate to the question. Only the latter count as used, once per
    /// action, since a fact that is always included proves nothing.
    pub(super) fn facts_for_question(
        &mut self,
        question: &str,
        room: RecallLimits,
        act: &str,
        now_ms: u64,
    ) -> Vec<String> {
        self.expire(now_ms);
        let mut wanted = words_of(&[question.to_owned()]);
        wanted.retain(|term| !OF_USER.contains(&term.as_str()));
        let bears = |fact: &Fact| score(fact, &wanted);
        let scored = self.known.iter().map(|fact| {
            let is_lasting = matches!(fact.category, Category::Profile | Category::Preference);
            let always = fact.tier == Tier::Core || fact.pinned || is_lasting;
            let standing = if always { 0.1 } else { 0.0 };
            (fact, bears(fact) + standing)
        });
        let found = ranked(scored.collect(), now_ms);
        let matched = found.len();
        let mut left = room.tokens;
        let fits = |id: &FactId| {
            let tokens = estimate_item(&self.get(id)?.recalled());
            left = left.checked_sub(tokens)?;
            Some(id.clone())
        };
        let shown: Vec<FactId> = found.iter().take(room.most).filter_map(fits).collect();
        let is_used = |id: &FactId| self.get(id).is_some_and(|fact| bears(fact) > 0.0);
        // Facts that relate to the question come first.
        let (used, rest): (Vec<FactId>, Vec<FactId>) = shown.into_iter().partition(is_used);
        let bearing = used.len();
        let ids = used.into_iter().chain(rest).collect();
        let given = self.give(ids, bearing, matched, act, now_ms).facts;
        given.iter().map(Fact::recalled).collect()
    }
}

/// The limits on the facts with which a run begins.
#[derive(Debug, Clone, Copy)]
pub struct RecallLimits {
    /// The maximal number of facts.
    pub most: usize,
    /// The maximal number of tokens, counting each fact as an item of a list ([`estimate_item`]).
    pub tokens: u32,
}

fn ranked(mut scored: Vec<(&Fact, f64)>, now_ms: u64) -> Vec<FactId> {
    scored.retain(|(_, score)| *score > 0.0);
    sort_by(&mut scored, |(one, first), (other, second)| {
        let scores = second.total_cmp(first);
        let values = other.value(now_ms).total_cmp(&one.value(now_ms));
        scores.then(values)
    });
    scored.iter().map(|(fact, _)| fact.id.clone()).collect()
}

impl Fact {
    /// Returns the fact's text and id for a run; `memory_save` uses the id to replace it.
    fn recalled(&self) -> String {
        format!("{} [id {}]", self.content, self.id.0)
    }
}

/// The terms of texts, each once. Chinese text becomes pairs of characters, since a single one
/// occurs too often.
pub(super) fn words_of(texts: &[String]) -> SortedSet<String> {
    let all = texts.iter().flat_map(|text| terms(text, language(text)));
    let says = |term: &String| term.is_ascii() || term.chars().count() > 1;
    all.filter(says).collect()
}

/// The terms of a search. A Chinese word of one character makes no pair (茶) and is searched as it
/// is.
fn wanted(terms: &[String]) -> SortedSet<String> {
    let short = terms.iter().map(|term| term.trim());
    let short = short.filter(|term| is_one_character(term));
    let mut wanted = words_of(terms);
    wanted.extend(short.map(str::to_owned));
    wanted
}

fn language(text: &str) -> Language {
    let (words, characters) = words_and_characters(text);
    if characters > words {
        Language::Chinese
    } else {
        Language::English
    }
}

fn is_one_character(term: &str) -> bool {
    !term.is_ascii() && term.chars().nth(1).is_none()
}

/// The share of the wanted terms that a fact contains, from 0 to 1.
fn score(fact: &Fact, wanted: &SortedSet<String>) -> f64 {
    let mut own = words_of(std::slice::from_ref(&fact.content));
    own.extend(words_of(&fact.keywords));
    let texts = || [&fact.content].into_iter().chain(&fact.keywords);
    let best = |term: &String| {
        let is_within = || is_one_character(term) && texts().any(|text| text.contains(term));
        if own.contains(term) || is_within() {
            return 1.0;
        }
        let long = term.chars().count() >= LEAST_LETTERS;
        let nearly = |word: &&String| {
            word.chars().count() >= LEAST_LETTERS && strsim::jaro_winkler(term, word) >= NEARLY
        };
        if long && own.iter().any(|word| nearly(&word)) {
            FUZZY
        } else {
            0.0
        }
    };
    let found: f64 = wanted.iter().map(best).sum();
    found / wanted.len().max(1) as f64
}
