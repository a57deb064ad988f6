//! What stays the same for a whole run, and the step that it is at.

use super::{Brief, Event, Hands, PageRead};
use crate::durable::{Ctx, Halt};
use crate::host::Selection;
use crate::model::ToolCall;
use crate::prompts::Prompts;
use crate::tools::ToolOutcome;

/// The topic of notes that are events.
pub(super) const TOPIC: &str = "event";

/// A run: what it was begun with, and the page that it read first.
pub(super) struct Run {
    pub(super) config: Brief,
    pub(super) services: Hands,
    /// The prompts in force.
    pub(super) prompts: Prompts,
    /// The page; `None` if there is nothing that can be read.
    pub(super) page: Option<PageRead>,
    /// What the user had selected on the page when it was read.
    pub(super) selection: Option<Selection>,
}

/// A step of the loop.
pub(super) struct Step {
    pub(super) ctx: Ctx,
    /// From 1.
    pub(super) number: u8,
    /// The most steps, as known now.
    pub(super) max_steps: u8,
}

impl Step {
    /// States what happened, once in the run's life.
    pub(super) fn tell(&self, segment: &str, event: &Event) -> Result<(), Halt> {
        tell(&self.ctx, segment, event)
    }
}

/// States what happened, once in the run's life.
pub(super) fn tell(ctx: &Ctx, segment: &str, event: &Event) -> Result<(), Halt> {
    ctx.note(segment, TOPIC, event)
}

/// A call and what it gave.
pub(super) struct Done {
    pub(super) call: ToolCall,
    pub(super) outcome: ToolOutcome,
    /// How often it was made.
    pub(super) tries: u32,
}
