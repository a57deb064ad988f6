//! The Python that evaluations and checks run in: virtual environments under `target/`.
//!
//! Driving example: `python::script("evaluation/documents.py")` makes
//! `target/python` from `evaluation/requirements.txt`, once for each text of that
//! file, and gives the command to run. The providers' SDKs have one of their own, as
//! their many dependencies are nothing that an evaluation needs. Every package is pinned by its hash, only
//! wheels are taken, and nothing is installed outside `target/`.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result};

use crate::process::{command, root, run, target_folder};

/// What a script runs in.
struct Environment {
    /// Under `target/`.
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
/// When there is no Python 3 with `venv`, or a package is not to be had as pinned.
pub(crate) fn script(path: &str) -> Result<Command> {
    EVALUATION.command(path)
}

/// Judges the requests that the native tests wrote by the providers' own types.
///
/// # Errors
/// When one is not as its provider has it, or what is not was taken; and as [`script`].
pub(crate) fn judge_requests() -> Result<()> {
    let requests = target_folder().join("requests");
    run(SDK.command("tests/sdk/check.py")?.arg(requests))
}

impl Environment {
    fn command(&self, path: &str) -> Result<Command> {
        let python = self.python()?;
        let mut command = command("env", [python.as_os_str()]);
        command.arg(root().join(path));
        Ok(command)
    }

    /// The interpreter of an environment that holds what is pinned, and nothing else.
    fn python(&self) -> Result<PathBuf> {
        let folder = target_folder().join(self.folder);
        let python = folder.join("bin/python");
        // Written last: an environment is whole once the pins it was made from stand in it.
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
