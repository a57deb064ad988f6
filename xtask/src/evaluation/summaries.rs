//! `cargo xtask bench summaries`: ROUGE of the summaries beside lead, `TextRank` and
//! `LexRank`, on the test part of public papers.
//!
//! And of sentences, from which they are made: a public set of rules.
//!
//! The measuring is `evaluation/summaries/rouge.py`, which asks `cargo xtask try
//! summarise` as any shell would.

use anyhow::{Context, Result};

use super::Scale;
use crate::process::{cargo, run, target_folder};
use crate::{papers, python};

/// Measures, prints and compares with what is promised.
///
/// # Errors
/// When something cannot be had, or a margin is smaller than promised.
pub(super) fn measure(scale: Scale) -> Result<()> {
    let papers = papers::fetch().context("no papers, no figures")?;
    let mut script = python::script("evaluation/summaries/rouge.py")?;
    script.arg(papers).arg(scale.program(["--bin", "try"])?);
    script.arg(target_folder().join("evaluation/summaries"));
    run(scale.tell(&mut script))
}

/// Says how many of the public rules of sentence boundaries are kept.
///
/// # Errors
/// When something cannot be had, or too few are kept.
pub(super) fn sentences(_: Scale) -> Result<()> {
    let rules = target_folder().join("evaluation/rules.json");
    std::fs::create_dir_all(target_folder().join("evaluation"))?;
    run(python::script("evaluation/summaries/rules.py")?.arg(&rules))?;
    let test = ["test", "--locked", "--package", "gloss", "--quiet"];
    let test = cargo(test)
        .args(["--features", "gloss/sim,gloss-documents/read"])
        .args(["--package", "gloss-documents", "--test", "suite"])
        .args(["--", "--nocapture", "golden_rules"])
        .env("GLOSS_RULES", rules)
        .status()?;
    anyhow::ensure!(test.success(), "fewer rules are kept than promised");
    Ok(())
}
