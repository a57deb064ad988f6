//! `cargo xtask run` opens a sample article in a browser in which the extension is installed.

use std::thread;

use anyhow::{Result, bail};

use crate::build::{self, Profile, Sizes};
use crate::e2e::{Length, node};
use crate::process::{run as finish, target_folder};
use crate::setup;

/// Builds the extension, and opens the browser. Without a display, the browser is headless: the
/// command prints a summary of the article, and writes screenshots into `target/run/`.
///
/// # Errors
/// Returns the error of the first part that failed.
pub(crate) fn run() -> Result<()> {
    setup::for_build()?;
    // Download the system's packages while the compiler runs.
    thread::scope(|scope| {
        let browser = scope.spawn(|| {
            setup::screen();
            setup::chromium()
        });
        build::build(Profile::Quick, Sizes::Raw)?;
        browser
            .join()
            .unwrap_or_else(|_| bail!("the browser could not be set up: see above"))
    })?;
    finish(
        node(Length::Short)?
            .arg("run.mjs")
            .arg(target_folder().join("run")),
    )
}
