//! `cargo xtask bench`: what is promised in figures, measured in Chromium.
//!
//! The measuring is `tests/e2e/bench.mjs`; this builds what it measures.

use anyhow::Result;

use crate::build::{self, Profile};
use crate::e2e::{Length, node};
use crate::process::run;

/// Builds and measures: the parts whose name contains `name`, all if it is empty.
///
/// # Errors
/// When a part fails or a figure is worse than promised.
pub(crate) fn bench(name: &str) -> Result<()> {
    build::build(Profile::Release)?;
    let module = build::bench_module()?;
    run(node(Length::Long)?.arg("bench.mjs").arg(module).arg(name))
}
