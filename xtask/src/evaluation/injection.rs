//! Measures if text of an attacker can make Gloss send, save or choose something, although the model
//! obeys it.
//!
//! The program is `evaluation/injection/main.rs`. It fails if something left the device against the
//! policy, also with little data, because it depends on no peer and no clock.

use anyhow::Result;

use super::Scale;
use crate::process::{command, run};

/// Runs the attacks and the benign tasks, and prints their figures.
///
/// # Errors
/// Returns an error if an attack succeeds, or if a benign task fails.
pub(super) fn measure(scale: Scale) -> Result<()> {
    let program = scale.program(["--example", "injection"])?;
    run(scale.tell(&mut command(program, [] as [&str; 0])))
}
