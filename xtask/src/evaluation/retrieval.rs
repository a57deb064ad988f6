//! The right section of a long document: how often it is found, beside minisearch and Orama.
//!
//! The measuring is `evaluation/retrieval/measure.mjs`.

use anyhow::Result;

use super::documents;
use crate::build::embeddings;
use crate::process::{command, run};
use crate::{setup, try_it};

/// Measures, prints and compares with what is promised.
///
/// # Errors
/// When something cannot be had, or a figure is worse than promised.
pub(super) fn measure() -> Result<()> {
    setup::for_build()?;
    let documents = documents()?;
    let program = try_it::program()?;
    let packed = embeddings::fetch()?.join("embeddings.bin");
    run(command("node", ["evaluation/retrieval/measure.mjs"])
        .arg(program)
        .arg(documents)
        .arg(packed))
}
