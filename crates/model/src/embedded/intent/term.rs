//! Messages that ask for the meaning of a term.

use super::is_mark;
use gloss_text::simplified;

/// The maximum length of a term in words and, if it isn't all ASCII, in characters.
const MOST_WORDS: usize = 4;
const MOST_CHARACTERS: usize = 12;

/// Phrases before the term. Longer phrases come first, because the first match is used.
#[rustfmt::skip]
const BEFORE: [&str; 22] = [
    "what is the definition of ", "what's the definition of ", "what is the meaning of ",
    "what's the meaning of ", "what is meant by ", "what do you mean by ", "the meaning of ",
    "definition of ", "meaning of ", "what does ", "what are ", "what is ", "what's ", "explain ",
    "define ", "什么是", "何谓", "请解释一下", "请解释", "解释一下", "解释下", "解释",
];

/// Phrases after the term.
#[rustfmt::skip]
const AFTER: [&str; 12] = [
    " stand for", " mean here", " mean", "是什么意思", "的意思是什么", "是什么的缩写", "指的是什么", "是指什么",
    "是什么", "什么意思", "一下", "怎么理解",
];

/// Words that occur in whole clauses. A text with one of these words is not a term.
#[rustfmt::skip]
const CLAUSES: [&str; 15] = [
    "that", "is", "are", "was", "were", "do", "does", "did", "has", "have", "if", "when", "how", "why",
    "should",
];

/// Returns the term whose meaning a message asks for, or `None` if it doesn't ask for a meaning.
pub(super) fn asked_about(message: &str) -> Option<&str> {
    let message = message.trim_matches(|c: char| c.is_whitespace() || is_mark(c));
    let before = BEFORE.iter().find(|before| {
        let head = message.get(..before.len());
        head.is_some_and(|head| simplified(&head.to_lowercase()) == **before)
    });
    let rest = before.map_or(message, |before| {
        message.get(before.len()..).unwrap_or_default()
    });
    let after = AFTER
        .iter()
        .find(|after| rest.to_lowercase().ends_with(**after));
    let inner = after.map_or(rest, |after| {
        rest.get(..rest.len() - after.len()).unwrap_or(rest)
    });
    let asks = match (before, after) {
        // "What does it do?" begins with "what does", but does not ask for a meaning. Only an
        // ending such as " mean" makes it a question about a meaning.
        (Some(&"what does "), after) => after.is_some_and(|after| after.is_ascii()),
        (Some(_), _) => true,
        (None, Some(after)) => !after.is_ascii() && *after != "一下",
        (None, None) => false,
    };
    let marks = ['“', '”', '"', '「', '」', '《', '》', '\'', '‘', '’', ' '];
    let bare = inner.trim_matches(marks);
    let the = bare.get(..4).filter(|the| the.eq_ignore_ascii_case("the "));
    let text = match the {
        Some(the) => bare.get(the.len()..).unwrap_or(bare),
        None => bare
            .strip_prefix("a ")
            .or_else(|| bare.strip_prefix("an "))
            .unwrap_or(bare),
    };
    let text = text.trim_matches(marks);
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    let is_short = words.len() <= MOST_WORDS && text.chars().count() <= most_characters(text);
    let is_clause = words.iter().any(|word| CLAUSES.contains(&word.as_str()));
    // In "What is it?", the pronoun refers to an earlier message, so it is not a term.
    let is_pronoun = matches!(
        text.to_lowercase().as_str(),
        "it" | "this"
            | "that"
            | "they"
            | "these"
            | "those"
            | "here"
            | "它"
            | "这"
            | "这个"
            | "那"
            | "那个"
    );
    let fits =
        asks && is_short && !is_clause && !is_pronoun && text.chars().any(char::is_alphanumeric);
    fits.then_some(text)
}

fn most_characters(text: &str) -> usize {
    if text.is_ascii() {
        usize::MAX
    } else {
        MOST_CHARACTERS
    }
}
