//! Whether the person themselves said a fact (DETAILS §12).
//!
//! Driving example: beside a page the person writes "I sail a 7-metre sloop out of Hoylake";
//! a model saves "The user sails a 7-metre sloop out of Hoylake". All that it says stands in
//! one sentence of theirs: the save was prompted by them and not by the page, and goes
//! unasked. A fact with a word that they did not write needs theirs.

use super::likeness::{is_negated, language};
use crate::text::{Language, sentences, terms};
use std::collections::BTreeSet;

/// What a model says beside: who it is about, and what follows from the form.
const OURS: [&str; 16] = [
    "user", "users", "prefer", "prefers", "like", "likes", "want", "wants", "use", "uses", "work",
    "name", "call", "live", "current", "speak",
];
const OURS_IN_CHINESE: [&str; 8] = [
    "用户的",
    "用户",
    "本人",
    "我的",
    "我",
    "偏好",
    "目前",
    "当前",
];

/// Whether one sentence of these words says all that a fact does.
pub fn is_said(fact: &str, words: &[String]) -> bool {
    let said = Said::of(fact);
    !said.terms.is_empty()
        && words.iter().any(|words| {
            let of = language(words);
            let lines = words.lines().flat_map(|line| sentences(line, of));
            lines
                .into_iter()
                .any(|sentence| said.stands_in(&Said::of(sentence)))
        })
}

struct Said {
    terms: BTreeSet<String>,
    negated: bool,
}

impl Said {
    fn of(text: &str) -> Self {
        let mut lower = text.to_lowercase().replace('’', "'");
        let negated = is_negated(&lower);
        for ours in OURS_IN_CHINESE {
            lower = lower.replace(ours, " ");
        }
        let language = language(&lower);
        let ours = |term: &String| OURS.contains(&term.as_str());
        // A pair of characters says what its characters say: those alone are too little.
        let little = |term: &String| {
            let mut letters = term.chars();
            let first = letters.next().unwrap_or_default();
            language == Language::Chinese && !first.is_ascii() && letters.next().is_none()
        };
        let all = terms(&lower, language);
        let terms = all.into_iter().filter(|term| !ours(term) && !little(term));
        Self {
            terms: terms.collect(),
            negated,
        }
    }

    fn stands_in(&self, other: &Self) -> bool {
        self.negated == other.negated && self.terms.is_subset(&other.terms)
    }
}
