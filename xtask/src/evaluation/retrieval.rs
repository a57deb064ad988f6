//! The share of questions for which the right section of a long document is found, beside
//! minisearch and Orama.
//!
//! The measuring is in `evaluation/retrieval/measure.mjs`.

use anyhow::Result;

use super::{Scale, documents};
use crate::build::embeddings;
use crate::process::{command, run};
use crate::setup;

/// Measures, prints, and compares with the promised figures.
///
/// # Errors
/// Returns an error if something is unavailable, or a figure is worse than promised.
pub(super) fn measure(scale: Scale) -> Result<()> {
    setup::for_build()?;
    let documents = documents(scale)?;
    let program = scale.program(["--bin", "try"])?;
    let packed = embeddings::fetch()?.join("embeddings.bin");
    let mut measure = command("node", ["evaluation/retrieval/measure.mjs"]);
    measure.arg(program).arg(documents).arg(packed);
    run(scale.tell(&mut measure))
}
