//! Numbers the terms of many texts.
//!
//! Example: a page of one megabyte has thousands of sentences, but each distinct word is stemmed
//! only once. The terms are those of [`super::terms()`]. They are numbered in the order in which
//! they first occur.

use super::Language;
use super::interner::{Interned, Interner};
use super::terms::Rules;

/// The value in `term_of` for a stop word. A stop word has no term.
const NO_TERM: u32 = u32::MAX;

/// The terms of all texts read so far.
pub(super) struct Lexicon {
    rules: Rules,
    /// The words as they are written in the texts. `term_of` contains the term of each word.
    surfaces: Interner,
    term_of: Vec<u32>,
    terms: Interner,
}

impl Lexicon {
    pub(super) fn new(language: Language) -> Self {
        Self {
            rules: Rules::of(language),
            surfaces: Interner::with_capacity(0),
            term_of: Vec::new(),
            terms: Interner::with_capacity(0),
        }
    }

    /// Calls `take` with the terms of `text`, in order and with repetitions.
    pub(super) fn each_term(&mut self, text: &str, mut take: impl FnMut(u32)) {
        let Self {
            rules,
            surfaces,
            term_of,
            terms,
        } = self;
        rules.each_surface(text, |surface| {
            let term = match surfaces.intern(surface) {
                Interned::Known(surface) => term_of.get(surface as usize).copied(),
                Interned::Fresh(_) => {
                    let term = rules.term(surface).map(|term| match terms.intern(&term) {
                        Interned::Known(term) | Interned::Fresh(term) => term,
                    });
                    term_of.push(term.unwrap_or(NO_TERM));
                    term
                }
            };
            if let Some(term) = term.filter(|term| *term != NO_TERM) {
                take(term);
            }
        });
    }

    /// Returns the number of a term; `None` if no text contained it.
    pub(super) fn find(&self, term: &str) -> Option<u32> {
        self.terms.find(term)
    }

    /// Returns the number of distinct terms.
    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }
}
