//! The Python environments of evaluations and checks. They are virtual environments under
//! `target/`.
//!
//! Example: `python::script("evaluation/documents.py")` creates `target/python` from
//! `evaluation/requirements.txt`, and returns the command that runs the script. The environment is
//! created again only if that file changes.
//!
//! The providers' SDKs have an environment of their own, because evaluations don't need the many
//! dependencies of the SDKs. Every package is a wheel that is pinned by its hash, and nothing is
//! installed outside `target/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{command, root, run, target_folder};

struct Environment {
    /// The name of the environment's folder below `target/`.
    folder: &'static str,
    requirements: &'static str,
}

const EVALUATION: Environment = Environment {
    folder: "python",
    requirements: "evaluation/requirements.txt",
};

const SDK: Environment = Environment {
    folder: "sdk",
    requirements: "tests/sdk/requirements.txt",
};

/// Returns the command that runs a script of this repository in the root folder.
///
/// # Errors
/// Returns an error if there is no Python 3 with `venv`, or if a pinned package is unavailable.
pub(crate) fn script(path: &str) -> Result<Command> {
    EVALUATION.command(path)
}

/// Validates the requests that the native tests have written. The validation uses the types in the
/// providers' own SDKs.
///
/// # Errors
/// Returns an error if a valid request is refused, if an invalid request is accepted, or in the
/// cases of [`script`].
pub(crate) fn judge_requests() -> Result<()> {
    let requests = target_folder().join("requests");
    run(SDK.command("tests/sdk/check.py")?.arg(requests))
}

/// Returns the command that fetches packages into a folder, pinned by their hashes and without
/// their dependencies. The action `download` keeps the archives, and `install` unpacks wheels.
///
/// # Errors
/// Returns an error if the folder cannot be written.
pub(crate) fn pip(action: &str, pins: &str, folder: &Path, how: &[&str]) -> Result<Command> {
    fs::create_dir_all(folder)?;
    let requirements = folder.join("pins.txt");
    fs::write(&requirements, pins)?;
    let into = if action == "download" {
        "--dest"
    } else {
        "--target"
    };
    let mut pip = command("python3", ["-m", "pip", action, "--quiet", "--no-deps"]);
    pip.arg("--require-hashes").args(how).arg(into).arg(folder);
    pip.arg("--requirement").arg(requirements);
    Ok(pip)
}

impl Environment {
    fn command(&self, path: &str) -> Result<Command> {
        let python = self.python()?;
        let mut command = command("env", [python.as_os_str()]);
        command.arg(root().join(path));
        Ok(command)
    }

    /// Returns the interpreter of the environment. Creates the environment if its packages differ
    /// from the pinned ones.
    fn python(&self) -> Result<PathBuf> {
        let folder = target_folder().join(self.folder);
        let python = folder.join("bin/python");
        // This file is written last, so an environment without it is incomplete. It is a copy of
        // the requirements from which the environment was made.
        let stamp = folder.join("requirements.txt");
        let requirements = self.requirements;
        let pins = fs::read_to_string(root().join(requirements)).context(requirements)?;
        if fs::read_to_string(&stamp).is_ok_and(|made_from| made_from == pins) {
            return Ok(python);
        }
        run(command("python3", ["-m", "venv", "--clear"]).arg(&folder))
            .context("it needs Python 3 with its venv module")?;
        let mut pip = command("env", [python.as_os_str()]);
        pip.args(["-m", "pip", "install", "--quiet", "--no-deps"]);
        pip.args(["--disable-pip-version-check", "--only-binary=:all:"]);
        pip.args(["--require-hashes", "--requirement", requirements]);
        run(&mut pip)?;
        fs::write(stamp, pins)?;
        Ok(python)
    }
}
