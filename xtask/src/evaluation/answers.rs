//! Measures the share of questions whose quotes contain the answer, and the share of unanswerable
//! questions that the on-device model refuses. The baselines are the best sentences by BM25, and
//! the first sentences of the page.
//!
//! The program is `evaluation/answers/main.rs`. Started directly, it can also list the failed
//! questions (`--failed`) and fit the weights (`--fit`).

use anyhow::Result;

use super::Scale;
use crate::books;
use crate::build::embeddings;
use crate::process::{command, run};

/// Measures the shares, prints them, and compares them with the promised values.
///
/// # Errors
/// Returns an error if a book or program is unavailable, or if a share is lower than promised.
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
