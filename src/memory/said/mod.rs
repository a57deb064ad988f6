//! Whether the person themselves said a fact (DETAILS §12).
//!
//! Driving example: beside a page the person writes "I sail a 7-metre sloop out of Hoylake";
//! a model saves "The user sails a 7-metre sloop out of Hoylake". All that it says stands in
//! one sentence of theirs, of themselves and not denied: the save was prompted by them and not
//! by the page, and goes unasked. A fact with a word that they did not write needs theirs, and
//! so does one made of what they ask, quote, hand over to be translated, or tell of somebody else.
//!
//! Deliberately absent: grammar. Where these rules can't tell whose a clause is, it is nobody's
//! and the person is asked.

mod clauses;
mod handed;
mod owner;
mod pieces;
#[cfg(test)]
mod tests;
mod unquoted;

use clauses::{Clause, of_fact, of_person};
use owner::Whose;
use std::collections::BTreeSet;

/// Whether one sentence of these words says all that a fact does.
pub fn is_said(fact: &str, words: &[String]) -> bool {
    let fact = of_fact(fact);
    let says_anything = fact.iter().any(|clause| !clause.terms.is_empty());
    says_anything
        && words.iter().any(|words| {
            let sentences = of_person(words);
            sentences.iter().any(|sentence| {
                let mut clauses = fact.iter();
                clauses.all(|clause| clause.stands_in(sentence))
            })
        })
}

/// Whether one sentence of these words speaks of something, whatever it says of it: what a fact
/// replaces may stand there as what is no longer so.
pub fn is_spoken_of(thing: &str, words: &[String]) -> bool {
    let thing = of_fact(thing);
    let thing: BTreeSet<&String> = thing.iter().flat_map(|clause| &clause.terms).collect();
    !thing.is_empty()
        && words.iter().any(|words| {
            of_person(words).iter().any(|sentence| {
                let told = sentence.iter().filter(|it| it.whose != Whose::Nobodys);
                let told: BTreeSet<&String> = told.flat_map(|clause| &clause.terms).collect();
                thing.is_subset(&told)
            })
        })
}

impl Clause {
    /// Whether a sentence says this of the same one, and denies it if this does.
    fn stands_in(&self, sentence: &[Self]) -> bool {
        let like = |it: &&Self| it.whose == self.whose && it.is_negated == self.is_negated;
        let mut terms = self.terms.iter();
        terms.all(|term| {
            sentence
                .iter()
                .filter(like)
                .any(|it| it.terms.contains(term))
        })
    }
}
