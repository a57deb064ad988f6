//! Estimates how difficult a request is, for calls where no model gives an estimate.
//!
//! Example: "Compare the two tides, and say why one is higher" has two parts and two
//! reasoning words, so the request is complex. The estimate uses the request's length, its
//! reasoning words and its number of parts (DETAILS §2). The estimate works for English and
//! Chinese. The text of the page is not used, because Gloss has not read the page yet.

use gloss_text::words_and_characters;
use serde::{Deserialize, Serialize};

/// The difficulty of a request (SPEC §9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Complexity {
    /// One lookup is enough for the request.
    Simple,
    /// The request needs some reasoning, or has a second part.
    Moderate,
    /// The request needs reasoning and has several parts, or it is long.
    Complex,
}

/// A request of at least 25 words adds 1 to the estimate, and one of at least 60 words adds 2. Each
/// Chinese character counts as [`WORDS_PER_CHARACTER`] words.
const LENGTHS: [f64; 2] = [25.0, 60.0];

/// A Chinese word has about 1.5 characters.
const WORDS_PER_CHARACTER: f64 = 1.0 / 1.5;

/// The maximum number of reasoning words that count, and the maximum number of further parts that
/// count.
const MOST: usize = 3;

/// Words that ask for reasoning rather than for a passage of the page.
const REASONING: &str = "why|how do|how does|how did|how is|how are|how can|how could|how should|\
    how would|what if|compare|contrast|difference|differences|differ|versus|vs|analyse|analyze|\
    evaluate|assess|argue|pros and cons|implications|trade-offs|relationship between|\
    step by step|derive|prove|critique|consequences|recommend|design";

/// Chinese words that ask for reasoning.
const CHINESE_REASONING: &str = "为什么|为何|如何|怎么|怎样|比较|对比|区别|差异|不同|分析|评价|\
    评估|论证|优缺点|利弊|影响|关系|推导|证明|建议|设计";

/// Words that begin a further part of a request.
const JOINTS: [&str; 14] = [
    ", and ",
    "; ",
    " and then ",
    ", then ",
    " and also ",
    " as well as ",
    " and why ",
    " and how ",
    " and what ",
    " and which ",
    " and who ",
    " and when ",
    " and where ",
    " and say ",
];

/// Chinese words that begin a further part of a request.
const CHINESE_JOINTS: &str = "；|，并|，然后|，再|，以及|，同时|，还|，最后";

impl Complexity {
    /// Estimates the difficulty of a request in English or Chinese.
    pub fn estimate(request: &str) -> Self {
        let lower = request.to_lowercase();
        match length(&lower) + reasoning(&lower) + further_parts(&lower) {
            0 => Self::Simple,
            1 | 2 => Self::Moderate,
            _ => Self::Complex,
        }
    }
}

fn length(lower: &str) -> usize {
    let (words, characters) = words_and_characters(lower);
    let length = words as f64 + characters as f64 * WORDS_PER_CHARACTER;
    LENGTHS.iter().filter(|limit| length >= **limit).count()
}

fn reasoning(lower: &str) -> usize {
    let spaced = spaced(lower);
    let english = REASONING
        .split('|')
        .filter(|word| spaced.contains(&format!(" {word} ")))
        .count();
    let chinese = count(lower, CHINESE_REASONING.split('|'));
    (english + chinese).min(MOST)
}

/// Returns the number of parts after the first part. Parts are sentences, lines, and clauses that
/// begin with one of the [`JOINTS`].
fn further_parts(lower: &str) -> usize {
    let sentences = lower
        .split_inclusive(['?', '？', '!', '！', '。', '\n'])
        .flat_map(|part| part.split(". "))
        .filter(|part| part.chars().any(char::is_alphanumeric))
        .count();
    let joints = count(lower, JOINTS.into_iter()) + count(lower, CHINESE_JOINTS.split('|'));
    (sentences.saturating_sub(1) + joints).min(MOST)
}

fn count<'a>(text: &str, signs: impl Iterator<Item = &'a str>) -> usize {
    signs.map(|sign| text.matches(sign).count()).sum()
}

/// Returns the text's words, separated by single spaces, so that a search for " design " does not
/// find "designer".
fn spaced(lower: &str) -> String {
    let words: Vec<&str> = lower
        .split(|c: char| !(c.is_alphanumeric() || c == '-'))
        .filter(|word| !word.is_empty())
        .collect();
    format!(" {} ", words.join(" "))
}

#[cfg(test)]
mod tests {
    use super::Complexity::{Complex, Moderate, Simple};
    use super::*;
    use quickcheck::quickcheck;

    #[test]
    fn requests_are_as_hard_as_they_look() {
        for (request, expected) in [
            ("", Simple),
            ("Summarize this page.", Simple),
            ("What is a neap tide?", Simple),
            ("Who wrote this?", Simple),
            ("When was the harbour built?", Simple),
            ("How many moons does Jupiter have?", Simple),
            ("Explain this passage of the page: M2", Simple),
            ("Translate the designer's name", Simple),
            ("List the key points", Simple),
            ("What does HTTP/2.0 mean?", Simple),
            ("Is it safe to update now?", Simple),
            ("总结一下这篇文章", Simple),
            ("什么是大潮？", Simple),
            ("作者是谁？", Simple),
            ("这座港口是哪一年建成的？", Simple),
            ("Why do some ports have one tide a day?", Moderate),
            ("How does the moon cause tides?", Moderate),
            ("Compare spring tides with neap tides", Moderate),
            ("Who wrote this, and when?", Moderate),
            ("What is a tide? What is a current?", Moderate),
            ("Read the table, then name its largest value.", Moderate),
            (
                "I am planning to go sailing from the small harbour in the north of the island \
                 next week and would like to know what the page says about leaving",
                Moderate,
            ),
            ("为什么有些港口一天只有一次潮汐？", Moderate),
            ("大潮和小潮有什么区别？", Moderate),
            ("作者是谁？写于哪一年？", Moderate),
            ("总结这篇文章，并列出三个要点", Moderate),
            (
                "Compare the two proposals and say which is cheaper, and why",
                Complex,
            ),
            (
                "What are the pros and cons of each method? Which would you recommend, and why?",
                Complex,
            ),
            (
                "1. Summarise the method\n2. Name its limits\n3. Compare it with the earlier one",
                Complex,
            ),
            (
                "Analyse the argument step by step and evaluate whether its evidence is enough",
                Complex,
            ),
            (
                "How does the cache work, and what if two writers meet; who wins?",
                Complex,
            ),
            ("比较这两种方法的优缺点，并分析它们对成本的影响", Complex),
            (
                "为什么潮汐会延迟？如何计算延迟的时间？请举一个例子。",
                Complex,
            ),
            ("先总结全文；再评价作者的论证；最后提出你的建议", Complex),
        ] {
            assert_eq!(Complexity::estimate(request), expected, "{request}");
        }
    }

    quickcheck! {
        fn more_of_a_request_is_never_easier(request: String, more: String) -> bool {
            let both = format!("{request}\n{more}");
            Complexity::estimate(&both) as u8 >= Complexity::estimate(&request) as u8
        }
    }
}
