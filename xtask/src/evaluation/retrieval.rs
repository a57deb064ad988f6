//! The right section of a long document: how often it is found, beside minisearch and Orama.
//!
//! The measuring is `evaluation/retrieval/measure.mjs`.

use anyhow::Result;

use super::{Scale, documents};
use crate::build::embeddings;
use crate::process::{command, run};
use crate::setup;

/// Measures, prints and compares with what is promised.
///
/// # Errors
/// When something cannot be had, or a figure is worse than promised.
pub(super) fn measure(scale: Scale) -> Result<()> {
    setup::for_build()?;
    let documents = documents(scale)?;
    let program = scale.program(["--bin", "try"])?;
    let packed = embeddings::fetch()?.join("embeddings.bin");
    let mut measure = command("node", ["evaluation/retrieval/measure.mjs"]);
    measure.arg(program).arg(documents).arg(packed);
    run(scale.tell(&mut measure))
}
