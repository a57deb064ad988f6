//! Splits a word into tokens, as Llama 2 does.
//!
//! Example: "▁offline" is split into single characters first. Adjacent pairs that form a
//! token are merged, the pair with the lowest id first, until no pair forms a token: ▁off·line. The
//! result equals Llama's byte-pair encoding, because Llama merges in the order of ids. No token
//! contains a space in its middle, so a text can be split into words first.

use super::Embeddings;

/// The character that stands for the space before a word.
const SPACE: char = '▁';

/// The first id of a merged token. The lower ids are three special tokens and one token for each
/// byte.
const FIRST_JOINED: u32 = 259;

/// The id of the token for byte 0. A character without a token is written as its bytes.
const FIRST_BYTE: u32 = 3;

/// The maximum number of characters that are tokenised together. Merging takes quadratic time, and
/// real words are shorter than this.
const LONGEST_CHARS: usize = 64;

/// The value that stands for no token.
const NONE: u32 = u32::MAX;

/// A part of the word that has been merged into one token.
struct Part {
    start: usize,
    end: usize,
    /// The token of this part; [`NONE`] for a character without a token.
    token: u32,
    /// The token of this part merged with the next one; [`NONE`] if the two don't form a token.
    joined: u32,
}

impl Embeddings {
    /// Calls `take` with the tokens of a word, in order.
    pub(super) fn each_token(&self, word: &str, mut take: impl FnMut(u32)) {
        let mut rest = word;
        let mut piece = String::from(SPACE);
        while !rest.is_empty() {
            let cut = rest.char_indices().nth(LONGEST_CHARS);
            let (now, later) = rest
                .split_at_checked(cut.map_or(rest.len(), |(at, _)| at))
                .unwrap_or((rest, ""));
            piece.push_str(now);
            self.each_token_of_piece(&piece, &mut take);
            piece.clear();
            rest = later;
        }
    }

    fn each_token_of_piece(&self, piece: &str, take: &mut impl FnMut(u32)) {
        let mut parts: Vec<Part> = piece
            .char_indices()
            .map(|(start, c)| Part {
                start,
                end: start + c.len_utf8(),
                token: NONE,
                joined: NONE,
            })
            .collect();
        for part in &mut parts {
            part.token = self.token(piece, part.start, part.end);
        }
        for at in 0..parts.len() {
            self.look_ahead(piece, &mut parts, at);
        }
        // `min_by_key` returns the first minimum, so of equal pairs the leftmost is merged.
        while let Some((at, joined)) = lowest(&parts) {
            let behind = parts.remove(at + 1);
            if let Some(part) = parts.get_mut(at) {
                part.end = behind.end;
                part.token = joined;
            }
            self.look_ahead(piece, &mut parts, at);
            if let Some(before) = at.checked_sub(1) {
                self.look_ahead(piece, &mut parts, before);
            }
        }
        for part in parts {
            if part.token == NONE {
                let bytes = piece.get(part.start..part.end).unwrap_or_default().bytes();
                bytes.for_each(|byte| take(FIRST_BYTE + u32::from(byte)));
            } else {
                take(part.token);
            }
        }
    }

    /// Updates `joined` of the part with the index `at`.
    fn look_ahead(&self, piece: &str, parts: &mut [Part], at: usize) {
        let end = match (parts.get(at), parts.get(at + 1)) {
            (Some(part), Some(behind)) if part.token != NONE && behind.token != NONE => behind.end,
            _ => 0,
        };
        if let Some(part) = parts.get_mut(at) {
            part.joined = self.token(piece, part.start, end);
        }
    }

    fn token(&self, piece: &str, start: usize, end: usize) -> u32 {
        let token = piece
            .get(start..end)
            .and_then(|text| self.tokens.find(text));
        token.filter(|token| *token >= FIRST_JOINED).unwrap_or(NONE)
    }
}

/// Returns the index of the pair whose merged token has the lowest id, and the id of that token.
fn lowest(parts: &[Part]) -> Option<(usize, u32)> {
    let joined = parts.iter().map(|part| part.joined).enumerate();
    let pairs = joined.filter(|(_, joined)| *joined != NONE);
    pairs.min_by_key(|(_, joined)| *joined)
}
