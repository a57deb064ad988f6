//! How often the quotes of the on-device model hold the answer to a question, and how often
//! it refuses what the page does not say, beside the best sentence of BM25 and the lead.
//!
//! The measuring is `evaluation/answers/main.rs`; run by itself it also names what went
//! wrong (`--failed`) and fits the weights (`--fit`).

use anyhow::Result;

use crate::books;
use crate::build::embeddings;
use crate::process::{command, run};
use crate::try_it;

/// Measures, prints and compares with what is promised.
///
/// # Errors
/// When something cannot be had, or a figure is worse than promised.
pub(super) fn measure() -> Result<()> {
    books::fetch_shelf();
    let program = try_it::native(["--example", "answers"])?;
    let packed = embeddings::fetch()?.join("embeddings.bin");
    run(command(program, [] as [&str; 0]).env("GLOSS_EMBEDDINGS", packed))
}
