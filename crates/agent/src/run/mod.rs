//! The data that stays the same during a run, and the current step of the run.

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

/// The topic under which events are written to the journal (see [`Ctx::note`]).
pub(crate) const TOPIC: &str = "event";

/// A run: its configuration and services, and the page that it read at its start.
pub(crate) struct Run {
    pub(crate) config: RunConfig,
    pub(crate) services: Services,
    pub(crate) prompts: Prompts,
    /// The run's page; `None` if there is no readable page.
    pub(crate) page: Option<PageRead>,
    /// The user's selection on the page at the time of reading.
    pub(crate) selection: Option<Selection>,
}

/// A step of the loop.
pub(crate) struct Step {
    pub(crate) ctx: Ctx,
    /// The number of the step, from 1.
    pub(crate) number: u8,
    /// The maximum number of steps, as known at this step. The maximum can change during the run.
    pub(crate) max_steps: u8,
}

impl Step {
    /// Records an event of this step under `segment`. A replay does not record the event again.
    pub(crate) fn record_event(&self, segment: &str, event: &Event) -> Result<(), Halt> {
        tell(&self.ctx, segment, event)
    }
}

/// Records an event under `segment`. A replay does not record the event again.
pub(crate) fn tell(ctx: &Ctx, segment: &str, event: &Event) -> Result<(), Halt> {
    ctx.note(segment, TOPIC, event)
}

/// A call with its result.
pub(crate) struct CallResult {
    pub(crate) call: ToolCall,
    pub(crate) outcome: ToolOutcome,
    pub(crate) tries: u32,
}
