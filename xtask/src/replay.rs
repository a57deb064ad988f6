//! `cargo xtask replay`: an exported run, replayed by this code.
//!
//! Driving example: `cargo xtask replay tides.json` prints its timeline, and names the step at
//! which this code would do something different.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::process::{command, exit_code};
use crate::try_it::native;

/// Builds the replay program and passes it the file; returns its exit code.
///
/// # Errors
/// Returns an error if it cannot be built or started, or the file is missing.
pub(crate) fn replay(file: &str) -> Result<ExitCode> {
    // The program runs at the root, whatever folder the file's path is relative to.
    let Ok(path) = std::fs::canonicalize(file) else {
        bail!("{file} does not exist");
    };
    let program = native(["--bin", "replay"])?;
    exit_code(&mut command(&program, [&path]))
}
