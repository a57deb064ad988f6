//! `cargo xtask replay` replays an exported run with the current code.
//!
//! Example: `cargo xtask replay tides.json` prints the timeline of the run. If the current
//! code does something different from the recorded run, the output names the step.

use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::process::{command, exit_code};
use crate::try_it::native;

/// Builds the replay program and runs it on the file; returns the program's exit code.
///
/// # Errors
/// Returns an error if the program can't be built or started, or if the file is missing.
pub(crate) fn replay(file: &str) -> Result<ExitCode> {
    // The program runs in the root folder, but the user's path is relative to the current folder.
    let Ok(path) = std::fs::canonicalize(file) else {
        bail!("{file} does not exist");
    };
    let program = native(["--bin", "replay"])?;
    exit_code(&mut command(&program, [&path]))
}
