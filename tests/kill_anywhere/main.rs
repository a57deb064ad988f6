//! A run that is killed, stopped or refused at any instant ends as it should,
//! and every surface that watches it sees the same.
//!
//! `scenarios` are killed anywhere: at every point, then their recovery at every
//! point, for several seeds (`proof`). To add one, write a function that gives a
//! [`proof::Scenario`] into a file there and name it in its `mod.rs`, where the
//! list makes a test of it:
//!
//! ```text
//! pub(crate) fn permission() -> Scenario {
//!     Scenario {
//!         lay: |sim| sim.set_page(TAB, Err(CaptureError::NoAccess)),
//!         deeds: vec![Deed::later(|turns, outside| {
//!             let wait = turns.last()?.wait.as_ref()?.id;
//!             outside.sim.set_page(TAB, Ok(page()));
//!             Some(Command::Permit { run: run_id(), wait, verdict: Verdict::Granted })
//!         })],
//!         ..Scenario::new("permission", Goal::Summarize)
//!     }
//! }
//! ```
//!
//! `lay` is the world before the first life, `model` who thinks ([`proof::scripted`]),
//! `tools` what acts on the world ([`proof::Act`]), `deeds` what the person does:
//! each is asked, as the panel shows the turns, for the command that is due now,
//! and must ask for nothing once it is done. A case that fails prints the command
//! that runs it again. The other files are tables of single faults.
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
mod erased;
mod exports;
mod faulted;
mod faults;
mod foreign;
mod forks;
mod history;
mod images;
mod inbox;
mod minds;
mod pauses;
mod proof;
mod recalled;
mod renewed;
mod room;
mod scenarios;
mod server;
mod silent;
mod stage;
mod stops;
mod studies;
mod surfaces;
mod tiers;
mod timers;
mod unknown;
mod updated;
mod upkeep;
mod waits;
