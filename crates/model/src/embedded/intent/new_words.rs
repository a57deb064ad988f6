//! Messages that ask for text that is not on the page.
//!
//! Example: "Translate this" and "Write an email about it" ask for new text. Usually the first word
//! decides: "Who translated it?" begins with "who", so it is a question about the page.

/// Words or phrases at the beginning of messages that ask for new text.
#[rustfmt::skip]
const BEGINNINGS: [&str; 48] = [
    "translate", "rewrite", "rephrase", "paraphrase", "reword", "simplify", "shorten", "proofread",
    "compose", "imagine", "pretend", "brainstorm", "compare", "tell me a joke", "tell me a story",
    "what do you think", "what's your opinion", "what is your opinion", "do you agree", "do you think",
    "say it in", "how do you say", "how do i say", "write a", "write an", "write me", "draft a", "draft an",
    "übersetze", "übersetzen", "traduis", "traduire", "traduce", "traducir", "翻訳", "翻译", "译成", "改写",
    "润色", "重写", "扩写", "起草", "比较", "写一封", "写一篇", "你怎么看", "你觉得", "你认为",
];

/// Phrases that make a message a request for new text, wherever they occur in the message.
#[rustfmt::skip]
const WITHIN: [&str; 9] = [
    "like i'm five", "like i'm 5", "eli5", "in your own words", "翻译成", "译成", "改写成", "翻訳して", "用自己的话",
];

pub(super) fn are_asked_for(words: &str) -> bool {
    let begins = |beginning: &&str| {
        words.strip_prefix(*beginning).is_some_and(|rest| {
            let next = rest.chars().next();
            !next.is_some_and(|c| c.is_ascii_alphanumeric())
        })
    };
    BEGINNINGS.iter().any(begins) || WITHIN.iter().any(|phrase| words.contains(phrase))
}
