//! `cargo xtask bench`: what is promised in figures, measured in Chromium.
//!
//! The measuring is `tests/e2e/bench.mjs`; this builds what it measures. How well the right
//! section of a long document is found is measured natively, by
//! `evaluation/retrieval/measure.mjs`.

use std::path::Path;

use anyhow::Result;

use crate::build::{self, Profile, embeddings};
use crate::e2e::{Length, node};
use crate::process::{command, run};
use crate::{evaluation, setup, try_it};

/// Builds and measures: the parts whose name contains `name`, all if it is empty.
///
/// # Errors
/// When a part fails or a figure is worse than promised.
pub(crate) fn bench(name: &str) -> Result<()> {
    in_chromium(name, None)
}

/// The right section of a long document: how often it is found, then how fast.
///
/// # Errors
/// When a part fails or a figure is worse than promised.
pub(crate) fn retrieval() -> Result<()> {
    setup::for_build()?;
    let documents = evaluation::documents()?;
    let program = try_it::program()?;
    let packed = embeddings::fetch()?.join("embeddings.bin");
    let found = run(command("node", ["evaluation/retrieval/measure.mjs"])
        .arg(program)
        .arg(&documents)
        .arg(packed));
    // What is missed is said; the speed is measured all the same.
    in_chromium("retrieval", Some(&documents)).and(found)
}

fn in_chromium(name: &str, documents: Option<&Path>) -> Result<()> {
    build::build(Profile::Release)?;
    let module = build::bench_module()?;
    let mut measure = node(Length::Long)?;
    if let Some(documents) = documents {
        measure.env("GLOSS_DOCUMENTS", documents);
    }
    run(measure.arg("bench.mjs").arg(module).arg(name))
}
