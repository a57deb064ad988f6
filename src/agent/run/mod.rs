//! What stays the same for a whole run, and the step that it is at.

pub(in crate::agent) mod extract;
pub(in crate::agent) mod read_page;
pub(in crate::agent) mod reading;
pub(in crate::agent) mod services;
pub(in crate::agent) mod wait;

use crate::agent::config::RunConfig;
use crate::agent::events::{Event, PageRead};
use crate::agent::run::services::Services;
use crate::durable::{Ctx, Halt};
use crate::host::Selection;
use crate::model::ToolCall;
use crate::prompts::Prompts;
use crate::tools::ToolOutcome;

/// The topic of notes that are events.
pub(in crate::agent) const TOPIC: &str = "event";

/// A run: what it was begun with, and the page that it read first.
pub(in crate::agent) struct Run {
    pub(in crate::agent) config: RunConfig,
    pub(in crate::agent) services: Services,
    /// The prompts in force.
    pub(in crate::agent) prompts: Prompts,
    /// The page; `None` if there is nothing that can be read.
    pub(in crate::agent) page: Option<PageRead>,
    /// What the user had selected on the page when it was read.
    pub(in crate::agent) selection: Option<Selection>,
}

/// A step of the loop.
pub(in crate::agent) struct Step {
    pub(in crate::agent) ctx: Ctx,
    /// From 1.
    pub(in crate::agent) number: u8,
    /// The most steps, as known now.
    pub(in crate::agent) max_steps: u8,
}

impl Step {
    /// States what happened, once in the run's life.
    pub(in crate::agent) fn tell(&self, segment: &str, event: &Event) -> Result<(), Halt> {
        tell(&self.ctx, segment, event)
    }
}

/// States what happened, once in the run's life.
pub(in crate::agent) fn tell(ctx: &Ctx, segment: &str, event: &Event) -> Result<(), Halt> {
    ctx.note(segment, TOPIC, event)
}

/// A call and what it gave.
pub(in crate::agent) struct Done {
    pub(in crate::agent) call: ToolCall,
    pub(in crate::agent) outcome: ToolOutcome,
    /// How often it was made.
    pub(in crate::agent) tries: u32,
}
