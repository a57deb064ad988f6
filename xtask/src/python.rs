//! The Python that evaluations run in: a virtual environment under `target/`.
//!
//! Driving example: `python::script("evaluation/documents.py")` makes
//! `target/python` from `evaluation/requirements.txt`, once for each text of that
//! file, and gives the command to run. Every package is pinned by its hash, only
//! wheels are taken, and nothing is installed outside `target/`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{command, root, run, target_folder};

const REQUIREMENTS: &str = "evaluation/requirements.txt";

/// The command that runs a script of the repository, at its root.
///
/// # Errors
/// When there is no Python 3 with `venv`, or a package is not to be had as pinned.
pub(crate) fn script(path: &str) -> Result<Command> {
    let python = environment()?;
    let mut command = command("env", [python.as_os_str()]);
    command.arg(root().join(path));
    Ok(command)
}

/// The interpreter of an environment that holds what is pinned, and nothing else.
fn environment() -> Result<PathBuf> {
    let folder = target_folder().join("python");
    let python = folder.join("bin/python");
    // Written last: an environment is whole once the pins it was made from stand in it.
    let stamp = folder.join("requirements.txt");
    let pins = fs::read_to_string(root().join(REQUIREMENTS)).context(REQUIREMENTS)?;
    if fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == pins) {
        return Ok(python);
    }
    run(command("python3", ["-m", "venv", "--clear"]).arg(&folder))
        .context("evaluations need Python 3 with its venv module")?;
    let mut pip = command("env", [python.as_os_str()]);
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps"]);
    pip.args(["--disable-pip-version-check", "--only-binary=:all:"]);
    pip.args(["--require-hashes", "--requirement", REQUIREMENTS]);
    run(&mut pip)?;
    fs::write(stamp, pins)?;
    Ok(python)
}
