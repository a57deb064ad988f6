//! `cargo xtask run`: a sample article in a browser that has the extension.

use std::thread;

use anyhow::{Result, bail};

use crate::build::{self, Profile, Sizes};
use crate::e2e::{Length, node};
use crate::process::{run as finish, target_folder};
use crate::setup;

/// Sets up, builds, and opens the browser. Without a display, it summarises headless, prints the
/// summary and writes screenshots into `target/run/`.
///
/// # Errors
/// Returns the error of the part that failed.
pub(crate) fn run() -> Result<()> {
    setup::for_build()?;
    // The system's packages are downloaded while the compiler runs.
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
