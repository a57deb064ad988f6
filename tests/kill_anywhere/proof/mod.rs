//! The proof: a scenario is killed at every point, its recovery too, and what
//! comes of it is compared with the run that nobody killed.
//!
//! What is deliberately absent: any list of kill points. A worker is killed at
//! tick 0, 1, 2 … until it survives, for each seed; the seed decides in which
//! order things end and how much of what was being written still lands.

mod case;
mod checks;
mod lives;
mod outside;
mod person;
mod scenario;
mod story;
mod sweep;
mod trajectory;

pub(crate) use outside::{Act, Outside};
pub(crate) use person::Deed;
pub(crate) use scenario::{Scenario, page, scripted};
pub(crate) use sweep::prove;

/// All that is recorded of the one run there is.
pub(crate) fn records(sim: &gloss::host_sim::Sim) -> Vec<gloss::durable::Record> {
    let journals = trajectory::journals(&crate::stage::recorded(sim));
    journals.into_values().flatten().collect()
}
