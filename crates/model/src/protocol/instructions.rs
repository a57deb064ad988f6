//! The instructions for the reply format, which are part of the system message.

use super::words::{CHINESE, ENGLISH, Words};
use crate::{Calling, Purpose, Request, ToolDefinition};

/// The argument in which a model gives its reason for a native tool call.
pub(crate) const REASONING: &str = "reasoning";
/// The description of the argument `reasoning` in a tool's schema.
pub(crate) const REASONING_MEANS: &str = "Why this tool with these arguments, in one sentence.";

/// Returns the instructions for the reply format and for the task of this call. They are the end of
/// the system message.
pub fn instructions(calling: Calling, request: &Request) -> String {
    let words = request.language.pick(ENGLISH, CHINESE);
    match request.purpose {
        // No instructions are needed: the prompts of these calls define the reply format
        // themselves.
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

/// Returns the last instruction, which depends on the purpose of the call and on the tools.
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
        let (name, means) = (&tool.name, tool.description_with_examples());
        format!(
            "\n- {name}: {means}\n  {}: {}",
            words.arguments, tool.parameters
        )
    };
    let lines: String = tools.iter().map(line).collect();
    format!("{}{lines}", words.tools)
}
