//! Runs that are killed, stopped or refused at any tick. Each run must end correctly, and every
//! surface must see the same end.
//!
//! Each scenario is killed at every tick, and its recovery is killed at every tick again, for
//! several seeds (`proof`). To add a scenario, write a function that returns a [`proof::Scenario`]
//! into a file in `scenarios`. Then add its name to the list in `scenarios/mod.rs`, which makes a
//! test of it:
//!
//! ```text
//! pub(crate) fn permission() -> Scenario {
//!     Scenario {
//!         prepare: |sim| sim.set_page(TAB, Err(CaptureError::NoAccess)),
//!         actions: vec![UserAction::later(|turns, outside| {
//!             let wait = turns.last()?.wait.as_ref()?.id;
//!             outside.sim.set_page(TAB, Ok(page()));
//!             Some(Command::Permit { run: run_id(), wait, verdict: Verdict::Granted })
//!         })],
//!         ..Scenario::new("permission", Goal::Summarize)
//!     }
//! }
//! ```
//!
//! `prepare` changes the world before the first life. `model` is the model ([`proof::scripted`]),
//! `tools` are tools that change the world ([`proof::Act`]), and `actions` are the user's actions.
//!
//! The function of an action is called with the turns as the panel shows them. It returns the
//! command to send now, and `None` if no command is due. If a case fails, the output contains the
//! command that runs only this case. The files beside `proof` and `scenarios` test single faults.
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::struct_field_names,
    clippy::unnecessary_wraps,
    reason = "the stage of these tests is no test itself, and must fail here"
)]

mod assets;
mod budgets;
mod cited;
mod code_change;
mod erased;
mod exports;
mod facts;
mod faulted;
mod faults;
mod foreign;
mod forks;
mod history;
mod images;
mod inbox;
mod page_service;
mod pauses;
mod proof;
mod recalled;
mod scenarios;
mod server;
mod silent;
mod stage;
mod stops;
mod storage_space;
mod storage_tiers;
mod surfaces;
mod timers;
mod unknown;
mod updated;
mod upkeep;
mod waits;
