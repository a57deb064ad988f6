//! `cargo xtask try`: the on-device functions, from a shell.
//!
//! Driving example: `cargo xtask try rank < questions.jsonl`. Standard output contains only the
//! answers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::build::embeddings;
use crate::process::{cargo, exit_code, target_folder};

/// Builds the program and passes it the arguments; returns its exit code. If the embeddings are
/// unavailable, it compares words only.
///
/// # Errors
/// Returns an error if it cannot be built or started.
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

/// Builds a native program of the product, `--bin NAME` or `--example NAME`, and returns its path.
///
/// # Errors
/// Returns an error if it cannot be built.
pub(crate) fn native(what: [&str; 2]) -> Result<PathBuf> {
    // The profile of the tests, because their dependencies are compiled already, and it is fast.
    let build = "build --locked --quiet --profile test --features sim";
    if !cargo(build.split(' ')).args(what).status()?.success() {
        bail!("{} cannot be built", what[1]);
    }
    Ok(built(&target_folder(), what))
}

/// The path of a native program that cargo built, below its target folder.
pub(crate) fn built(target: &Path, [kind, name]: [&str; 2]) -> PathBuf {
    let folder = target.join("debug");
    match kind {
        "--example" => folder.join("examples").join(name),
        _ => folder.join(name),
    }
}
