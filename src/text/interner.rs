//! Strings by number: each distinct one once, numbered in the order of arrival.
//!
//! Driving example: a page of a megabyte has 170 000 words and 15 000 distinct ones;
//! finding a word's number again costs one look and no allocation. Deliberately no
//! `HashMap`: the numbers follow from the order alone, and the hash is fixed.

/// A slot of the table that holds nothing.
const FREE: u32 = u32::MAX;

/// Distinct strings and their numbers.
#[derive(Debug)]
pub(super) struct Interner {
    /// All strings, one behind the other.
    arena: String,
    /// The hash of each, and where it ends in the arena.
    known: Vec<(u32, u32)>,
    /// Open addressing; a power of two long, at most half full.
    slots: Vec<u32>,
}

impl Interner {
    /// Nothing yet, with room for `strings`.
    pub(super) fn with_capacity(strings: usize) -> Self {
        Self {
            arena: String::new(),
            known: Vec::with_capacity(strings),
            slots: vec![FREE; (strings * 2).next_power_of_two().max(64)],
        }
    }

    /// The number of `text`, if it is known.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.look(text, hash(text)).ok()
    }

    /// The number of `text`, which `fresh` tells to have been given just now.
    pub(super) fn intern(&mut self, text: &str) -> Interned {
        let hash = hash(text);
        match self.look(text, hash) {
            Ok(number) => Interned::Known(number),
            Err(slot) => {
                let number = u32::try_from(self.known.len()).unwrap_or(FREE);
                self.arena.push_str(text);
                let end = u32::try_from(self.arena.len()).unwrap_or(u32::MAX);
                self.known.push((hash, end));
                if let Some(free) = self.slots.get_mut(slot) {
                    *free = number;
                }
                if self.known.len() * 2 > self.slots.len() {
                    self.grow();
                }
                Interned::Fresh(number)
            }
        }
    }

    /// The string of that number; empty if there is none.
    pub(super) fn text(&self, number: u32) -> &str {
        let end_of = |at: usize| self.known.get(at).map(|(_, end)| *end as usize);
        let at = number as usize;
        let start = at.checked_sub(1).map_or(Some(0), end_of);
        match (start, end_of(at)) {
            (Some(start), Some(end)) => self.arena.get(start..end).unwrap_or_default(),
            _ => "",
        }
    }

    /// The number, or the free slot where the string belongs.
    fn look(&self, text: &str, hash: u32) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let number = self.slots.get(slot).copied().unwrap_or(FREE);
            if number == FREE {
                return Err(slot);
            }
            let same = self.known.get(number as usize).is_some_and(|k| k.0 == hash);
            if same && self.text(number) == text {
                return Ok(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let mut slots = vec![FREE; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for (number, (hash, _)) in self.known.iter().enumerate() {
            let mut slot = *hash as usize & mask;
            while slots.get(slot).is_some_and(|taken| *taken != FREE) {
                slot = (slot + 1) & mask;
            }
            if let Some(free) = slots.get_mut(slot) {
                *free = u32::try_from(number).unwrap_or(FREE);
            }
        }
        self.slots = slots;
    }
}

/// What came of interning a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interned {
    /// It was there already.
    Known(u32),
    /// It is new.
    Fresh(u32),
}

/// FNV-1a, its high bits folded into the low ones that the table looks at.
fn hash(text: &str) -> u32 {
    let mut hash: u32 = 0x811c_9dc5;
    for byte in text.bytes() {
        hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    }
    hash ^ (hash >> 15)
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
                    && interner.text(number) == text
                    && interner.known.len() == numbers.len()
            })
        }
    }
}
