//! `cargo xtask bench summaries` measures the ROUGE scores of summaries, on the test split of a
//! public set of papers. It compares them with three peers: the paper's first sentences, `TextRank`
//! and `LexRank`. Its script is `evaluation/summaries/rouge.py`.
//!
//! A second script checks the sentence boundaries, on which summaries depend, with a public set of
//! rules.

use anyhow::{Context, Result};

use super::Scale;
use crate::process::{cargo, run, target_folder};
use crate::{papers, python};

/// Measures the scores, prints them, and compares them with the promised values.
///
/// # Errors
/// Returns an error if the papers are unavailable, or if a margin over a peer is smaller than
/// promised.
pub(super) fn measure(scale: Scale) -> Result<()> {
    let papers = papers::fetch().context("no papers, no figures")?;
    let mut script = python::script("evaluation/summaries/rouge.py")?;
    script.arg(papers).arg(scale.program(["--bin", "try"])?);
    script.arg(target_folder().join("evaluation/summaries"));
    run(scale.tell(&mut script))
}

/// Prints how many of the public rules for sentence boundaries the code satisfies.
///
/// # Errors
/// Returns an error if the rules are unavailable, or if the code satisfies too few of them.
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
