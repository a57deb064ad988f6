//! The papers on which summaries are measured: `PyPI`'s `aclsum`, for `test --all`.
//!
//! Driving example: `cargo xtask test --all` fetches it once into `target/papers`, pinned by its
//! hash. None of its code runs, nothing else is installed, and nothing fails: if it is unavailable,
//! the reason is printed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::process::{command, run, target_folder};

const PINNED: &str = "aclsum==0.1.2 \
    --hash=sha256:c75ffc48d3eabc5f37c68ea087943780a85950087957759e89746f21111f2213\n";

/// The folder of the papers, if they are available.
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
