//! What a model is told of the protocol, as part of its system message.

use super::words::{CHINESE, ENGLISH, Words};
use crate::{Calling, Purpose, Request, ToolDefinition};

/// The argument by which a native call says why it is made.
pub(crate) const REASONING: &str = "reasoning";
/// Its description in a tool's schema.
pub(crate) const REASONING_MEANS: &str = "Why this tool with these arguments, in one sentence.";

/// The protocol in words, and what this call is to do: the end of the system message.
pub fn instructions(calling: Calling, request: &Request) -> String {
    let words = request.language.pick(ENGLISH, CHINESE);
    match request.purpose {
        // It is for the program alone, and says itself what is asked.
        Purpose::Compact | Purpose::Grade | Purpose::Rewrite => return String::new(),
        Purpose::Reason | Purpose::Act | Purpose::Observe | Purpose::Synthesise => {}
    }
    let mut parts = vec![words.block.to_owned()];
    match (request.tools.offered(), calling) {
        ([], _) => parts.push(words.no_tools.to_owned()),
        (_, Calling::Native) => parts.push(words.native.to_owned()),
        (tools, Calling::Text) => {
            parts.push(words.text.to_owned());
            parts.push(listed(&words, tools));
        }
    }
    parts.push(request.task.clone());
    parts.push(closing(&words, request).to_owned());
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

/// How what is asked for is said.
fn closing(words: &Words, request: &Request) -> &'static str {
    match (request.purpose, request.tools.offered()) {
        (Purpose::Reason, []) => words.plan,
        (Purpose::Reason, _) => words.reason,
        (Purpose::Act, _) => words.act,
        (Purpose::Observe, []) => words.observe,
        (Purpose::Observe, _) => words.observe_and_go_on,
        (Purpose::Synthesise | Purpose::Compact | Purpose::Grade | Purpose::Rewrite, _) => "",
    }
}

fn listed(words: &Words, tools: &[ToolDefinition]) -> String {
    let line = |tool: &ToolDefinition| {
        let (name, means) = (&tool.name, tool.told());
        format!(
            "\n- {name}: {means}\n  {}: {}",
            words.arguments, tool.parameters
        )
    };
    let lines: String = tools.iter().map(line).collect();
    format!("{}{lines}", words.tools)
}
