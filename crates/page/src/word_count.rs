//! Counts words and finds sentences, in every language.

use gloss_text::words_and_characters;

/// Returns the number of words. Two Chinese, Japanese or Korean characters count as one word.
pub(super) fn words(text: &str) -> usize {
    let (words, characters) = words_and_characters(text);
    words + characters.div_ceil(2)
}

/// Returns true if `text` has at least six words and a mark that ends a sentence. A label such as
/// "Read more" has not.
pub(super) fn has_sentence(text: &str) -> bool {
    let ends = |mark: &str| {
        let mut found = text.match_indices(mark);
        found.any(|(at, _)| {
            let rest = text.get(at + mark.len()..).unwrap_or_default();
            rest.chars().next().is_none_or(|c| !c.is_alphanumeric())
        })
    };
    words(text) >= 6
        && (text.contains(['。', '！', '？', '।', '؟', '۔'])
            || [".", "!", "?"].into_iter().any(ends))
}
