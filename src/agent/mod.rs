//! The agent: reason, act, observe, until the goal is met or a limit is reached.
//!
//! [`cycle`] is the whole loop (`ReAct`, Yao et al. 2023). `reason`, `act` and `observe` take what
//! they need and return what they found; [`State`] applies it. Driving example: *Summarize page*
//! carries its own thought and call, reads the page, observes, and the observation is the answer.
//! The world is touched only through [`Ctx::step`], so a killed run is the same function called
//! again.
//!
//! # Limits
//!
//! | Limit | Where it is enforced |
//! |---|---|
//! | steps: the user's number, else 2, 5 or 8 by complexity | before a step: [`State::next_step`] → `Budget::begin_step` |
//! | tokens, cost and month, less what the closing answer takes | the same; before the calls of a step: [`State::stops_short`]; before another call of a model: `dialogue::next_call::decide`; before a helper is asked: `Budget::may_pay` |
//! | active time | before a step: `Budget::begin_step`; each tool has its own (`tools`) |
//! | tool calls | before a step, and within one: `react::act` skips those beyond it |
//! | the context window | before each call of a model: `dialogue::context_window::fit`; what can't fit ends the loop |
//! | tries of a call | a model's: `dialogue::next_call::decide`; a tool's: `react::act` (twice) and `reflexion::Retries` (four times for one action) |
//! | confidence of an answer without tools | [`State::judge`] and [`State::take_observation`], once a run: `react::gate` |
//! | steps that neither call nor answer | [`State::judge`], two a run |
//! | what needs the user's permission | a model's server: `dialogue::ask`; a tool: `consent` and `react::act` |
//! | a stop, a pause | any [`Ctx::step`]: [`Halt`] |
//!
//! Each limit that ends the loop is a [`Bound`], and the answer says which.
//!
//! # Folders
//!
//! None imports one that follows it in this list: `config` (what a run is begun with), `events`
//! (what it states), `lessons` (what earlier runs learned), `citations`, `run` (its services, page
//! and steps), `thought`, `timeline` (records to events), `trajectory`, `export`, `history`
//! (earlier turns, and the run before an update), `fork`, `reflexion`, `budget`, `transcript` (what
//! the model sees), `consent`, `dialogue` (asking the model), `react` (the functions of the loop).

mod budget;
mod citations;
mod config;
mod consent;
mod dialogue;
mod events;
pub mod export;
pub mod fork;
mod history;
mod lessons;
mod react;
mod reflexion;
#[cfg(any(test, feature = "sim"))]
pub mod replay;
mod run;
mod run_usage;
mod thought;
mod timeline;
pub mod trajectory;
mod transcript;

#[cfg(test)]
mod tests;

pub use crate::context::Earlier;
pub use crate::model::{Aides, Lead, Voice};
pub use crate::phrase::Said;
pub use config::{
    Cycle, Exchange, FollowUp, Goal, Known, Mode, OnToolFailure, Reflection, RunConfig, Settings,
    Style,
};
pub use events::{
    Answer, Bound, Citation, Closing, Disclaimer, Ending, Event, Failure, Gathered, Layout, Left,
    MOST_CENTS, MOST_TOKENS, Need, PageRead, Phase, Researched, Speaker, SpendingLimit, Status,
    System, SystemCommand, Verdict, Wait, failure,
};
pub use history::earlier_results::earlier;
pub use history::gather::gather;
pub use history::window::window;
pub use lessons::{Episodes, Keep};
pub use run::services::Services;
pub use run_usage::{CallCharge, RunUsage, UsageSum};
pub use timeline::Timeline;

use crate::durable::{Ctx, Halt};
use events::{End, settle};
use react::act::act;
use react::gate::Gate;
use react::observe::observe;
use react::reason::reason;
use react::state::State;
use react::synthesise::synthesise;

/// Runs a turn to its end.
///
/// # Errors
/// [`Halt`]: the run goes no further in this life.
pub async fn run(ctx: &Ctx, config: RunConfig, services: Services) -> Result<Ending, Halt> {
    let purse = services.purse.clone();
    // On the heap: it is the largest future there is, and is part of all that awaits a run.
    let ended = Box::pin(cycle(ctx, config, services)).await;
    purse.landed().await;
    settle(ended)
}

async fn cycle(ctx: &Ctx, config: RunConfig, services: Services) -> Result<Ending, End> {
    let is_plain = config.mode == Mode::Plain;
    let mut state = State::open(ctx, config, services).await?;
    ctx.file();
    while !is_plain && let Some(step) = state.next_step(ctx).await? {
        state.read_messages(&step)?;
        let carried = state.progress.carried.take();
        let thought = reason(&step, carried, &mut state.dialogue).await?;
        match state.judge(&step, &thought)? {
            Gate::Answers | Gate::Idle => break,
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
