//! The parts of a run that stay the same from start to end, and its current step.

pub(crate) mod capture_page;
pub(crate) mod extract;
pub(crate) mod page_content;
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

/// A run: its configuration and services, and the page that it read first.
pub(crate) struct Run {
    pub(crate) config: RunConfig,
    pub(crate) services: Services,
    /// The prompts that this run uses.
    pub(crate) prompts: Prompts,
    /// The page; `None` if no text can be read.
    pub(crate) page: Option<PageRead>,
    /// The user's selection on the page at the time of reading.
    pub(crate) selection: Option<Selection>,
}

/// A step of the loop.
pub(crate) struct Step {
    pub(crate) ctx: Ctx,
    /// The number of the step, from 1.
    pub(crate) number: u8,
    /// The most steps, as known at this step.
    pub(crate) max_steps: u8,
}

impl Step {
    /// Records an event, once in the run's life.
    pub(crate) fn record_event(&self, segment: &str, event: &Event) -> Result<(), Halt> {
        tell(&self.ctx, segment, event)
    }
}

/// Records an event, once in the run's life.
pub(crate) fn tell(ctx: &Ctx, segment: &str, event: &Event) -> Result<(), Halt> {
    ctx.note(segment, TOPIC, event)
}

/// A call with its result.
pub(crate) struct CallResult {
    pub(crate) call: ToolCall,
    pub(crate) outcome: ToolOutcome,
    /// The number of tries.
    pub(crate) tries: u32,
}
