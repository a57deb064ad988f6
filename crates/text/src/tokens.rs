//! Estimates the number of tokens of a text.
//!
//! Example: the messages of a prompt must fit into the model's context window. No tokeniser is
//! used, because each provider has its own. After a call to the model, the usage that the provider
//! reports replaces the estimate.

use super::language::is_cjk;

/// Returns the estimated number of tokens of `text`: ⌈c/2 + o/4⌉, where c is the number of Chinese,
/// Japanese or Korean characters, and o the number of other characters.
pub fn estimate(text: &str) -> u32 {
    let (cjk, other) = text.chars().fold((0_u64, 0_u64), |(cjk, other), c| {
        if is_cjk(c) {
            (cjk + 1, other)
        } else {
            (cjk, other + 1)
        }
    });
    u32::try_from((2 * cjk + other).div_ceil(4)).unwrap_or(u32::MAX)
}

/// Returns the estimated number of tokens of a text that is an item of a list.
pub fn estimate_item(text: &str) -> u32 {
    estimate(text) + 2
}

/// The number of tokens for a passage's id and the JSON syntax around the passage.
pub const AROUND_TOKENS: u32 = 8;

/// Returns the longest beginning of `text` that has at most `tokens` estimated tokens.
pub fn head(text: &str, tokens: u32) -> &str {
    let mut left = 4 * u64::from(tokens);
    let over = text.char_indices().find(|(_, c)| {
        let cost = if is_cjk(*c) { 2 } else { 1 };
        let fits = cost <= left;
        left = left.saturating_sub(cost);
        !fits
    });
    let end = over.map_or(text.len(), |(at, _)| at);
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{estimate, head};

    #[test]
    fn a_quarter_token_for_a_letter_and_half_for_an_ideograph() {
        for (text, tokens) in [
            ("", 0),
            ("a", 1),
            ("abcd", 1),
            ("abcde", 2),
            ("Hello, world!", 4),
            ("字", 1),
            ("汉字", 1),
            ("汉字表", 2),
            ("汉字 ab", 2),
            ("你好，世界。", 3),
            ("ひらがな", 2),
            ("한국어", 2),
            ("🦀🦀🦀🦀", 1),
        ] {
            assert_eq!(estimate(text), tokens, "{text}");
        }
    }

    #[test]
    fn the_estimate_is_linear_in_the_length() {
        assert_eq!(estimate(&"word ".repeat(80_000)), 100_000);
        assert_eq!(estimate(&"字".repeat(10_000)), 5_000);
    }

    #[test]
    fn a_head_costs_what_it_may_and_one_letter_more_would_not_fit() {
        for text in [
            "Hello, world, hello!",
            "你好，世界。你好，世界。",
            "汉字 ab 汉字 ab",
            "",
        ] {
            for tokens in 0..12 {
                let head = head(text, tokens);
                assert!(text.starts_with(head) && estimate(head) <= tokens);
                let more: String = text.chars().take(head.chars().count() + 1).collect();
                assert!(head == text || estimate(&more) > tokens, "{text} {tokens}");
            }
        }
    }
}
