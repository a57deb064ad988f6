//! The share of questions whose quotes contain the answer, and the share of unanswerable questions
//! that the on-device model refuses, beside the best sentence of BM25 and the lead.
//!
//! The measuring is in `evaluation/answers/main.rs`; run directly, it also lists the failed
//! questions (`--failed`) and fits the weights (`--fit`).

use anyhow::Result;

use super::Scale;
use crate::books;
use crate::build::embeddings;
use crate::process::{command, run};

/// Measures, prints, and compares with the promised figures.
///
/// # Errors
/// Returns an error if something is unavailable, or a figure is worse than promised.
pub(super) fn measure(scale: Scale) -> Result<()> {
    match scale {
        Scale::Whole => books::fetch_shelf(),
        Scale::Small => books::fetch(),
    };
    let program = scale.program(["--example", "answers"])?;
    let packed = embeddings::fetch()?.join("embeddings.bin");
    let mut answers = command(program, [] as [&str; 0]);
    run(scale.tell(answers.env("GLOSS_EMBEDDINGS", packed)))
}
