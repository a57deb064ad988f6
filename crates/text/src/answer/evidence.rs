//! Rates the probability that a sentence answers a question, by a weighted sum of a few terms.
//!
//! Driving example: "When did Fresnel build the lighthouse?" and the sentence "He built it in
//! 1823." under the heading "Fresnel". The sentence and its heading contain all words of the
//! question except "lighthouse", and the sentence contains a time.
//!
//! A *unit* is a word or Chinese character of the question. A *credit* from 0 to 1 says how well a
//! text contains a unit: 1 for the same word, less for a similar one.
//! The weights are close to those of a logistic regression on the development questions of
//! `evaluation/answers` (`--fit`). Two terms are too rare in these questions for a regression: a
//! missing name, and a sentence without content. Their weights are set by hand, above the
//! regression's values.

use super::super::Language;
use super::super::context::defines;
use super::super::embedding::Space;
use super::super::index::Entry;
use super::Candidate;
use super::answer_kind::AnswerKind;
use super::question::Question;

/// The credits of a unit that the sentence itself doesn't contain. They are for the sentence
/// before, two sentences before, the sentence after, the heading, and the page's title.
const BEFORE: f64 = 0.6;
const TWO_BEFORE: f64 = 0.4;
const AFTER: f64 = 0.3;
const HEADING: f64 = 0.6;
const TITLE: f64 = 0.6;
/// The credit of a unit in a heading that is a question. The text below such a heading answers the
/// question.
const ASKED: f64 = 0.9;
/// The credit of a unit in the introduction of a list, such as "The parts are:".
const INTRODUCING: f64 = 0.7;

/// The maximum distance between a list item and the list's introduction, in sentences.
const LONGEST_LIST: usize = 12;

/// The minimum weight of a unit, even if every sentence contains the unit.
const LEAST_RARITY: f64 = 0.15;

/// The typical cosine between a question and a sentence of its page.
const USUAL: f64 = 0.4;

/// A sentence contains a unit if the unit's credit is at least this.
const IN: f64 = 0.7;

/// The evidence for all sentences of a page.
pub(super) struct Evidence<'a> {
    question: &'a Question<'a>,
    candidates: &'a [Candidate<'a>],
    language: Language,
    /// The weight of each unit, from its kind and its rarity on this page.
    weights: Vec<f64>,
    /// For each unit, true if it occurs on the page or in the page's title.
    known: Vec<bool>,
    /// For each sentence, the credits of the units in the sentence itself.
    own: Vec<Vec<f64>>,
    /// For each sentence, the credits of the units in the headings above the sentence. `title`
    /// contains the credits of the units in the page's title.
    headings: Vec<std::rc::Rc<[f64]>>,
    title: Vec<f64>,
    /// The cosine between each sentence and the question; empty without embeddings.
    meanings: Vec<f64>,
}

/// The terms of the weighted sum, for one sentence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Terms {
    /// The share of the question's units that the sentence and its context contain.
    covered: f64,
    /// The share of the question's units that the sentence itself contains.
    own: f64,
    /// The share of the question's units, except names, that the sentence, its neighbours and its
    /// heading contain.
    words: f64,
    /// The certainty that the sentence contains the kind of thing asked for, 0 to 1.
    fits: f64,
    /// The certainty that the sentence lacks the kind of thing asked for, 0 to 1. The value is 0 if
    /// the answer to the question need not contain such a thing.
    lacks: f64,
    /// The certainty that the sentence contains a reason, a manner or a definition, 0 to 1.
    sign: f64,
    /// 1 if the page doesn't contain a name or number of the question. 0.5 if the page contains the
    /// name, but not near the sentence.
    missing: f64,
    /// The cosine between sentence and question, minus [`USUAL`]; 0 without embeddings.
    meaning: f64,
    /// 1 if the sentence is a question, or has fewer than two words that the question lacks;
    /// otherwise 0.
    empty: f64,
}

impl Terms {
    /// The constant term, followed by the weights of the terms in the order of [`Terms::each`].
    const WEIGHTS: [f64; 10] = [-2.6, 2.2, 2.2, 1.7, 0.6, -2.4, 0.4, -1.2, 1.4, -1.0];

    pub(super) fn each(self) -> [f64; 9] {
        [
            self.covered,
            self.own,
            self.words,
            self.fits,
            self.lacks,
            self.sign,
            self.missing,
            self.meaning,
            self.empty,
        ]
    }

    /// Returns the probability that the sentence is an answer, 0 to 1.
    pub(super) fn confidence(self) -> f64 {
        let [constant, weights @ ..] = Self::WEIGHTS;
        let terms = self.each().into_iter().zip(weights);
        let sum = constant + terms.map(|(term, weight)| term * weight).sum::<f64>();
        1.0 / (1.0 + libm::exp(-sum))
    }
}

impl<'a> Evidence<'a> {
    pub(super) fn gather(
        question: &'a Question<'a>,
        title: &str,
        candidates: &'a [Candidate<'a>],
        language: Language,
    ) -> Self {
        let own: Vec<Vec<f64>> = candidates
            .iter()
            .map(|candidate| question.credits(candidate.text, language))
            .collect();
        let mut headings: Vec<std::rc::Rc<[f64]>> = Vec::with_capacity(candidates.len());
        let mut last = None;
        for candidate in candidates {
            let credits = match headings.last() {
                Some(credits) if last == Some(candidate.heading) => credits.clone(),
                _ => question.credits(candidate.heading, language).into(),
            };
            last = Some(candidate.heading);
            headings.push(credits);
        }
        let title = question.credits(title, language);
        let count = |unit: usize| {
            let has = |credits: &&Vec<f64>| credits.get(unit).is_some_and(|credit| *credit >= IN);
            own.iter().filter(has).count()
        };
        let counts: Vec<usize> = (0..question.units.len()).map(count).collect();
        let weights = question.units.iter().zip(&counts);
        let weights = weights.map(|(unit, count)| unit.weight * rarity(*count, own.len()));
        let in_title = title.iter().map(|credit| *credit >= IN);
        let known = counts.iter().zip(in_title);
        let known = known.map(|(count, in_title)| *count > 0 || in_title);
        let meanings = question.meaning.map_or_else(Vec::new, |meaning| {
            let entries = candidates.iter().map(|candidate| Entry {
                heading: candidate.heading,
                text: candidate.text,
            });
            Space::new(meaning, entries).similarities(&question.text)
        });
        Self {
            meanings,
            weights: weights.collect(),
            known: known.collect(),
            question,
            candidates,
            language,
            own,
            headings,
            title,
        }
    }

    /// Returns the terms of a sentence; `None` if the sentence has too little in common with the
    /// question.
    pub(super) fn of(&self, at: usize) -> Option<Terms> {
        let (own, candidate) = (self.own.get(at)?, self.candidates.get(at)?);
        let around = self.around(at, candidate, own);
        let total: f64 = self.weights.iter().sum();
        if total <= 0.0 || around.iter().all(|credit| *credit <= 0.0) {
            return None;
        }
        let share = |credits: &[f64]| {
            let weighted = credits.iter().zip(&self.weights);
            weighted
                .map(|(credit, weight)| credit * weight)
                .sum::<f64>()
                / total
        };
        if share(own) <= 0.0 && share(&around) < 0.5 {
            return None;
        }
        let (fit, sign) = self.kind(candidate.text);
        let is_strict = self.question.expected.is_strict();
        Some(Terms {
            covered: share(&around),
            own: share(own),
            words: self.words(at, candidate),
            fits: if is_strict { fit } else { 0.0 },
            lacks: if is_strict { 1.0 - fit } else { 0.0 },
            sign,
            missing: self.missing(&around),
            meaning: self.meanings.get(at).map_or(0.0, |near| near - USUAL),
            empty: self.empty(candidate.text),
        })
    }

    /// Returns the best credit of each unit in the sentence and its context.
    fn around(&self, at: usize, candidate: &Candidate<'_>, own: &[f64]) -> Vec<f64> {
        let mut best = own.to_vec();
        take(&mut best, &self.beside(at, candidate), 1.0);
        self.take_heading(at, candidate, &mut best);
        take(&mut best, &self.title, TITLE);
        best
    }

    /// Returns the best credit of each unit in the sentence, its neighbours, and the introduction
    /// of the list that contains the sentence.
    fn beside(&self, at: usize, candidate: &Candidate<'_>) -> Vec<f64> {
        let mut best = self.own.get(at).cloned().unwrap_or_default();
        let beside = |at: Option<usize>| {
            let at = at.filter(|at| {
                let other = self.candidates.get(*at);
                other.is_some_and(|other| other.paragraph == candidate.paragraph)
            });
            at.and_then(|at| self.own.get(at))
        };
        for (other, share) in [
            (beside(at.checked_sub(1)), BEFORE),
            (beside(at.checked_sub(2)), TWO_BEFORE),
            (beside(at.checked_add(1)), AFTER),
        ] {
            take(&mut best, other.map_or(&[], Vec::as_slice), share);
        }
        let from = at.saturating_sub(LONGEST_LIST);
        let introduction = (from..at).rev().find(|earlier| {
            let earlier = self.candidates.get(*earlier);
            earlier.is_some_and(|c| c.text.ends_with([':', '：']) && c.heading == candidate.heading)
        });
        if let Some(credits) = introduction.and_then(|at| self.own.get(at)) {
            take(&mut best, credits, INTRODUCING);
        }
        best
    }

    /// Returns the share of the question's units, except names, that the sentence, its neighbours
    /// and its heading contain.
    fn words(&self, at: usize, candidate: &Candidate<'_>) -> f64 {
        let mut beside = self.beside(at, candidate);
        self.take_heading(at, candidate, &mut beside);
        let (mut total, mut there) = (0.0, 0.0);
        let units = self.question.units.iter().zip(&self.weights).zip(&beside);
        for ((_, weight), credit) in units.filter(|((unit, _), _)| !unit.is_name) {
            total += weight;
            there += weight * credit;
        }
        if total > 0.0 { there / total } else { 1.0 }
    }

    fn take_heading(&self, at: usize, candidate: &Candidate<'_>, best: &mut [f64]) {
        if let Some(credits) = self.headings.get(at) {
            let asks = candidate.heading.ends_with(['?', '？']);
            take(best, credits, if asks { ASKED } else { HEADING });
        }
    }

    fn kind(&self, sentence: &str) -> (f64, f64) {
        let expected = self.question.expected;
        if expected == AnswerKind::Definition {
            let subject = &self.question.subject;
            return (0.0, defines(subject, sentence));
        }
        let fit = expected.fit(sentence, &self.question.words, self.language);
        if expected.is_strict() {
            (fit, 0.0)
        } else {
            (0.0, fit)
        }
    }

    /// Returns 1 if the page lacks a name of the question. Returns 0.5 if the page contains the
    /// name, but not near the sentence.
    fn missing(&self, around: &[f64]) -> f64 {
        let mut missing = 0.0_f64;
        for ((unit, credit), known) in self.question.units.iter().zip(around).zip(&self.known) {
            if unit.is_name {
                missing = missing.max(match (*credit > 0.0, known) {
                    (true, _) => 0.0,
                    (false, true) => 0.5,
                    (false, false) => 1.0,
                });
            }
        }
        missing
    }

    fn empty(&self, sentence: &str) -> f64 {
        let asks = sentence.ends_with(['?', '？']);
        let terms = super::super::terms(sentence, self.language);
        let news = terms.iter().filter(|term| {
            self.question
                .credits(term, self.language)
                .iter()
                .all(|c| *c <= 0.0)
        });
        f64::from(u8::from(asks || news.count() < 2))
    }
}

/// Raises each number in `best` to `share` times the number in `credits`, unless it is higher
/// already.
fn take(best: &mut [f64], credits: &[f64], share: f64) {
    for (now, credit) in best.iter_mut().zip(credits) {
        *now = now.max(credit * share);
    }
}

/// Returns the rarity of a unit that `having` of `all` sentences contain; 1 if no sentence does.
fn rarity(having: usize, all: usize) -> f64 {
    let all = all as f64 + 1.0;
    let rarity = libm::log(all / (having as f64 + 0.5)) / libm::log(all / 0.5);
    rarity.max(LEAST_RARITY)
}
