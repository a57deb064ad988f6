//! Messages that ask for text that is not on the page.
//!
//! Driving example: "Translate this" and "Write an email about it" ask for new text. Usually the
//! first word decides. "Who translated it?" is a question about the page, because its first word is
//! "who".

/// Words or phrases at the beginning of messages that ask for new text.
#[rustfmt::skip]
const BEGINNINGS: [&str; 38] = [
    "translate", "rewrite", "rephrase", "paraphrase", "reword", "simplify", "shorten", "proofread",
    "compose", "imagine", "pretend", "role-play", "roleplay", "brainstorm", "tell me a joke",
    "tell me a story", "what do you think", "what's your opinion", "what is your opinion",
    "do you agree", "do you like", "do you think", "say it in", "how do you say", "how do i say",
    "翻译", "译成", "改写", "润色", "重写", "扩写", "起草", "讲个笑话", "讲个故事", "你怎么看", "你觉得",
    "你认为", "你同意",
];

/// Kinds of text. A message that begins with "write", "draft" or a similar verb asks for new text
/// if one of these words follows.
#[rustfmt::skip]
const WRITTEN: [&str; 28] = [
    "email", "e-mail", "mail", "letter", "poem", "essay", "tweet", "post", "story", "reply",
    "response", "song", "joke", "message", "speech", "haiku", "headline", "review", "limerick", "quiz",
    "slogan", "paragraph", "comment", "caption", "thread", "title", "toast", "text",
];

const WRITING: [&str; 5] = ["write ", "draft ", "create ", "generate ", "make "];

/// Phrases that make a message a request for new text, wherever they occur in the message.
#[rustfmt::skip]
const WITHIN: [&str; 14] = [
    "like i'm five", "like i'm 5", "like i am five", "eli5", "in your own words", "翻译成", "翻译为",
    "译成", "改写成", "写一封", "写一篇", "写一首", "写一段", "用自己的话",
];

pub(super) fn are_asked_for(words: &str) -> bool {
    let begins = |beginning: &&str| {
        words.strip_prefix(*beginning).is_some_and(|rest| {
            let next = rest.chars().next();
            !next.is_some_and(|c| c.is_ascii_alphanumeric())
        })
    };
    BEGINNINGS.iter().any(begins)
        || WITHIN.iter().any(|phrase| words.contains(phrase))
        || is_writing(words)
}

fn is_writing(words: &str) -> bool {
    let rest = WRITING.iter().find_map(|verb| words.strip_prefix(verb));
    let written = |rest: &str| {
        let mut first = rest
            .split(|c: char| !(c.is_alphanumeric() || c == '-'))
            .take(5);
        first.any(|word| WRITTEN.contains(&word))
    };
    rest.is_some_and(written)
}
