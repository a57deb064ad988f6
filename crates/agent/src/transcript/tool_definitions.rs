//! The tool definitions that a call sends, cut so that they leave room for the rest (DETAILS §9).
//!
//! Driving example: in a window of 8 192 tokens thirteen definitions may cost 1 638. Without
//! examples, and in a sentence each, they still cost 2 900: tools that can be done without are
//! left out, in a fixed order, until the rest fits. What reads the page never is.

use gloss_model::{Room, ToolDefinition};
use gloss_tools::{Toolbox, spared};
use std::rc::Rc;

/// Tool definitions are trimmed where they take more than this part of the window.
const TOOLS_PART: u32 = 5;

/// Tool definitions, and what they cost a model to read, in tokens.
#[derive(Clone, Default)]
pub(crate) struct Offered {
    pub(crate) tools: Rc<[ToolDefinition]>,
    pub(crate) tokens: u32,
}

/// The definitions of these tools for a model with so much room.
pub(crate) fn definitions(toolbox: &Toolbox, room: Room) -> Offered {
    let tools = trimmed(toolbox.definitions(), room.window() / TOOLS_PART);
    let tokens = tokens_of(&tools);
    Offered { tools, tokens }
}

/// Definitions that cost no more than `most`, as far as that can be.
fn trimmed(mut tools: Rc<[ToolDefinition]>, most: u32) -> Rc<[ToolDefinition]> {
    if tokens_of(&tools) > most {
        tools = tools.iter().map(without_examples).collect();
    }
    if tokens_of(&tools) > most {
        tools = tools.iter().map(in_a_sentence).collect();
    }
    for name in spared() {
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

/// What the tool gives; when to use it, a model has to guess.
fn in_a_sentence(tool: &ToolDefinition) -> ToolDefinition {
    let first = tool.description.split_inclusive(". ").next();
    ToolDefinition {
        description: first.unwrap_or_default().trim().to_owned(),
        ..tool.clone()
    }
}
