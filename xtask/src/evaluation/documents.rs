//! The long documents that several evaluations use.
//!
//! Example: `cargo xtask bench documents` downloads the books. It makes each book into one
//! document under `target/evaluation/documents`. For every question, it checks that the named
//! section and the answer are in the document.

use std::path::PathBuf;

use anyhow::Result;

use super::Scale;
use crate::process::{run, target_folder};
use crate::{books, python};

/// Makes the documents from the books that this machine has, and returns their folder.
///
/// # Errors
/// Returns an error if Python is unavailable, or if a book has an unexpected structure. A book
/// that can't be downloaded is reported and skipped.
pub(crate) fn documents(scale: Scale) -> Result<PathBuf> {
    match scale {
        Scale::Whole => books::fetch_shelf(),
        Scale::Small => books::fetch(),
    };
    run(python::script("evaluation/documents.py")?.arg(target_folder()))?;
    Ok(target_folder().join("evaluation/documents"))
}

/// Makes the documents, and checks the questions against the documents.
///
/// # Errors
/// Returns an error if a question names a section or answer that a document lacks.
pub(super) fn check(scale: Scale) -> Result<()> {
    documents(scale)?;
    let mut check = python::script("evaluation/check.py")?;
    run(scale.tell(check.arg(target_folder())))
}
