#![doc = include_str!("../README.md")]

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

pub use config::{
    Cycle, Exchange, FollowUp, Goal, KnownFacts, Lesson, Mode, OnToolFailure, RunConfig, Settings,
    Style,
};
pub use events::{
    Answer, AnsweredFrom, ApprovalScope, Bound, CarryOver, Citation, Closing, Disclaimer, Ending,
    Event, Failure, Layout, MOST_CENTS, MOST_TOKENS, MissingRight, ModelIdentity, PageRead, Phase,
    Research, SpendingLimit, Status, System, SystemCommand, UncitedPage, Verdict, Wait, failure,
};
pub use gloss_context::EarlierResults;
pub use gloss_model::phrase::DisplayText;
pub use gloss_model::{AnswerOrigin, ModelRoles, QuoteLabel};
pub use history::earlier_results::collect_earlier;
pub use history::gather::gather;
pub use history::provenance::provenance_of;
pub use history::window::window;
pub use lessons::{LessonStore, StoreLessons};
pub use run::services::Services;
pub use run_usage::{CallCharge, RunUsage, UsageSum};
pub use timeline::Timeline;

use events::{End, into_ending};
use gloss_durable::{Ctx, Halt};
use react::act::act;
use react::gate::Gate;
use react::observe::observe;
use react::reason::reason;
use react::state::State;
use react::synthesise::synthesise;

/// Executes a run until it ends, and returns its answer or its failure.
///
/// # Errors
/// [`Halt`]: the run cannot continue in this life of the worker.
pub async fn run(ctx: &Ctx, config: RunConfig, services: Services) -> Result<Ending, Halt> {
    let ledger = services.ledger.clone();
    // The future is boxed because it is very large. Without the box, every future that awaits a run
    // would contain it.
    let ended = Box::pin(cycle(ctx, config, services)).await;
    ledger.flush().await;
    into_ending(ended)
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
        let consent = (&mut state.permissions, &state.sources);
        let acted = act(
            &step,
            &thought.calls,
            &mut state.dialogue,
            consent,
            &state.retries,
        )
        .await?;
        let results = state.take_results(&step, acted).await?;
        let learned = (&mut state.lessons, &mut state.permissions);
        let observation = observe(&step, results, &mut state.dialogue, learned).await?;
        let goal_met = state.take_observation(&step, observation)?;
        ctx.file();
        if goal_met {
            break;
        }
    }
    synthesise(ctx, state).await
}
