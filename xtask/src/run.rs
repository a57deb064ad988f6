//! `cargo xtask run`: a sample article in a browser that has the extension.

use anyhow::Result;

use crate::build::{self, Profile};
use crate::e2e::{Length, node};
use crate::process::{run as finish, target_folder};

/// Sets up, builds, and opens the browser; without a display, summarises headless,
/// prints the summary and leaves screenshots under `target/run/`.
///
/// # Errors
/// Of any of these parts.
pub(crate) fn run() -> Result<()> {
    build::build(Profile::Release)?;
    finish(
        node(Length::Short)?
            .arg("run.mjs")
            .arg(target_folder().join("run")),
    )
}
