//! Runs other programs, and knows the paths of the repository.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};

/// Returns the root of the repository.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_path_buf()
}

/// Returns the folder of the end-to-end tests. Its lock file pins all npm packages.
pub(crate) fn e2e_folder() -> PathBuf {
    root().join("tests/e2e")
}

/// Returns the folder into which cargo compiles.
pub(crate) fn target_folder() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Creates a command that runs `program` with `arguments` in the root folder.
pub(crate) fn command<S: AsRef<OsStr>>(
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = S>,
) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    command
}

/// Creates a command that runs the cargo that started this program.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    command(&cargo, arguments)
}

/// The files at and below these paths of `root`, sorted by their paths, which are relative to `root`
/// and have `/` as separator. Build products and temporary files of editors don't count.
///
/// # Errors
/// Returns an error if a path is missing or cannot be read.
pub(crate) fn files_below(root: &Path, paths: &[&str]) -> Result<BTreeMap<String, PathBuf>> {
    let mut files = BTreeMap::new();
    let mut open: Vec<PathBuf> = paths.iter().map(|path| root.join(path)).collect();
    while let Some(path) = open.pop() {
        let name = path
            .strip_prefix(root)?
            .to_string_lossy()
            .replace('\\', "/");
        if !path.is_dir() {
            files.insert(name, path);
            continue;
        }
        for entry in fs::read_dir(&path).with_context(|| format!("{name} is missing"))? {
            let entry = entry?;
            let name = entry.file_name();
            if name != "target" && !name.to_string_lossy().starts_with('.') {
                open.push(entry.path());
            }
        }
    }
    Ok(files)
}

/// Runs a command until it ends, and shows its output.
///
/// # Errors
/// Returns an error if the command can't start, or if its exit code is not 0.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", words(command)))?;
    if !status.success() {
        bail!("{} ended with {status}", words(command));
    }
    Ok(())
}

/// Runs a command to the end, and returns its exit code.
///
/// # Errors
/// Returns an error if it cannot start.
pub(crate) fn exit_code(command: &mut Command) -> Result<ExitCode> {
    let status = command
        .status()
        .with_context(|| format!("cannot start {}", words(command)))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(ExitCode::from(code.unwrap_or(1)))
}

/// Applies `work` to each item in a thread of its own.
///
/// # Errors
/// Returns the first error. A panic in a thread counts as an error.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    work: impl Fn(&T) -> Result<R> + Sync,
) -> Result<Vec<R>> {
    thread::scope(|scope| {
        let started = items.iter().map(|item| scope.spawn(|| work(item)));
        let started: Vec<_> = started.collect();
        let ended = started.into_iter().map(std::thread::ScopedJoinHandle::join);
        ended
            .map(|one| one.unwrap_or_else(|_| bail!("a thread panicked: see above")))
            .collect()
    })
}

/// Returns the standard output of a command, or `None` if the command can't start or fails.
pub(crate) fn output(command: &mut Command) -> Option<String> {
    let output = command
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// Returns the path of `program`, searched in the folders of PATH.
pub(crate) fn on_path(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths)
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

fn words(command: &Command) -> String {
    let mut words = vec![command.get_program().to_string_lossy()];
    words.extend(command.get_args().map(OsStr::to_string_lossy));
    words.join(" ")
}
