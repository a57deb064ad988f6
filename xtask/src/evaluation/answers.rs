//! Measures the share of questions whose answer is in the passages that the on-device model quotes.
//!
//! The program is `evaluation/answers/main.rs`. Started directly, it can also list the questions
//! whose answer is missing (`--failed`), and ask the first half alone (`--first`).

use anyhow::Result;

use super::Scale;
use crate::books;
use crate::build::embeddings;
use crate::process::{command, run};

/// Measures the shares, prints them, and compares them with the promised values.
///
/// # Errors
/// Returns an error if the program is unavailable, or if a share is lower than promised.
pub(super) fn measure(scale: Scale) -> Result<()> {
    if scale == Scale::Whole {
        books::fetch_pages()?;
    }
    let program = scale.program(["--example", "answers"])?;
    let packed = embeddings::fetch()?.join("embeddings.bin");
    let mut answers = command(program, [] as [&str; 0]);
    run(scale.tell(answers.env("GLOSS_EMBEDDINGS", packed)))
}
