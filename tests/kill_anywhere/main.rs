//! A run that is killed, stopped or refused at any tick ends correctly, and every surface sees the
//! same end.
//!
//! The scenarios are killed anywhere: at every point, then their recovery at every point, for
//! several seeds (`proof`). To add one, write a function that returns a [`proof::Scenario`] into a
//! file of `scenarios`, and add it to the list in its `mod.rs`, which makes a test of it:
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
//! `lay` prepares the world before the first life. `model` is the model ([`proof::scripted`]),
//! `tools` are the tools that change the world ([`proof::Act`]), and `deeds` are the user's
//! actions. Each deed sees the turns as the panel shows them; it returns the command that is due
//! now, and `None` once the command was sent. A failing case prints the command that runs it again.
//! The other files are tables of single faults.
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
