//! Counts the lines of Rust that have to be maintained.
//!
//! Example: `cargo xtask tidy` prints the number of lines of code, and fails if the number
//! exceeds the budget. A line of code is neither blank nor a comment, and not in a test module.
//! The count uses lines rather than syntax, so that anyone can check the number with a short
//! script.

use std::fs;

use anyhow::{Result, ensure};

use crate::process::{command, output, root};

/// The maximum number of lines of code.
const MOST: usize = 72_100;

/// The minimum share of comments among the lines that are not blank, in percent.
const LEAST_COMMENTS: usize = 10;

/// The number of lines of Rust, by kind.
#[derive(Debug, Default, PartialEq, Eq)]
struct Lines {
    /// Lines that are neither blank nor comments.
    code: usize,
    comments: usize,
    /// All lines, including tests and blank lines, as `wc -l` counts them.
    all: usize,
}

/// Counts the Rust files that git tracks, and prints the total.
///
/// # Errors
/// Returns an error if there is too much code, if there are too few comments, or if a file can't
/// be read.
pub(crate) fn check() -> Result<()> {
    let tracked = output(&mut command("git", ["ls-files", "*.rs"])).unwrap_or_default();
    let mut sum = Lines::default();
    for file in tracked.lines() {
        // Until the next commit, git still lists a renamed file under its old name.
        let Ok(source) = fs::read_to_string(root().join(file)) else {
            continue;
        };
        sum.all += source.lines().count();
        if !is_test(file) {
            let lines = count(&source);
            sum.code += lines.code;
            sum.comments += lines.comments;
        }
    }
    let share = sum.comments * 100 / (sum.code + sum.comments).max(1);
    println!(
        "Rust: {} lines of code outside of tests (at most {MOST}), {share} % comments, {} with all (wc -l)",
        sum.code, sum.all
    );
    ensure!(
        sum.code <= MOST,
        "{} lines of code, at most {MOST}",
        sum.code
    );
    ensure!(
        share >= LEAST_COMMENTS || sum.code == 0,
        "{share} % comments, at least {LEAST_COMMENTS}"
    );
    Ok(())
}

fn is_test(file: &str) -> bool {
    file.starts_with("tests/")
        || file.contains("/tests/")
        || file.ends_with("_tests.rs")
        || file.ends_with("/tests.rs")
}

/// Counts the lines outside of `#[cfg(test)] mod … { … }`. Such a module ends at a `}` with the
/// indent of its first line.
fn count(source: &str) -> Lines {
    let mut lines = Lines::default();
    let mut rest = source.lines().peekable();
    while let Some(line) = rest.next() {
        let text = line.trim();
        let opens = |next: &&str| next.trim_start().starts_with("mod ") && next.ends_with('{');
        if text == "#[cfg(test)]" && rest.peek().is_some_and(opens) {
            let end = line.replace("#[cfg(test)]", "}");
            rest.by_ref().find(|line| *line == end);
        } else if text.starts_with("//") {
            lines.comments += 1;
        } else if !text.is_empty() {
            lines.code += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_counted_without_blanks_comments_and_tests() {
        let source = "//! Doc.\n\nfn a() {\n    // why\n    b();\n}\n\n#[cfg(test)]\nmod tests {\n    fn c() {}\n}\nfn d() {}\n";
        let expected = Lines {
            code: 4,
            comments: 2,
            all: 0,
        };
        assert_eq!(count(source), expected);
    }

    #[test]
    fn files_of_tests_are_known_by_their_place() {
        for file in [
            "tests/suite/a.rs",
            "src/a/tests/b.rs",
            "src/a/tests.rs",
            "src/a_tests.rs",
        ] {
            assert!(is_test(file), "{file}");
        }
        assert!(!is_test("src/testing.rs"));
    }
}
