//! `cargo xtask try`: what the device does by itself, from a shell.
//!
//! Driving example: `cargo xtask try rank < questions.jsonl`. Standard output has the answers
//! and nothing else.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

use crate::build::embeddings;
use crate::process::{cargo, target_folder};

/// Builds what answers and hands it the words of the command line; its exit code is ours.
/// It goes by words alone where the embeddings cannot be had.
///
/// # Errors
/// When it cannot be built or started.
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
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", program.display()))?;
    Ok(ExitCode::from(
        u8::try_from(status.code().unwrap_or(1)).unwrap_or(1),
    ))
}

/// Builds a native program of the product, `--bin NAME` or `--example NAME`, and returns
/// where it is.
///
/// # Errors
/// When it cannot be built.
pub(crate) fn native(what: [&str; 2]) -> Result<PathBuf> {
    // The profile of the tests: what they compiled is there, and it is fast.
    let build = "build --locked --quiet --profile test --features sim";
    if !cargo(build.split(' ')).args(what).status()?.success() {
        bail!("{} cannot be built", what[1]);
    }
    Ok(built(&target_folder(), what))
}

/// Where cargo lays a native program, below its target folder.
pub(crate) fn built(target: &Path, [kind, name]: [&str; 2]) -> PathBuf {
    let folder = target.join("debug");
    match kind {
        "--example" => folder.join("examples").join(name),
        _ => folder.join(name),
    }
}
