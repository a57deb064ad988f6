//! `cargo xtask bench summaries`: ROUGE of the summaries beside lead, `TextRank` and
//! `LexRank`, on the test part of public papers.
//!
//! Also the boundaries of sentences, from which summaries are made, by a public set of rules.
//!
//! The measuring is in `evaluation/summaries/rouge.py`, which calls `cargo xtask try summarise` as
//! a shell would.

use anyhow::{Context, Result};

use super::Scale;
use crate::process::{cargo, run, target_folder};
use crate::{papers, python};

/// Measures, prints, and compares with the promised figures.
///
/// # Errors
/// Returns an error if something is unavailable, or a margin is smaller than promised.
pub(super) fn measure(scale: Scale) -> Result<()> {
    let papers = papers::fetch().context("no papers, no figures")?;
    let mut script = python::script("evaluation/summaries/rouge.py")?;
    script.arg(papers).arg(scale.program(["--bin", "try"])?);
    script.arg(target_folder().join("evaluation/summaries"));
    run(scale.tell(&mut script))
}

/// Prints the number of public rules of sentence boundaries that the code satisfies.
///
/// # Errors
/// Returns an error if something is unavailable, or too few rules are satisfied.
pub(super) fn sentences(_: Scale) -> Result<()> {
    let rules = target_folder().join("evaluation/rules.json");
    std::fs::create_dir_all(target_folder().join("evaluation"))?;
    run(python::script("evaluation/summaries/rules.py")?.arg(&rules))?;
    let test = ["test", "--locked", "--workspace", "--exclude", "xtask"];
    let test = cargo(test)
        .args(["--quiet", "--features", "gloss/sim", "--test", "suite"])
        .args(["--", "--nocapture", "golden_rules"])
        .env("GLOSS_RULES", rules)
        .status()?;
    anyhow::ensure!(test.success(), "fewer rules are kept than promised");
    Ok(())
}
