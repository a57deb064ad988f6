//! Proves that kills don't matter. A scenario is killed at every tick, and its recovery too. The
//! result is compared with that of a run that was not killed.
//!
//! There is deliberately no list of points at which to kill. A worker is killed at tick 0, 1, 2, …
//! until it ends before the kill, for each seed. The seed decides in which order effects end, and
//! how much of an unfinished write reaches the disk.

mod case;
mod checks;
mod lives;
mod outside;
mod scenario;
mod story;
mod sweep;
mod trajectory;
mod user;

pub(crate) use outside::{Act, Outside};
pub(crate) use scenario::{Scenario, page, scripted};
pub(crate) use sweep::prove;
pub(crate) use user::UserAction;

/// All records of the only run in this world.
pub(crate) fn records(sim: &gloss::host_sim::Sim) -> Vec<gloss::durable::Record> {
    let journals = trajectory::journals(&crate::stage::recorded(sim));
    journals.into_values().flatten().collect()
}
