//! Looking facts up: by terms and categories, however a word was spelt.
//!
//! Driving example: "boats, saling" finds "Sails a 7-metre sloop" by a word that is nearly
//! its own, and by its keyword "boat". What nothing speaks for is no match.

use super::facts::Used;
use super::{Category, Fact, FactId, Facts, Tier};
use gloss_durable::sorted::{SortedSet, sort_by};
use gloss_text::tokens::estimate_item;
use gloss_text::{Language, terms, words_and_characters};

/// From this likeness on two words are one, misspelt (Jaro and Winkler's measure).
const NEARLY: f64 = 0.9;

/// What a word counts that is nearly another.
const FUZZY: f64 = 0.7;

/// How much of what a person types a fact has at least: of two words both, however spelt.
const MOSTLY: f64 = 0.65;

/// Shorter words are not misspelt but others.
const LEAST_LETTERS: usize = 4;

/// Terms of a question that only name the user.
const OF_USER: [&str; 4] = ["user", "person", "用户", "本人"];

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    /// Words; none: whatever there is.
    pub terms: Vec<String>,
    /// Of these categories alone; none: of any.
    pub categories: Vec<Category>,
    /// Facts that mean the like, the nearest first: those that share no word come behind.
    pub near: Vec<FactId>,
    /// At most so many.
    pub most: usize,
}

/// What was found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Retrieved {
    /// What fits best first.
    pub facts: Vec<Fact>,
    /// How many fit.
    pub matched: usize,
    /// How many there are.
    pub total: usize,
}

impl Facts {
    /// What fits a query, and marks it as used, once for each act. Done again under the same
    /// act it gives the same facts. What only means the like is shown and not marked, as that
    /// may be all that is known; the nearest is where nothing has the words.
    pub fn retrieve(&mut self, query: &Query, act: &str, now_ms: u64) -> Retrieved {
        self.expire(now_ms);
        let (mut ids, by_words) = self.found(query, now_ms);
        let matched = ids.len();
        ids.truncate(query.most);
        let bearing = by_words.max(1).min(ids.len());
        self.give(ids, bearing, matched, act, now_ms)
    }

    /// Gives these, and marks the first `bearing` of them as used, once for each act.
    fn give(
        &mut self,
        ids: Vec<FactId>,
        bearing: usize,
        matched: usize,
        act: &str,
        now_ms: u64,
    ) -> Retrieved {
        let found = Used {
            ids,
            matched,
            total: self.known.len(),
        };
        let used = self.mark_used(found, bearing, act, now_ms);
        let facts = used.ids.iter().filter_map(|id| self.get(id).cloned());
        Retrieved {
            facts: facts.collect(),
            matched: used.matched,
            total: used.total,
        }
    }

    /// What fits a query: what fits best first, of two alike what is worth more.
    pub fn find(&self, query: &Query, now_ms: u64) -> Vec<FactId> {
        self.found(query, now_ms).0
    }

    /// The same, and how many of them have the words.
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

    /// What has the words that a person looks for, or words that are nearly theirs; nothing of
    /// it counts as used.
    pub fn with_words(&self, typed: &str) -> Vec<FactId> {
        let wanted = wanted(&[typed.to_owned()]);
        let found = self
            .known
            .iter()
            .filter(|fact| score(fact, &wanted) >= MOSTLY);
        found.map(|fact| fact.id.clone()).collect()
    }

    /// What a run is begun with, in sentences: what holds always, and what bears on what is
    /// asked, as much as there is room for. Of what is given that which bears on it counts as
    /// used, once for each act: what stands there always proves nothing by that.
    pub(super) fn bearing_on(
        &mut self,
        question: &str,
        room: Room,
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
        // What bears on it stands before what does not.
        let (used, rest): (Vec<FactId>, Vec<FactId>) = shown.into_iter().partition(is_used);
        let bearing = used.len();
        let ids = used.into_iter().chain(rest).collect();
        let given = self.give(ids, bearing, matched, act, now_ms).facts;
        given.iter().map(Fact::recalled).collect()
    }
}

/// What a run is begun with at most.
#[derive(Debug, Clone, Copy)]
pub struct Room {
    /// So many facts.
    pub most: usize,
    /// So many tokens of them, each as an item of a list ([`estimate_item`]).
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
    /// The fact as a run begins with it: `memory_save` replaces it by this id.
    fn recalled(&self) -> String {
        format!("{} [id {}]", self.content, self.id.0)
    }
}

/// The terms of some texts, each once. Of Chinese, pairs: a character alone is in too much.
pub(super) fn words_of(texts: &[String]) -> SortedSet<String> {
    let all = texts.iter().flat_map(|text| terms(text, language(text)));
    let says = |term: &String| term.is_ascii() || term.chars().count() > 1;
    all.filter(says).collect()
}

/// The same, of what is searched for: a Chinese word of one character makes no pair (茶), and
/// is looked for as it is.
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

/// How much of what is wanted a fact contains, 0 to 1.
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
