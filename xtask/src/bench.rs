//! `cargo xtask bench`: what is promised in figures.
//!
//! What a browser must show is measured in Chromium by `tests/e2e/bench.mjs`, for which
//! this builds; the evaluations are parts of their own, each in its file.

use anyhow::Result;

use crate::build::{self, Profile};
use crate::e2e::{Length, node};
use crate::process::run;
use crate::summaries;

/// What runs outside a browser.
const EVALUATIONS: [(&str, fn() -> Result<()>); 2] = [
    ("sentences", summaries::sentences),
    ("summaries", summaries::measure),
];

/// Builds and measures: the parts whose name contains `name`, all if it is empty.
///
/// # Errors
/// When a part fails or a figure is worse than promised.
pub(crate) fn bench(name: &str) -> Result<()> {
    let named = EVALUATIONS.iter().filter(|(part, _)| part.contains(name));
    let evaluations: Vec<_> = named.collect();
    for (part, measure) in &evaluations {
        println!("== {part}");
        measure()?;
    }
    if !name.is_empty() && !evaluations.is_empty() {
        return Ok(());
    }
    build::build(Profile::Release)?;
    let module = build::bench_module()?;
    run(node(Length::Long)?.arg("bench.mjs").arg(module).arg(name))
}
