//! `cargo xtask bench summaries`: ROUGE of the summaries beside lead, `TextRank` and
//! `LexRank`, on the test part of public papers.
//!
//! The measuring is `evaluation/summaries/rouge.py`, which asks `cargo xtask try
//! summarise` as any shell would.

use anyhow::{Context, Result};

use crate::process::{run, target_folder};
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
