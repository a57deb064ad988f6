//! Strings by number: each distinct one once, numbered in the order of arrival.
//!
//! Driving example: a page of a megabyte has 170 000 words and 15 000 distinct ones;
//! finding a word's number again costs one look and no allocation. The numbers follow
//! from the order of arrival alone, whatever the hash.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// Distinct strings and their numbers.
#[derive(Debug)]
pub(super) struct Interner {
    strings: IndexSet<Box<str>, FxBuildHasher>,
}

impl Interner {
    /// Nothing yet, with room for `strings`.
    pub(super) fn with_capacity(strings: usize) -> Self {
        Self {
            strings: IndexSet::with_capacity_and_hasher(strings, FxBuildHasher),
        }
    }

    /// The number of `text`, if it is known.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.strings.get_index_of(text).map(numbered)
    }

    /// The number of `text`, which `fresh` tells to have been given just now.
    pub(super) fn intern(&mut self, text: &str) -> Interned {
        if let Some(number) = self.find(text) {
            return Interned::Known(number);
        }
        let (at, _) = self.strings.insert_full(text.into());
        Interned::Fresh(numbered(at))
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.strings.len()
    }
}

/// Places are numbers: four billion words are no page.
fn numbered(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// What came of interning a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interned {
    /// It was there already.
    Known(u32),
    /// It is new.
    Fresh(u32),
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use quickcheck::quickcheck;

    use super::{Interned, Interner};

    quickcheck! {
        fn a_string_has_the_number_of_its_first_arrival(texts: Vec<String>) -> bool {
            let mut interner = Interner::with_capacity(0);
            let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
            // Enough of them that the table grows.
            let many = (0..200).map(|n| n.to_string()).chain(texts);
            many.into_iter().all(|text| {
                let next = u32::try_from(numbers.len()).unwrap();
                let expected = match numbers.get(&text) {
                    Some(number) => Interned::Known(*number),
                    None => Interned::Fresh(next),
                };
                let (Interned::Known(number) | Interned::Fresh(number)) = expected;
                numbers.insert(text.clone(), number);
                interner.find(&text).is_some() == matches!(expected, Interned::Known(_))
                    && interner.intern(&text) == expected
                    && interner.find(&text) == Some(number)
                    && interner.strings.len() == numbers.len()
            })
        }
    }
}
