//! Measures the share of questions for which the right section of a long document is found. The
//! peers are the libraries minisearch and Orama.
//!
//! The script is `evaluation/retrieval/measure.mjs`.

use anyhow::Result;

use super::{Scale, documents};
use crate::build::sentence_model;
use crate::process::{command, run};
use crate::setup;

/// Measures the shares, prints them, and compares them with the promised values.
///
/// # Errors
/// Returns an error if a document or program is unavailable, or if a share is lower than promised.
pub(super) fn measure(scale: Scale) -> Result<()> {
    setup::for_build()?;
    let documents = documents(scale)?;
    let program = scale.program(["--bin", "try"])?;
    let packed = sentence_model::packed()?;
    let mut measure = command("node", ["evaluation/retrieval/measure.mjs"]);
    measure.arg(program).arg(documents).arg(packed);
    run(scale.tell(&mut measure))
}
