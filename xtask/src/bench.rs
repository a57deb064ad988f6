//! `cargo xtask bench`: what is promised in figures, measured in Chromium.
//!
//! The measuring is `tests/e2e/bench.mjs`; this builds what it measures: the
//! extension, and the extractor alone as `target/bench/`, which is never shipped.

use anyhow::Result;

use crate::build::{self, Profile, Reset, bind, compile, optimise};
use crate::e2e::{Length, node};
use crate::process::{run, target_folder};

/// Builds and measures.
///
/// # Errors
/// When a part fails or a figure is worse than promised.
pub(crate) fn bench() -> Result<()> {
    build::build(Profile::Release)?;
    let compiled = compile(
        Profile::Release,
        &["--features", "bench", "--bin", "extract_bench"],
    )?;
    let folder = target_folder().join("bench");
    optimise(&bind(
        &compiled.join("extract_bench.wasm"),
        &folder,
        Reset::None,
    )?)?;
    run(node(Length::Long)?.arg("bench.mjs").arg(folder))
}
