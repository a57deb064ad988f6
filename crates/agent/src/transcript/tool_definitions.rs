//! The tool definitions that a model call sends, shortened so that the rest of the prompt fits the
//! window (DETAILS §9).
//!
//! Example: in a window of 8 192 tokens, the definitions may have 1 638 tokens, a fifth of
//! the window. Without their examples, and with only the first sentence of each description,
//! thirteen definitions still have 2 900 tokens. Therefore whole tools are left out, in a fixed
//! order, until the rest fits. Tools that read the page are never left out.

use gloss_model::{ContextWindow, ToolDefinition};
use gloss_tools::{Toolbox, omission_order};
use std::rc::Rc;

/// Tool definitions get at most `1 / TOOLS_PART` of the window.
const TOOLS_PART: u32 = 5;

/// Tool definitions, and their size in tokens.
#[derive(Clone, Default)]
pub(crate) struct ToolDefinitions {
    pub(crate) tools: Rc<[ToolDefinition]>,
    pub(crate) tokens: u32,
}

/// Returns the definitions of the enabled tools, cut to fit the model's window.
pub(crate) fn definitions(toolbox: &Toolbox, room: ContextWindow) -> ToolDefinitions {
    let tools = trimmed(toolbox.definitions(), room.window() / TOOLS_PART);
    let tokens = tokens_of(&tools);
    ToolDefinitions { tools, tokens }
}

/// Shortens definitions and leaves out tools until at most `most` tokens are left. Tools that read
/// the page always stay, so the result may be longer.
fn trimmed(mut tools: Rc<[ToolDefinition]>, most: u32) -> Rc<[ToolDefinition]> {
    if tokens_of(&tools) > most {
        tools = tools.iter().map(without_examples).collect();
    }
    if tokens_of(&tools) > most {
        tools = tools.iter().map(in_a_sentence).collect();
    }
    for name in omission_order() {
        if tokens_of(&tools) <= most {
            break;
        }
        let stay = tools.iter().filter(|tool| tool.name != name);
        tools = stay.cloned().collect();
    }
    tools
}

fn tokens_of(tools: &[ToolDefinition]) -> u32 {
    tools.iter().map(ToolDefinition::tokens).sum()
}

fn without_examples(tool: &ToolDefinition) -> ToolDefinition {
    ToolDefinition {
        examples: Vec::new(),
        ..tool.clone()
    }
}

/// Returns the definition with only the first sentence of its description. That sentence says what
/// the tool returns. The advice on when to use the tool is dropped.
fn in_a_sentence(tool: &ToolDefinition) -> ToolDefinition {
    let first = tool.description.split_inclusive(". ").next();
    ToolDefinition {
        description: first.unwrap_or_default().trim().to_owned(),
        ..tool.clone()
    }
}
