//! `cargo xtask bench summaries`: ROUGE of the summaries beside lead, `TextRank` and
//! `LexRank`, on the test part of public papers.
//!
//! And of sentences, from which they are made: a public set of rules.
//!
//! The measuring is `evaluation/summaries/rouge.py`, which asks `cargo xtask try
//! summarise` as any shell would.

use anyhow::{Context, Result};

use crate::process::{cargo, run, target_folder};
use crate::{papers, python, try_it};

/// Measures, prints and compares with what is promised.
///
/// # Errors
/// When something cannot be had, or a margin is smaller than promised.
pub(super) fn measure() -> Result<()> {
    let papers = papers::fetch().context("no papers, no figures")?;
    let mut script = python::script("evaluation/summaries/rouge.py")?;
    script.arg(papers).arg(try_it::program()?);
    run(script.arg(target_folder().join("evaluation/summaries")))
}

/// Says how many of the public rules of sentence boundaries are kept.
///
/// # Errors
/// When something cannot be had, or too few are kept.
pub(super) fn sentences() -> Result<()> {
    let rules = target_folder().join("evaluation/rules.json");
    std::fs::create_dir_all(target_folder().join("evaluation"))?;
    run(python::script("evaluation/summaries/rules.py")?.arg(&rules))?;
    let test = ["test", "--locked", "--package", "gloss", "--quiet"];
    let test = cargo(test)
        .args(["--features", "gloss/sim", "--test", "text_rules"])
        .args(["--", "--nocapture"])
        .env("GLOSS_RULES", rules)
        .status()?;
    anyhow::ensure!(test.success(), "fewer rules are kept than promised");
    Ok(())
}
