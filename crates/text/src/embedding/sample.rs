//! Builds a small `embeddings.bin` for tests.

use super::DIMENSIONS;

/// Packs words, each with the number of an axis. Words with the same axis have the same meaning.
pub fn sample(words: &[(&str, usize)]) -> Vec<u8> {
    // The ids of special tokens and bytes. Merging characters never produces these tokens.
    let mut tokens: Vec<(String, Option<usize>)> =
        (0..259).map(|n| (format!("<{n}>"), None)).collect();
    let axis_of = |text: &str| {
        words
            .iter()
            .find(|(word, _)| text.strip_prefix('▁') == Some(*word))
    };
    // A word is merged letter by letter, so each prefix of a word must be a token.
    for (word, _) in words {
        let spaced = format!("▁{word}");
        let ends = spaced.char_indices().map(|(at, c)| at + c.len_utf8());
        let beginnings = ends.filter_map(|end| spaced.get(..end)).map(str::to_owned);
        let letters = word.chars().map(String::from);
        for text in beginnings.chain(letters) {
            if tokens.iter().all(|(known, _)| *known != text) {
                let axis = axis_of(&text).map(|(_, axis)| *axis);
                tokens.push((text, axis));
            }
        }
    }
    let texts: String = tokens.iter().map(|(text, _)| text.as_str()).collect();
    let mut bytes = b"glossemb".to_vec();
    for number in [1, tokens.len(), DIMENSIONS, texts.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.extend(tokens.iter().map(|(text, _)| text.len() as u8));
    bytes.extend(texts.as_bytes());
    bytes.extend((1.0_f32 / 127.0).to_le_bytes().repeat(tokens.len()));
    for (_, axis) in &tokens {
        bytes.extend((0..DIMENSIONS).map(|at| if Some(at) == *axis { 127 } else { 0 }));
    }
    bytes
}
