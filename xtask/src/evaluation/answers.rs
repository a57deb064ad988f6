//! How often the quotes of the on-device model hold the answer to a question, and how often
//! it refuses what the page does not say, beside the best sentence of BM25 and the lead.
//!
//! The measuring is `evaluation/answers/main.rs`; run by itself it also names what went
//! wrong (`--failed`) and fits the weights (`--fit`).

use anyhow::Result;

use super::Scale;
use crate::books;
use crate::build::embeddings;
use crate::process::{command, run};

/// Measures, prints and compares with what is promised.
///
/// # Errors
/// When something cannot be had, or a figure is worse than promised.
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
