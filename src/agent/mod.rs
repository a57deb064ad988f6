//! The agent: reason, act, observe, until the goal is met or a bound is hit.
//!
//! Driving example: *Summarize page* records its own thought and call, reads
//! the page, observes, and the observation carries the answer. [`run`] is the
//! whole loop (`ReAct`, Yao et al. 2023); what is not the loop is in the files
//! beside it. It touches the world only through [`Ctx::step`], so a killed run
//! is the same function called again.

mod act;
mod answer;
mod answering;
mod as_told;
mod ask;
mod bounds;
mod budget;
mod came_to;
mod carried;
mod citations;
mod dialogue;
mod edit;
mod elsewhere;
mod ending;
mod event;
pub mod export;
mod extract;
mod failure;
mod fitting;
pub mod fork;
mod gate;
mod gathered;
mod goal;
mod history;
mod inbox;
mod laid;
mod links;
mod model_failure;
mod month;
mod need;
mod observe;
mod offering;
mod permissions;
mod plain;
mod prompt;
mod read_page;
mod reading;
mod reason;
mod recallable;
mod recalling;
mod reflection;
mod reflexion;
#[cfg(any(test, feature = "sim"))]
pub mod replay;
mod researched;
mod run;
mod scale;
mod services;
mod shorten;
mod speaker;
mod spending;
mod state;
mod synthesise;
mod thought;
mod timeline;
pub mod trajectory;
mod transcript;
mod trying;
mod wait;
mod wave;

#[cfg(test)]
mod tests;

pub use crate::context::Earlier;
pub use crate::model::{Aides, Lead, Voice};
pub use crate::phrase::Said;
pub use answer::{Answer, Citation, Disclaimer, Layout, Left, Researched};
pub use bounds::Bound;
pub use carried::Gathered;
pub use ending::{Closing, Ending};
pub use event::{Event, PageRead, Phase, Status};
pub use failure::{Failure, System, SystemCommand};
pub use gathered::gather;
pub use goal::{Brief, Cycle, Exchange, Goal, Known, Mode, OnToolFailure, Settings, Style};
pub use history::window;
pub use inbox::FollowUp;
pub use need::{Need, Verdict, Wait};
pub use recallable::earlier;
pub use reflection::Reflection;
pub use reflexion::episodes::{Episodes, Keep};
pub use services::Hands;
pub use speaker::Speaker;
pub use spending::{MOST_CENTS, MOST_TOKENS, SpendingLimit};
pub use timeline::Timeline;

use crate::durable::{Ctx, Halt};
use crate::host::{Clock, Documents, Reader, Tabs};
use crate::memory::Memory;
use crate::model::{Models, Purse};
use crate::search;
use crate::study::Study;
use crate::tools::{Switches, ToolDyn};
use act::act;
use ending::End;
use gate::Gate;
use observe::observe;
use reason::reason;
use state::State;
use std::rc::Rc;
use synthesise::synthesise;

/// Runs a turn to its end.
///
/// # Errors
/// [`Halt`]: the run goes no further in this life.
pub async fn run(ctx: &Ctx, config: Brief, services: Hands) -> Result<Ending, Halt> {
    let purse = services.purse.clone();
    // On the heap: it is the largest future there is, and stands in all that awaits a run.
    let ended = Box::pin(cycle(ctx, config, services)).await;
    purse.release(&ctx.run()).await;
    ending::settle(ended)
}

async fn cycle(ctx: &Ctx, config: Brief, services: Hands) -> Result<Ending, End> {
    let is_plain = config.mode == Mode::Plain;
    let mut state = State::open(ctx, config, services).await?;
    ctx.file();
    while !is_plain && let Some(step) = state.next_step(ctx).await? {
        state.read_messages(&step)?;
        let carried = state.progress.carried.take();
        let thought = reason(&step, carried, &mut state.dialogue).await?;
        match state.judge(&step, &thought)? {
            Gate::Answers => break,
            Gate::Refused => continue,
            Gate::Acts if state.stops_short(&step)? => break,
            Gate::Acts => {}
        }
        let consent = (&state.permissions, &state.sources);
        let acted = act(
            &step,
            &thought.calls,
            &mut state.dialogue,
            consent,
            &state.retries,
        )
        .await?;
        let results = state.take_results(&step, acted).await?;
        let observation = observe(&step, results, &mut state.dialogue, &mut state.lessons).await?;
        let goal_met = state.take_observation(&step, observation)?;
        ctx.file();
        if goal_met {
            break;
        }
    }
    synthesise(ctx, state).await
}
