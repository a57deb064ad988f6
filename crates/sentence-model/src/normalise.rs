//! Unicode normalisation as `SentencePiece` does it (`nmt_nfkc`): full-width letters become ordinary
//! ones, all kinds of white space become `▁`, and control characters vanish.
//!
//! The rules are a trie from character sequences to their replacements, a "double array" as in
//! <https://github.com/s-yata/darts-clone>: the children of a node are found at `node ^ byte`.

use super::packed::{LoadError, Packed};

/// The character that stands for a space.
pub(crate) const SPACE: &str = "▁";

pub(crate) struct Normaliser {
    units: Vec<u32>,
    /// The replacements, each ended by a zero byte.
    replacements: Vec<u8>,
}

impl Normaliser {
    pub(crate) fn read(packed: &mut Packed) -> Result<Self, LoadError> {
        let count = packed.number()?;
        let units = packed.numbers(count)?;
        let count = packed.number()?;
        let replacements = packed.take(count)?.to_vec();
        Ok(Self {
            units,
            replacements,
        })
    }

    /// Returns the text with replaced characters. Words are preceded by [`SPACE`], and there is no
    /// other white space.
    pub(crate) fn normalised(&self, text: &str) -> String {
        let mut replaced = Vec::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let length = if let Some((length, replacement)) = self.longest(rest.as_bytes()) {
                replaced.extend(replacement);
                length
            } else {
                replaced.extend(rest.bytes().take(first.len_utf8()));
                first.len_utf8()
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        let replaced = String::from_utf8_lossy(&replaced);
        let words = replaced.split(' ').filter(|word| !word.is_empty());
        words.flat_map(|word| [SPACE, word]).collect()
    }

    /// Finds the longest sequence at the beginning of `text` that has a replacement. Returns the
    /// length of the sequence, and the replacement.
    fn longest(&self, text: &[u8]) -> Option<(usize, &[u8])> {
        let mut node = offset(*self.units.first()?);
        let mut found = None;
        for (at, byte) in text.iter().enumerate() {
            node ^= usize::from(*byte);
            let Some(unit) = self.units.get(node) else {
                break;
            };
            if unit & 0x8000_00FF != u32::from(*byte) {
                break;
            }
            node ^= offset(*unit);
            if unit & 0x100 != 0 {
                found = self
                    .units
                    .get(node)
                    .map(|leaf| (at + 1, leaf & 0x7FFF_FFFF));
            }
        }
        let (length, value) = found?;
        let replacement = self.replacements.get(value as usize..)?;
        let end = replacement.iter().position(|byte| *byte == 0)?;
        Some((length, replacement.get(..end)?))
    }
}

/// The distance from a node to its children.
fn offset(unit: u32) -> usize {
    ((unit >> 10) << ((unit & 0x200) >> 6)) as usize
}
