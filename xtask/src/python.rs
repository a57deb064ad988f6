//! The Python environments of evaluations and checks: virtual environments under `target/`.
//!
//! Driving example: `python::script("evaluation/documents.py")` creates `target/python` from
//! `evaluation/requirements.txt`, once for each content of that file, and returns the command to
//! run. The providers' SDKs have an environment of their own, because evaluations don't need their
//! many dependencies. Every package is pinned by its hash, only wheels are used, and nothing is
//! installed outside `target/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{command, root, run, target_folder};

/// A virtual environment.
struct Environment {
    /// The folder's name under `target/`.
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

/// The command that runs a script of the repository, at its root.
///
/// # Errors
/// Returns an error if there is no Python 3 with `venv`, or a package is unavailable as pinned.
pub(crate) fn script(path: &str) -> Result<Command> {
    EVALUATION.command(path)
}

/// Validates the requests that the native tests wrote with the providers' own types.
///
/// # Errors
/// Returns an error if a valid request is refused, or an invalid one accepted; and as [`script`].
pub(crate) fn judge_requests() -> Result<()> {
    let requests = target_folder().join("requests");
    run(SDK.command("tests/sdk/check.py")?.arg(requests))
}

/// The command that fetches packages into a folder, pinned by their hashes and without their
/// dependencies: `download` keeps the archives, `install` unpacks wheels.
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

    /// The interpreter of an environment that contains exactly the pinned packages.
    fn python(&self) -> Result<PathBuf> {
        let folder = target_folder().join(self.folder);
        let python = folder.join("bin/python");
        // Written last: an environment is complete once it contains the pins from which it was
        // made.
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
