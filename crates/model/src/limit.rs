//! The window that a server names where it refuses a prompt as too long.
//!
//! Driving example: "This model's maximum context length is 8192 tokens. However, your
//! messages resulted in 9000 tokens." Both figures are of tokens; the limit is the one that
//! stands nearest to a word for a limit.

/// Words beside which servers name their limit, in lower case.
const LIMITS: [&str; 7] = [
    "maximum",
    "limit",
    "allowed",
    "context length",
    "context size",
    "context window",
    "n_ctx",
];

/// Signs that it stands behind.
const SIGNS: [&str; 2] = ["<=", ">"];

/// No model that is asked has less, and no figure that is less is of its window.
const LEAST: u32 = 256;

/// The limit in a server's words, in tokens, if it names one.
pub(super) fn window_said(words: &str) -> Option<u32> {
    let words = words.to_ascii_lowercase();
    let distance = |(from, to): (usize, usize)| {
        let before = words.get(..from).unwrap_or_default();
        let behind = words.get(to..).unwrap_or_default();
        let last = |limit: &&str| Some(from - before.rfind(*limit)? - limit.len());
        let next = |limit: &&str| behind.find(*limit);
        let names = LIMITS.iter().flat_map(|limit| [last(limit), next(limit)]);
        names.chain(SIGNS.iter().map(last)).flatten().min()
    };
    let near = figures(&words)
        .into_iter()
        .filter_map(|(place, figure)| Some((distance(place)?, figure)));
    let nearest = near.min_by_key(|(distance, _)| *distance);
    nearest.map(|(_, figure)| figure)
}

/// The figures that may be a window's, with where they stand.
fn figures(words: &str) -> Vec<((usize, usize), u32)> {
    let mut found = Vec::new();
    let mut rest = words;
    while let Some(first) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let from = words.len() - rest.len() + first;
        let after = words.get(from..).unwrap_or_default();
        let is_in = |letter: char| letter.is_ascii_digit() || letter == ',';
        let length = after.find(|letter| !is_in(letter)).unwrap_or(after.len());
        let (figure, behind) = after.split_at(length);
        let figure = figure.replace(',', "").parse().ok();
        if let Some(figure) = figure.filter(|it| *it >= LEAST) {
            found.push(((from, from + length), figure));
        }
        rest = behind;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_told_from_what_was_sent() {
        for (words, window) in [
            (
                "This model's maximum context length is 8192 tokens. However, your messages \
                 resulted in 9000 tokens. Please reduce the length of the messages.",
                Some(8_192),
            ),
            (
                "This model's maximum context length is 4,097 tokens, however you requested \
                 5000 tokens (1000 in the messages, 4000 in the completion).",
                Some(4_097),
            ),
            (
                "Input tokens exceed the configured limit of 272000 tokens. Your messages \
                 resulted in 300000 tokens.",
                Some(272_000),
            ),
            (
                "prompt is too long: 210000 tokens > 200000 maximum",
                Some(200_000),
            ),
            (
                "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000",
                Some(200_000),
            ),
            (
                "The input token count (1200000) exceeds the maximum number of tokens allowed \
                 (1048576).",
                Some(1_048_576),
            ),
            (
                "request (5000 tokens) exceeds the available context size (4096 tokens), try \
                 increasing it",
                Some(4_096),
            ),
            (
                "Prompt contains 40000 tokens and 0 draft tokens, too large for model with \
                 32768 maximum context length",
                Some(32_768),
            ),
            (
                "Trying to keep the first 5000 tokens when context the overflows. However, the \
                 model is loaded with context length of only 4096 tokens",
                Some(4_096),
            ),
            (
                "This model's maximum prompt length is 131072 but the request contains 140000 \
                 tokens.",
                Some(131_072),
            ),
            (
                "`inputs` tokens + `max_new_tokens` must be <= 4097. Given: 4000 `inputs` tokens",
                Some(4_097),
            ),
            (
                "Please reduce the length of the messages or completion.",
                None,
            ),
            ("too long by 5000", None),
            ("limit 12", None),
            ("超过上限 limit 99999999999", None),
            ("", None),
        ] {
            assert_eq!(window_said(words), window, "{words}");
        }
    }
}
