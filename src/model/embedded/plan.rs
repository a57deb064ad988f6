//! Which page tool a question asks for.

use super::super::{Complexity, Control, Reply, ToolCall, ToolDefinition};
use crate::phrase::{Said, phrase};
use serde_json::json;

pub(super) const SUMMARIZE: &str = "summarize_page_content";
pub(super) const EXPLAIN: &str = "explain_text_with_context";
const FIND: &str = "find_in_page";

/// All of them, so that a test above this layer can say that they exist.
#[cfg(test)]
pub(crate) const TOOLS: [&str; 3] = [EXPLAIN, SUMMARIZE, FIND];

/// Words by which a message asks for a summary of the page.
const SUMMARY_WORDS: [&str; 8] = [
    "summar",
    "tl;dr",
    "tldr",
    "key points",
    "总结",
    "概括",
    "摘要",
    "要点",
];

/// Words by which a message asks what a term means.
const EXPLAIN_WORDS: [&str; 7] = [
    "what is ",
    "what are ",
    "what does ",
    "explain ",
    "什么是",
    "是什么",
    "解释",
];

/// Whether a message asks for a summary of the page.
pub(super) fn asks_for_summary(question: &str) -> bool {
    let lower = question.to_lowercase();
    SUMMARY_WORDS.iter().any(|word| lower.contains(word))
}

/// Whether a message asks what some term means.
pub(super) fn asks_for_term(question: &str) -> bool {
    let lower = question.to_lowercase();
    EXPLAIN_WORDS.iter().any(|word| lower.contains(word)) && term_of(question).is_some()
}

/// Chooses the one tool that fits, among those it is given.
pub(super) fn reason(question: &str, tools: &[ToolDefinition]) -> Reply {
    let lower = question.to_lowercase();
    let asks = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let (name, arguments, thought) = if asks_for_summary(question) {
        (
            SUMMARIZE,
            json!({ "detail": "normal" }),
            phrase("thought_summarize"),
        )
    } else if let Some(term) = term_of(question).filter(|_| asks(&EXPLAIN_WORDS)) {
        let thought = phrase("thought_explain").with(term);
        (EXPLAIN, json!({ "text": term }), thought)
    } else {
        let thought = phrase("thought_find").with(question);
        (FIND, json!({ "query": question }), thought)
    };
    let calls = tools
        .iter()
        .any(|tool| tool.name == name)
        .then(|| ToolCall {
            id: "1".to_owned(),
            name: name.to_owned(),
            arguments,
            reasoning: Some(Said::Phrase(thought.clone())),
            after: None,
        });
    Reply {
        calls: calls.into_iter().collect(),
        control: Control {
            thought: Some(Said::Phrase(thought)),
            complexity: Some(Complexity::estimate(question)),
            ..Control::default()
        },
        ..Reply::default()
    }
}

/// The term that "What is …?" asks about, if it is short enough to be one.
fn term_of(question: &str) -> Option<&str> {
    let trimmed = question.trim().trim_end_matches(['?', '？', '.', '。']);
    let start = EXPLAIN_WORDS
        .iter()
        .filter_map(|word| {
            let head = trimmed.get(..word.len())?;
            head.to_lowercase().eq(word).then_some(word.len())
        })
        .max()
        .unwrap_or(0);
    let rest = trimmed.get(start..)?;
    let term = rest
        .trim_end_matches("是什么")
        .trim_end_matches(" mean")
        .trim_matches(['“', '”', '"', '「', '」', ' '])
        .trim_start_matches("the ")
        .trim_start_matches("a ");
    (!term.is_empty() && term.split_whitespace().count() <= 4).then_some(term)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tools() -> Vec<ToolDefinition> {
        TOOLS
            .map(|name| ToolDefinition {
                name: name.to_owned(),
                description: String::new(),
                parameters: json!({}),
            })
            .to_vec()
    }

    #[test]
    fn a_question_chooses_its_tool() {
        for (question, tool) in [
            ("Summarise this for me", SUMMARIZE),
            ("总结一下这篇文章", SUMMARIZE),
            ("What is a neap tide?", EXPLAIN),
            ("什么是大潮？", EXPLAIN),
            ("What does “M2” mean?", EXPLAIN),
            ("Why do some ports have one tide a day?", FIND),
            (
                "What is the reason that the tide is late in the harbour?",
                FIND,
            ),
        ] {
            let reply = reason(question, &tools());
            assert_eq!(reply.calls[0].name, tool, "{question}");
        }
    }

    #[test]
    fn without_tools_it_only_thinks() {
        assert!(reason("Why?", &[]).calls.is_empty());
    }

    #[test]
    fn the_term_is_what_is_asked_about() {
        assert_eq!(term_of("What is a neap tide?"), Some("neap tide"));
        assert_eq!(term_of("大潮是什么？"), Some("大潮"));
    }
}
