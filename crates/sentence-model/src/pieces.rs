//! Splits a normalised text into pieces of words, as `SentencePiece`'s unigram model does: of all
//! ways to split it, the one whose pieces are most likely together.

use super::packed::{LoadError, Packed};

/// The score of a character that is no piece, below the lowest score of a piece.
const UNKNOWN_PENALTY: f64 = 10.0;

/// The ids of what is no piece, and of the beginning and the end of a text.
const UNKNOWN: u32 = 0;
const START: u32 = 1;
const END: u32 = 2;

/// The known pieces, sorted by their bytes.
pub(crate) struct Pieces {
    texts: Vec<u8>,
    /// The end of each piece in `texts`.
    ends: Vec<u32>,
    ids: Vec<u32>,
    scores: Vec<f32>,
    unknown_score: f64,
}

/// The best way to split the text up to a position.
#[derive(Clone, Copy)]
struct Best {
    score: f64,
    /// The beginning of the last piece.
    from: usize,
    piece: u32,
}

impl Pieces {
    pub(crate) fn read(packed: &mut Packed) -> Result<Self, LoadError> {
        let count = packed.number()?;
        let mut end = 0;
        let mut ends = Vec::with_capacity(count);
        for length in packed.take(count)? {
            end += u32::from(*length);
            ends.push(end);
        }
        let texts = packed.take(end as usize)?.to_vec();
        let ids = packed.numbers(count)?;
        let scores = packed.floats(count)?;
        let lowest = scores.iter().copied().fold(0.0, f32::min);
        Ok(Self {
            texts,
            ends,
            ids,
            unknown_score: f64::from(lowest) - UNKNOWN_PENALTY,
            scores,
        })
    }

    /// Returns the ids of the text's pieces, between the ids for start and end.
    pub(crate) fn ids(&self, text: &str) -> Vec<u32> {
        let unreached = Best {
            score: f64::MIN,
            from: 0,
            piece: UNKNOWN,
        };
        let mut best = vec![unreached; text.len() + 1];
        if let Some(first) = best.first_mut() {
            first.score = 0.0;
        }
        for (from, first) in text.char_indices() {
            let before = best.get(from).map_or(f64::MIN, |best| best.score);
            let mut reach = |length: usize, piece, score: f64| {
                let score = before + score;
                if let Some(best) = best.get_mut(from + length)
                    && score > best.score
                {
                    *best = Best { score, from, piece };
                }
            };
            let mut is_known = false;
            let rest = text.as_bytes().get(from..).unwrap_or_default();
            self.each_beginning(rest, |length, id, score| {
                is_known |= length == first.len_utf8();
                reach(length, id, f64::from(score));
            });
            if !is_known {
                reach(first.len_utf8(), UNKNOWN, self.unknown_score);
            }
        }
        let mut ids = vec![END];
        let mut at = text.len();
        while let Some(best) = best.get(at).filter(|_| at > 0) {
            ids.push(best.piece);
            at = best.from;
        }
        if text.is_empty() {
            ids.push(UNKNOWN);
        }
        ids.push(START);
        ids.reverse();
        ids
    }

    /// Calls `take` with the length, the id and the score of each piece with which `text` begins,
    /// shortest first.
    fn each_beginning(&self, text: &[u8], mut take: impl FnMut(usize, u32, f32)) {
        // The pieces that begin with the first `at` bytes of the text are neighbours.
        let (mut low, mut high) = (0, self.ends.len());
        for (at, byte) in text.iter().enumerate() {
            let next = |place: usize| self.text(place).get(at).copied();
            low += partition(high - low, |place| next(low + place) < Some(*byte));
            high = low + partition(high - low, |place| next(low + place) <= Some(*byte));
            if low == high {
                return;
            }
            if self.text(low).len() == at + 1
                && let (Some(id), Some(score)) = (self.ids.get(low), self.scores.get(low))
            {
                take(at + 1, *id, *score);
            }
        }
    }

    fn text(&self, place: usize) -> &[u8] {
        let end = |place: usize| self.ends.get(place).map_or(0, |end| *end as usize);
        let from = place.checked_sub(1).map_or(0, end);
        self.texts.get(from..end(place)).unwrap_or_default()
    }
}

/// Returns the first of `count` numbers for which `is_before` is false; it is true for all smaller
/// ones.
fn partition(count: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}
