//! The papers on which summaries are measured. They are in the package `aclsum` on `PyPI`.
//!
//! Example: `cargo xtask test --all` downloads the package once into `target/papers`,
//! pinned by its hash. No code of the package is run, and nothing else is installed. If the
//! package is unavailable, the command doesn't fail, and prints the reason.

use std::path::PathBuf;

use crate::process::{run, target_folder};
use crate::python;

const PINNED: &str = "aclsum==0.1.2 \
    --hash=sha256:c75ffc48d3eabc5f37c68ea087943780a85950087957759e89746f21111f2213\n";

const HOW: [&str; 2] = ["--no-compile", "--only-binary=:all:"];

/// Returns the folder of the papers, or `None` if they are unavailable.
pub(crate) fn fetch() -> Option<PathBuf> {
    let papers = target_folder().join("papers");
    let folder = papers.join("aclsum/dataset");
    if !folder.is_dir()
        && let Err(error) =
            python::pip("install", PINNED, &papers, &HOW).and_then(|mut it| run(&mut it))
    {
        println!("summaries of papers are not measured: {error:#}");
        return None;
    }
    Some(folder)
}
