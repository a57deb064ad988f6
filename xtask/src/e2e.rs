//! Runs the end-to-end tests in `tests/e2e/*.test.mjs`, with Node's test runner. They use the
//! built extension in a real Chromium.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};

use crate::process::{command, e2e_folder, run, target_folder};
use crate::setup;
use crate::try_it;

/// The number of cases that the tests run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Length {
    /// A sample of each test's cases, as in CI.
    Short,
    /// All cases, and the tests that take long.
    Long,
}

/// Runs the tests whose file name or title contains `name`, or all tests if `name` is empty.
///
/// # Errors
/// Returns an error if no test matches, or if a test fails.
pub(crate) fn run_tests(name: &str, length: Length) -> Result<()> {
    let mut whole = Vec::new();
    let mut by_title = Vec::new();
    for file in test_files()? {
        if file
            .file_name()
            .is_some_and(|stem| stem.to_string_lossy().contains(name))
        {
            whole.push(file);
        } else if fs::read_to_string(&file)?.contains(name) {
            by_title.push(file);
        }
    }
    if !whole.is_empty() {
        return run(node(length)?.arg("--test").args(RUNNER).args(whole));
    }
    if by_title.is_empty() {
        bail!("no end-to-end test has {name:?} in its file's name or its title");
    }
    let pattern = format!("--test-name-pattern={}", escaped(name));
    run(node(length)?
        .arg("--test")
        .args(RUNNER)
        .arg(pattern)
        .args(by_title))
}

/// The options of the test runner. Each test file has its own browser, and two files run at a time
/// on two cores. The runner's time limit is for a whole file (Node 20). A hanging test reaches its
/// own limit first.
const RUNNER: [&str; 4] = [
    "--test-force-exit",
    "--test-reporter=spec",
    "--test-concurrency=2",
    "--test-timeout=1200000",
];

/// Returns a command that runs Node in the folder of the tests. The environment names the browser
/// to use.
///
/// # Errors
/// Returns an error if there is no browser.
pub(crate) fn node(length: Length) -> Result<Command> {
    setup::screen();
    // Build the replay program now, because compiling it during a test would exceed the test's
    // time limit.
    let replay = try_it::built(&target_folder(), ["--bin", "replay"]);
    let mut node = command("node", [""; 0]);
    node.current_dir(e2e_folder())
        .env("GLOSS_CHROMIUM", setup::chromium()?)
        .env("GLOSS_REPLAY", replay);
    if length == Length::Long {
        node.env("GLOSS_LONG", "1");
    }
    Ok(node)
}

fn test_files() -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(e2e_folder())?.collect::<Result<Vec<_>, _>>()?;
    let mut files: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    files.retain(|file| file.to_string_lossy().ends_with(".test.mjs"));
    files.sort();
    Ok(files)
}

fn escaped(name: &str) -> String {
    let escape = |c: char| {
        if c.is_alphanumeric() || c == ' ' {
            vec![c]
        } else {
            vec!['\\', c]
        }
    };
    name.chars().flat_map(escape).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_matched_as_it_stands_and_not_as_a_pattern() {
        assert_eq!(escaped("1 MB (killed)"), "1 MB \\(killed\\)");
        assert_eq!(escaped("摘要"), "摘要");
    }

    #[test]
    fn a_name_that_no_test_has_is_an_error_that_repeats_it() {
        let error = run_tests("no such test at all", Length::Short).unwrap_err();
        assert!(error.to_string().contains("no such test at all"));
    }
}
