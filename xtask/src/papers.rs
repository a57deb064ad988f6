//! The papers on which summaries are measured. They are in the package `aclsum` on `PyPI`.
//!
//! Driving example: `cargo xtask test --all` downloads the package once into `target/papers`,
//! pinned by its hash. No code of the package is run, and nothing else is installed. If the
//! package is unavailable, the command doesn't fail, and prints the reason.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::process::{command, run, target_folder};

const PINNED: &str = "aclsum==0.1.2 \
    --hash=sha256:c75ffc48d3eabc5f37c68ea087943780a85950087957759e89746f21111f2213\n";

/// The folder of the papers, or `None` if they are unavailable.
pub(crate) fn fetch() -> Option<PathBuf> {
    let papers = target_folder().join("papers");
    let folder = papers.join("aclsum/dataset");
    if !folder.is_dir()
        && let Err(error) = install(&papers)
    {
        println!("summaries of papers are not measured: {error:#}");
        return None;
    }
    Some(folder)
}

fn install(papers: &Path) -> Result<()> {
    fs::create_dir_all(papers)?;
    let pins = papers.join("pins.txt");
    fs::write(&pins, PINNED)?;
    let mut pip = command("python3", ["-m", "pip", "install", "--quiet", "--no-deps"]);
    pip.args(["--no-compile", "--only-binary=:all:", "--require-hashes"]);
    run(pip
        .arg("--target")
        .arg(papers)
        .arg("--requirement")
        .arg(pins))
}
