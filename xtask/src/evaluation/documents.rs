//! The data of every evaluation over long documents.
//!
//! Driving example: `cargo xtask bench documents` fetches the books and cuts each into one document
//! under `target/evaluation/documents`. It checks that every section and every answer that a
//! question names is where the question says.

use std::path::PathBuf;

use anyhow::Result;

use super::Scale;
use crate::process::{run, target_folder};
use crate::{books, python};

/// The folder of the documents, made from the books of this machine.
///
/// # Errors
/// Returns an error if Python is unavailable or a book is not as expected. A book that cannot be
/// fetched is reported and left out.
pub(crate) fn documents(scale: Scale) -> Result<PathBuf> {
    match scale {
        Scale::Whole => books::fetch_shelf(),
        Scale::Small => books::fetch(),
    };
    run(python::script("evaluation/documents.py")?.arg(target_folder()))?;
    Ok(target_folder().join("evaluation/documents"))
}

/// Makes the documents and checks the questions against them.
///
/// # Errors
/// Returns an error if a question names something that is missing.
pub(super) fn check(scale: Scale) -> Result<()> {
    documents(scale)?;
    let mut check = python::script("evaluation/check.py")?;
    run(scale.tell(check.arg(target_folder())))
}
