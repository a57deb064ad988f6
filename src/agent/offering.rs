//! The tools of a call, told so that they leave room for what it is about (DETAILS §9).
//!
//! Driving example: in a window of 8 192 tokens thirteen tools may cost 1 638 to be told of.
//! Without examples, and in a sentence each, they still cost 2 900: what can be done without
//! is left out, in a fixed order, until the rest fits. What reads the page never is.

use super::Mode;
use super::ask::Offer;
use super::desk::Desk;
use crate::model::{ToolDefinition, Tools};
use crate::tools::spared;
use std::rc::Rc;

/// Tool definitions are trimmed where they take more than this part of the window.
const TOOLS_PART: u32 = 5;

/// The tools of a call, and what they cost to be told of.
#[derive(Clone, Default)]
pub(super) struct Offered {
    pub(super) tools: Rc<[ToolDefinition]>,
    pub(super) tokens: u32,
}

impl Desk {
    /// The tools of a call. One that may only speak knows them all the same: where it calls one,
    /// nobody sees that.
    pub(super) fn tools(&self, offer: Offer) -> Tools {
        match (self.brief.mode, offer) {
            (Mode::Plain, _) => Tools::None,
            (Mode::Agent, Offer::Tools) => Tools::Offered(self.offered(offer).tools),
            // A small window is told of fewer, and calls others all the same.
            (Mode::Agent, Offer::Nothing) => Tools::Withheld(self.toolbox().definitions()),
        }
    }

    /// The tools that a call may use, told so that they leave room for the rest.
    pub(super) fn offered(&self, offer: Offer) -> Offered {
        if offer == Offer::Nothing || self.brief.mode == Mode::Plain {
            return Offered::default();
        }
        let recalls = !self.context.results().is_empty();
        // The same from call to call, and a replay makes them all again.
        let known = self.offered_before.borrow().clone();
        if let Some((_, offered)) = known.filter(|(before, _)| *before == recalls) {
            return offered;
        }
        let most = self.answering.room.window() / TOOLS_PART;
        let tools = trimmed(self.toolbox().definitions(), most);
        let tokens = told(&tools);
        let offered = Offered { tools, tokens };
        self.offered_before
            .replace(Some((recalls, offered.clone())));
        offered
    }
}

/// Tools that cost no more than `most` to be told of, as far as that can be.
fn trimmed(mut tools: Rc<[ToolDefinition]>, most: u32) -> Rc<[ToolDefinition]> {
    if told(&tools) > most {
        tools = tools.iter().map(without_examples).collect();
    }
    if told(&tools) > most {
        tools = tools.iter().map(in_a_sentence).collect();
    }
    for name in spared() {
        if told(&tools) <= most {
            break;
        }
        let stay = tools.iter().filter(|tool| tool.name != name);
        tools = stay.cloned().collect();
    }
    tools
}

/// What tools cost to be told of.
fn told(tools: &[ToolDefinition]) -> u32 {
    tools.iter().map(ToolDefinition::tokens).sum()
}

fn without_examples(tool: &ToolDefinition) -> ToolDefinition {
    ToolDefinition {
        examples: Vec::new(),
        ..tool.clone()
    }
}

/// What it gives; when to use it, a model has to guess.
fn in_a_sentence(tool: &ToolDefinition) -> ToolDefinition {
    let first = tool.description.split_inclusive(". ").next();
    ToolDefinition {
        description: first.unwrap_or_default().trim().to_owned(),
        ..tool.clone()
    }
}
