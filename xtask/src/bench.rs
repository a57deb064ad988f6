//! `cargo xtask bench` measures quality and speed, and compares them with the promised values.
//!
//! The evaluations measure the quality of answers. `tests/e2e/bench.mjs` measures speed in
//! Chromium; this file builds the modules that it needs.

use std::process::Command;

use anyhow::Result;

use crate::books;
use crate::build::{self, Profile, Sizes};
use crate::e2e::{Length, node};
use crate::evaluation::{self, Browser, Evaluation, Scale};
use crate::process::run;

/// Measures the parts whose name contains `name`, or all parts if `name` is empty. If a part
/// misses a promised value, the other parts still run.
///
/// # Errors
/// Returns an error if a part fails, or if a value is worse than promised.
pub(crate) fn bench(name: &str) -> Result<()> {
    let named: Vec<&Evaluation> = evaluation::ALL
        .iter()
        .filter(|evaluation| evaluation.name.contains(name))
        .collect();
    let mut ended = Ok(());
    for evaluation in &named {
        println!("\n== {}", evaluation.name);
        ended = ended.and((evaluation.measure)(Scale::Whole));
    }
    let is_too = |evaluation: &&Evaluation| evaluation.browser == Browser::Too;
    if named.is_empty() || named.iter().any(is_too) {
        ended = ended.and(in_chromium(name));
    }
    ended
}

/// Runs every part once on little data, so that a broken part is noticed. Promised values are not
/// checked. The programs that the parts need must already be built.
///
/// # Errors
/// Returns an error if a part fails.
pub(crate) fn small() -> Result<()> {
    for evaluation in &evaluation::ALL {
        println!("\n== {}", evaluation.name);
        (evaluation.measure)(Scale::Small)?;
    }
    run(Scale::Small.tell(&mut browser_bench("", Scale::Small)?))
}

fn in_chromium(name: &str) -> Result<()> {
    build::build(Profile::Release, Sizes::Raw)?;
    run(&mut browser_bench(name, Scale::Whole)?)
}

/// Returns the command that runs benchmarks in Chromium, limited to parts whose name contains
/// `name`.
fn browser_bench(name: &str, scale: Scale) -> Result<Command> {
    let module = build::bench_module()?;
    let mut measure = node(Length::Long)?;
    if "retrieval".contains(name) {
        measure.env("GLOSS_DOCUMENTS", evaluation::documents(scale)?);
    }
    if "ocr".contains(name) {
        measure.env("GLOSS_BOOKS", books::fetch());
    }
    measure.arg("bench.mjs").arg(module).arg(name);
    Ok(measure)
}
