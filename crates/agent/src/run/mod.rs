//! What stays the same for a whole run, and the step that it is at.

pub(crate) mod extract;
pub(crate) mod read_page;
pub(crate) mod reading;
pub(crate) mod services;
pub(crate) mod wait;

use crate::config::RunConfig;
use crate::events::{Event, PageRead};
use crate::run::services::Services;
use gloss_durable::{Ctx, Halt};
use gloss_host::Selection;
use gloss_model::ToolCall;
use gloss_model::prompts::Prompts;
use gloss_tools::ToolOutcome;

/// The topic of notes that are events.
pub(crate) const TOPIC: &str = "event";

/// A run: what it was begun with, and the page that it read first.
pub(crate) struct Run {
    pub(crate) config: RunConfig,
    pub(crate) services: Services,
    /// The prompts in force.
    pub(crate) prompts: Prompts,
    /// The page; `None` if there is nothing that can be read.
    pub(crate) page: Option<PageRead>,
    /// What the user had selected on the page when it was read.
    pub(crate) selection: Option<Selection>,
}

/// A step of the loop.
pub(crate) struct Step {
    pub(crate) ctx: Ctx,
    /// From 1.
    pub(crate) number: u8,
    /// The most steps, as known now.
    pub(crate) max_steps: u8,
}

impl Step {
    /// States what happened, once in the run's life.
    pub(crate) fn tell(&self, segment: &str, event: &Event) -> Result<(), Halt> {
        tell(&self.ctx, segment, event)
    }
}

/// States what happened, once in the run's life.
pub(crate) fn tell(ctx: &Ctx, segment: &str, event: &Event) -> Result<(), Halt> {
    ctx.note(segment, TOPIC, event)
}

/// A call and what it gave.
pub(crate) struct Done {
    pub(crate) call: ToolCall,
    pub(crate) outcome: ToolOutcome,
    /// How often it was made.
    pub(crate) tries: u32,
}
