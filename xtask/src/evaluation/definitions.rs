//! `cargo xtask bench definitions` prints the first passage that explains each of 60 terms of
//! manuals, and the share of passages that a reader accepted as a definition.

use anyhow::Result;

use super::Scale;
use crate::process::run;
use crate::{books, python};

/// Measures the share and compares it with the promised value.
///
/// # Errors
/// Returns an error if the manuals are unavailable, or if the share is smaller than promised.
pub(super) fn measure(scale: Scale) -> Result<()> {
    let mut script = python::script("evaluation/definitions/bench.py")?;
    script.arg(match scale {
        Scale::Whole => books::fetch_shelf(),
        // The first terms are those of PostgreSQL's manual.
        Scale::Small => books::fetch(),
    });
    script.arg(scale.program(["--bin", "try"])?);
    run(scale.tell(&mut script))
}
