//! `cargo xtask try` runs the on-device functions from a shell.
//!
//! Example: `cargo xtask try rank < questions.jsonl`. The standard output contains nothing
//! but the answers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::build::embeddings;
use crate::process::{cargo, exit_code, target_folder};

/// Builds the program and runs it with these arguments; returns its exit code. If the embeddings
/// are unavailable, the program compares texts by their words only.
///
/// # Errors
/// Returns an error if the program can't be built or started.
pub(crate) fn try_it(words: &[&str]) -> Result<ExitCode> {
    let program = native(["--bin", "try"])?;
    let mut command = crate::process::command(&program, words);
    if matches!(words.first(), Some(&("rank" | "ask"))) {
        match embeddings::fetch() {
            Ok(folder) => {
                command.env("GLOSS_EMBEDDINGS", folder.join("embeddings.bin"));
            }
            Err(error) => eprintln!("without embeddings: {error:#}"),
        }
    }
    exit_code(&mut command)
}

/// Builds a native program, `--bin NAME` or `--example NAME`, and returns its path.
///
/// # Errors
/// Returns an error if the program can't be built.
pub(crate) fn native(what: [&str; 2]) -> Result<PathBuf> {
    // The test profile is used, because the dependencies are already compiled in it, and its
    // programs are fast.
    let build = "build --locked --quiet --profile test --features sim";
    if !cargo(build.split(' ')).args(what).status()?.success() {
        bail!("{} cannot be built", what[1]);
    }
    Ok(built(&target_folder(), what))
}

/// Returns the path of a native program that cargo has built into the folder `target`.
pub(crate) fn built(target: &Path, [kind, name]: [&str; 2]) -> PathBuf {
    let folder = target.join("debug");
    match kind {
        "--example" => folder.join("examples").join(name),
        _ => folder.join(name),
    }
}
