//! Chooses the page tool for a question.

use super::super::{Complexity, Control, Reply, ToolCall, ToolDefinition};
use super::{Wanted, says};
use crate::phrase::{DisplayText, phrase};
use serde_json::json;

pub(super) const SUMMARIZE: &str = "summarize_page_content";
pub(super) const EXPLAIN: &str = "explain_text_with_context";
const FIND: &str = "find_in_page";

/// The tools that the on-device model calls. The list is public because a test in the crate `tools`
/// checks that these tools exist.
pub const TOOLS: [&str; 3] = [EXPLAIN, SUMMARIZE, FIND];

/// Chooses the page tool for a question. If `tools` does not contain that tool, the reply has no
/// call.
pub(super) fn reason(wanted: &Wanted, tools: &[ToolDefinition]) -> Reply {
    let (name, arguments, thought) = match wanted {
        Wanted::Own(key) => return says(key),
        Wanted::Summary => (
            SUMMARIZE,
            json!({ "detail": "normal" }),
            phrase("thought_summarize"),
        ),
        Wanted::Explanation(text) => (
            EXPLAIN,
            json!({ "text": text }),
            phrase("thought_explain").with(text),
        ),
        Wanted::Passages(question) => (
            FIND,
            json!({ "query": question }),
            phrase("thought_find").with(question),
        ),
    };
    let calls = tools
        .iter()
        .any(|tool| tool.name == name)
        .then(|| ToolCall {
            id: "1".to_owned(),
            name: name.to_owned(),
            arguments,
            reasoning: Some(DisplayText::Phrase(thought.clone())),
            after: None,
        });
    Reply {
        calls: calls.into_iter().collect(),
        control: Control {
            thought: Some(DisplayText::Phrase(thought)),
            complexity: Some(Complexity::Simple),
            ..Control::default()
        },
        ..Reply::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::{Message, Role, Transcript};
    use super::*;

    const PAGE: &str = "<main><p>A neap tide is a tide of little range. The deadline of the \
        survey passed, and M2 was measured well.</p></main>";

    fn chosen(question: &str, tools: &[&str]) -> Reply {
        let page = gloss_page::read(PAGE, "https://a.example/").unwrap();
        let tools: Vec<ToolDefinition> = tools
            .iter()
            .map(|name| ToolDefinition {
                name: (*name).to_owned(),
                description: String::new(),
                parameters: json!({}),
                examples: Vec::new(),
            })
            .collect();
        let mut transcript = Transcript::default();
        transcript.push(Message::text(Role::User, question));
        reason(&Wanted::of(&transcript, &page), &tools)
    }

    #[test]
    fn a_question_chooses_its_tool() {
        for (question, tool) in [
            ("Summarise this for me", SUMMARIZE),
            ("总结一下这篇文章", SUMMARIZE),
            ("What is a neap tide?", EXPLAIN),
            // The page uses these words, but does not define them.
            ("What does “M2” mean?", FIND),
            ("What is the deadline?", FIND),
            ("What is a spring tide?", FIND),
            ("Why do some ports have one tide a day?", FIND),
            (
                "What is the reason that the tide is late in the harbour?",
                FIND,
            ),
        ] {
            assert_eq!(chosen(question, &TOOLS).calls[0].name, tool, "{question}");
        }
    }

    #[test]
    fn without_tools_it_only_thinks() {
        assert!(chosen("Why?", &[]).calls.is_empty());
    }
}
