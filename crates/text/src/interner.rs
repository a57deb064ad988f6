//! Numbers distinct strings in the order of their first occurrence.
//!
//! Example: a page of one megabyte has 170 000 words, of which 15 000 are distinct. Looking
//! up the number of a known word needs no allocation. A `HashMap` isn't used, because its hash is
//! random. Here, the result must depend only on the order of the strings.

#![allow(
    clippy::inline_always,
    reason = "run once a word of the page, in a module that is compiled for size"
)]

/// The value of an empty slot.
const FREE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct InternedString {
    hash: u32,
    /// The start of the string in the arena, in bytes; `end` is its end.
    start: u32,
    end: u32,
}

/// Distinct strings and their numbers.
#[derive(Debug)]
pub(super) struct Interner {
    /// All strings, one after the other.
    arena: String,
    known: Vec<InternedString>,
    /// A hash table with open addressing, which contains the strings' numbers. Its length is a
    /// power of two, and at most half of it is full.
    slots: Vec<u32>,
}

impl Interner {
    /// Creates an empty interner with capacity for this many strings.
    pub(super) fn with_capacity(strings: usize) -> Self {
        Self {
            arena: String::new(),
            known: Vec::with_capacity(strings),
            slots: vec![FREE; (strings * 2).next_power_of_two().max(64)],
        }
    }

    /// Returns the number of `text`; `None` if it was never interned.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.look(text, hash(text)).ok()
    }

    /// Returns the number of `text`, and assigns the next number to a new string.
    #[inline(always)]
    pub(super) fn intern(&mut self, text: &str) -> Interned {
        let hash = hash(text);
        match self.look(text, hash) {
            Ok(number) => Interned::Known(number),
            Err(slot) => self.add(text, hash, slot),
        }
    }

    fn add(&mut self, text: &str, hash: u32, slot: usize) -> Interned {
        let number = u32::try_from(self.known.len()).unwrap_or(FREE);
        let start = u32::try_from(self.arena.len()).unwrap_or(u32::MAX);
        self.arena.push_str(text);
        let end = u32::try_from(self.arena.len()).unwrap_or(u32::MAX);
        self.known.push(InternedString { hash, start, end });
        if let Some(free) = self.slots.get_mut(slot) {
            *free = number;
        }
        if self.known.len() * 2 > self.slots.len() {
            self.grow();
        }
        Interned::Fresh(number)
    }

    /// Returns the number of distinct strings.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Returns the number of `text`, or the free slot where its number belongs.
    #[inline(always)]
    fn look(&self, text: &str, hash: u32) -> Result<u32, usize> {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let number = self.slots.get(slot).copied().unwrap_or(FREE);
            if number == FREE {
                return Err(slot);
            }
            let known = self.known.get(number as usize);
            if known.is_some_and(|known| known.hash == hash && self.bytes(known) == text.as_bytes())
            {
                return Ok(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline(always)]
    fn bytes(&self, known: &InternedString) -> &[u8] {
        let place = known.start as usize..known.end as usize;
        self.arena.as_bytes().get(place).unwrap_or_default()
    }

    fn grow(&mut self) {
        let mut slots = vec![FREE; self.slots.len() * 2];
        let mask = slots.len() - 1;
        for (number, InternedString { hash, .. }) in self.known.iter().enumerate() {
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

/// The number of an interned string; the variant says if the string was known before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interned {
    /// The string was known.
    Known(u32),
    /// The string is new.
    Fresh(u32),
}

/// Returns the FNV-1a hash. Its high bits are mixed into its low bits, because the low bits select
/// the slot.
#[inline(always)]
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
            // 200 strings are enough to make the table grow.
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
                    && interner.bytes(&interner.known[number as usize]) == text.as_bytes()
                    && interner.known.len() == numbers.len()
            })
        }
    }
}
