//! The intent of a message to the on-device model.
//!
//! Example: "tl;dr" asks for a summary. "What is a neap tide?" asks for the meaning of a term. "Why
//! do some ports have one tide a day?" asks for a passage of the page. "Thanks!" is answered
//! without the page. "Translate this" asks for new text, which this model can't write. The intent
//! is recognised by word lists, mainly in English and Chinese. A message that matches no list is a
//! question about the page.

mod new_words;
mod summary;
mod term;

use gloss_text::simplified;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Intent<'a> {
    /// The user asks for a summary of the page.
    Summary,
    /// The user asks for the meaning of a term, which the page need not explain.
    Term(&'a str),
    /// The user asks for passages of the page on a subject.
    Find,
    /// Small talk, or a question about Gloss itself.
    SmallTalk,
    /// The user asks for text that is not on the page, such as a translation or a letter.
    NewWords,
}

impl<'a> Intent<'a> {
    pub(super) fn of(message: &'a str) -> Self {
        let words = words(message);
        if SMALL_TALK.contains(&words.as_str()) {
            Self::SmallTalk
        } else if summary::is_asked_for(&words) {
            Self::Summary
        } else if new_words::are_asked_for(&words) {
            Self::NewWords
        } else {
            term::asked_about(message).map_or(Self::Find, Self::Term)
        }
    }
}

/// Greetings, thanks, and questions about Gloss itself.
#[rustfmt::skip]
const SMALL_TALK: [&str; 50] = [
    "hi", "hello", "hey", "hi there", "hello there", "good morning", "good evening", "thanks",
    "thank you", "thank you very much", "thank you so much", "thanks a lot", "thx", "ok thanks",
    "ok, thanks", "who are you", "what are you", "what is your name", "what's your name",
    "what can you do", "what can i ask", "how do you work", "how does this work", "what model are you",
    "which model are you", "are you an ai", "are you a bot", "are you chatgpt", "how can you help me",
    "help", "help me", "hallo", "danke", "bonjour", "merci", "hola", "gracias", "こんにちは", "ありがとう", "你好",
    "嗨", "早上好", "晚上好", "谢谢", "多谢", "你是谁", "你是什么", "你能做什么", "怎么用", "帮助",
];

/// Polite phrases that may surround a request.
const POLITE: [&str; 22] = [
    "please",
    "kindly",
    "can you",
    "could you",
    "would you",
    "will you",
    "can u",
    "i want you to",
    "i would like you to",
    "i'd like you to",
    "hey gloss",
    "gloss",
    "just",
    "now",
    "for me",
    "quickly",
    "briefly",
    "i need you to",
    "请",
    "麻烦",
    "帮我",
    "能不能",
];

/// Returns the message in lower case with single spaces, without surrounding punctuation and polite
/// phrases.
fn words(message: &str) -> String {
    let lower = simplified(&message.to_lowercase().replace('’', "'"));
    let spaced: Vec<&str> = lower.split_whitespace().collect();
    let mut words = spaced.join(" ");
    loop {
        let bare = words.trim_matches(|c: char| c.is_whitespace() || is_mark(c));
        let bare = POLITE.iter().fold(bare, |bare, polite| {
            let rest = bare.strip_prefix(polite);
            let rest = rest.filter(|rest| !rest.is_empty() && !joins(polite, rest));
            let end = bare.strip_suffix(polite);
            let end = end.filter(|end| end.ends_with(' '));
            rest.or(end).unwrap_or(bare)
        });
        if bare == words {
            return words;
        }
        words = bare.to_owned();
    }
}

/// Returns true if the last word of `start` continues in `rest`. For example, "can" and "not" form
/// "cannot".
fn joins(start: &str, rest: &str) -> bool {
    let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '\'');
    latin(start.chars().next_back()) && latin(rest.chars().next())
}

fn is_mark(c: char) -> bool {
    matches!(
        c,
        '?' | '!'
            | '.'
            | ','
            | ';'
            | ':'
            | '"'
            | '？'
            | '！'
            | '。'
            | '，'
            | '；'
            | '：'
            | '“'
            | '”'
            | '～'
            | '~'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_told_by_its_words() {
        let term = Intent::Term;
        for (message, intent) in [
            ("Summarise this for me", Intent::Summary),
            (
                "Please summarize the article in 3 sentences.",
                Intent::Summary,
            ),
            ("tl;dr", Intent::Summary),
            ("TLDR please", Intent::Summary),
            ("Main points?", Intent::Summary),
            ("What are the key takeaways?", Intent::Summary),
            ("What is this page about?", Intent::Summary),
            ("What does this article say?", Intent::Summary),
            ("Give me a short overview of the page", Intent::Summary),
            ("总结一下这篇文章", Intent::Summary),
            ("这篇文章讲了什么？", Intent::Summary),
            ("请列出三个要点", Intent::Summary),
            ("本文的主要内容是什么", Intent::Summary),
            (
                "What does the summary section say about recall?",
                Intent::Find,
            ),
            (
                "Which points does the author make about tides?",
                Intent::Find,
            ),
            ("摘要部分提到了哪种方法？", Intent::Find),
            ("What is a neap tide?", term("neap tide")),
            ("What are springs?", term("springs")),
            ("What does “M2” mean?", term("M2")),
            ("What does NBT stand for?", term("NBT")),
            ("Define mutex", term("mutex")),
            ("what's the meaning of deadlock", term("deadlock")),
            ("请解释一下“大潮”。", term("大潮")),
            ("解释一下大潮", term("大潮")),
            ("请解释大潮", term("大潮")),
            ("什么是大潮？", term("大潮")),
            ("大潮是什么？", term("大潮")),
            ("大潮是什么意思？", term("大潮")),
            ("What is the deadline?", term("deadline")),
            ("What is the capital of France?", term("capital of France")),
            ("法国的首都是什么？", term("法国的首都")),
            (
                "What is the reason that the tide is late in the harbour?",
                Intent::Find,
            ),
            ("Why do some ports have one tide a day?", Intent::Find),
            ("What does Gloss do with the page it reads?", Intent::Find),
            ("Hi!", Intent::SmallTalk),
            ("Thanks a lot", Intent::SmallTalk),
            ("谢谢！", Intent::SmallTalk),
            ("Who are you?", Intent::SmallTalk),
            ("What can you do?", Intent::SmallTalk),
            ("Are you ChatGPT?", Intent::SmallTalk),
            ("你是谁？", Intent::SmallTalk),
            ("你能做什么", Intent::SmallTalk),
            ("Help", Intent::SmallTalk),
            ("Who are you writing to?", Intent::Find),
            ("Translate this page into French", Intent::NewWords),
            ("把这段话翻译成英文", Intent::NewWords),
            ("翻译这一页", Intent::NewWords),
            ("Rewrite the first paragraph", Intent::NewWords),
            ("Could you write an email about this?", Intent::NewWords),
            ("帮我写一封邮件", Intent::NewWords),
            ("What do you think about the deal?", Intent::NewWords),
            ("Compare this with that", Intent::NewWords),
            ("Explain it like I'm five", Intent::NewWords),
            ("Tell me a joke", Intent::NewWords),
            ("Übersetze diese Seite", Intent::NewWords),
            ("Who translated the book?", Intent::Find),
            ("Create a database", Intent::Find),
            ("How do I write a unit test?", Intent::Find),
            ("Zebra quotas?", Intent::Find),
        ] {
            assert_eq!(Intent::of(message), intent, "{message}");
        }
    }
}
