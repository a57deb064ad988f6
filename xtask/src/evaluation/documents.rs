//! What every evaluation over long documents starts from.
//!
//! Driving example: `cargo xtask bench documents` fetches the books, cuts each into
//! one document under `target/evaluation/documents`, and checks that every section
//! and every answer which a question names stands where it says.

use std::path::PathBuf;

use anyhow::Result;

use super::Scale;
use crate::process::{run, target_folder};
use crate::{books, python};

/// The folder of the documents, made from the books of this machine.
///
/// # Errors
/// When Python cannot be had or a book is not as expected. A book that cannot be
/// fetched is said and left out.
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
/// When a question names what is not there.
pub(super) fn check(scale: Scale) -> Result<()> {
    documents(scale)?;
    let mut check = python::script("evaluation/check.py")?;
    run(scale.tell(check.arg(target_folder())))
}
