//! Searches facts by words and categories. Misspelt words are found too.
//!
//! Example: the search "boats, saling" finds the fact "Sails a 7-metre sloop". The word
//! "saling" is similar to "sails", and "boat" is a keyword of the fact. A fact without a matching
//! word can be found only by its meaning.

use super::facts::SearchResult;
use super::{Category, Fact, FactId, Facts, RecalledFacts, Tier};
use gloss_durable::sorted::{SortedSet, sort_by};
use gloss_model::provenance::Origin;
use gloss_text::tokens::estimate_item;
use gloss_text::{Language, terms, words_and_characters};

/// The minimum similarity (Jaro-Winkler, 0 to 1) at which a word counts as a misspelling of
/// another.
const NEARLY: f64 = 0.9;

/// The score of a misspelt word. A correctly spelt word has the score 1.
const FUZZY: f64 = 0.7;

/// The minimum score of a fact for a text that the user typed. If the user typed two words, both
/// must match, but both may be misspelt: (0.7 + 0.7) / 2 is enough, (1 + 0) / 2 isn't.
const MOSTLY: f64 = 0.65;

/// The minimum length in characters at which a misspelt word is recognised.
const LEAST_LETTERS: usize = 4;

/// Words that mean the user. A search ignores them, because every fact is about the user.
const OF_USER: [&str; 4] = ["user", "person", "用户", "本人"];

/// A search for facts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// The search words. If there are none, every fact matches.
    pub terms: Vec<String>,
    /// The categories to search. If there are none, all are searched.
    pub categories: Vec<Category>,
    /// The facts whose meaning is nearest to the search, the nearest first. Facts that are only
    /// near in meaning are ranked after facts with a matching word.
    pub near: Vec<FactId>,
    /// The maximum number of facts to return.
    pub most: usize,
}

/// The result of a search.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SearchResults {
    /// The facts that were found, the best match first.
    pub facts: Vec<Fact>,
    /// The number of facts that match, including those that exceed `most`.
    pub matched: usize,
    /// The number of all facts.
    pub total: usize,
}

impl Facts {
    /// Searches facts and counts their use. If the action `act` is repeated, it gets the same
    /// facts, and no use is counted.
    ///
    /// Facts that match only by their meaning are also returned, but don't count as used. If no
    /// fact contains a search word, the fact with the nearest meaning counts as used.
    pub fn retrieve(&mut self, query: &Query, act: &str, now_ms: u64) -> SearchResults {
        self.expire(now_ms);
        let (mut ids, by_words) = self.found(query, now_ms);
        let matched = ids.len();
        ids.truncate(query.most);
        let bearing = by_words.max(1).min(ids.len());
        self.give(ids, bearing, matched, act, now_ms)
    }

    /// Returns the facts with these ids, and counts a use of the first `bearing` of them. If the
    /// action was counted before, no use is counted.
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

    /// Returns the ids of the matching facts, the best match first. If two facts match equally
    /// well, the one with the higher value is first.
    pub fn find(&self, query: &Query, now_ms: u64) -> Vec<FactId> {
        self.found(query, now_ms).0
    }

    /// Searches facts. Returns the ids, and the number of facts that match by words.
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

    /// Returns the ids of the facts that contain the typed words. The words may be misspelt. No use
    /// is counted.
    pub fn with_words(&self, typed: &str) -> Vec<FactId> {
        let wanted = wanted(&[typed.to_owned()]);
        let found = self
            .known
            .iter()
            .filter(|fact| score(fact, &wanted) >= MOSTLY);
        found.map(|fact| fact.id.clone()).collect()
    }

    /// Returns the facts that a run gets before its first step, as sentences within the limits
    /// `room`. They are the facts that every run gets, and facts that relate to the question. Only
    /// related facts count as used, once per action. A fact that every run gets counts only if it
    /// also relates to the question.
    pub(super) fn facts_for_question(
        &mut self,
        question: &str,
        room: RecallLimits,
        act: &str,
        now_ms: u64,
    ) -> RecalledFacts {
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
        // The facts that relate to the question come first.
        let (used, rest): (Vec<FactId>, Vec<FactId>) = shown.into_iter().partition(is_used);
        let bearing = used.len();
        let ids = used.into_iter().chain(rest).collect();
        let given = self.give(ids, bearing, matched, act, now_ms).facts;
        let mut recalled = RecalledFacts::default();
        for fact in &given {
            recalled.facts.push(fact.recalled());
            recalled.provenance.add(&fact.provenance());
        }
        if !given.is_empty() {
            recalled.provenance = recalled.provenance.and(Origin::Memory);
        }
        recalled
    }
}

/// The limits on the facts that a run gets before its first step.
#[derive(Debug, Clone, Copy)]
pub struct RecallLimits {
    /// The maximum number of facts.
    pub most: usize,
    /// The maximum number of tokens. Each fact is counted as an item of a list ([`estimate_item`]).
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
    /// Returns the fact's text and id for a run. The tool `memory_save` needs the id to replace the
    /// fact.
    fn recalled(&self) -> String {
        format!("{} [id {}]", self.content, self.id.0)
    }
}

/// Returns the words of texts, without duplicates. Chinese text is divided into pairs of
/// characters, because a single character occurs in too many texts.
pub(super) fn words_of(texts: &[String]) -> SortedSet<String> {
    let all = texts.iter().flat_map(|text| terms(text, language(text)));
    let says = |term: &String| term.is_ascii() || term.chars().count() > 1;
    all.filter(says).collect()
}

/// Returns the words of a search. A Chinese search word of one character, such as 茶, can't form a
/// pair and is searched as it is.
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

/// Returns the share of the search words that a fact contains, from 0 to 1. A misspelt word counts
/// as [`FUZZY`].
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
