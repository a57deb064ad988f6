//! The proof: a scenario is killed at every point, its recovery too, and the result is compared
//! with the unkilled run.
//!
//! There is deliberately no list of kill points. A worker is killed at tick 0, 1, 2 … until it
//! survives, for each seed. The seed decides in which order effects end and how much of a write in
//! progress reaches the disk.

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

/// All records of the only run.
pub(crate) fn records(sim: &gloss::host_sim::Sim) -> Vec<gloss::durable::Record> {
    let journals = trajectory::journals(&crate::stage::recorded(sim));
    journals.into_values().flatten().collect()
}
