//! Limits the size of files.

use super::Problem;
use super::tree::{Text, Tree};

/// The maximum number of lines of a Rust file. A longer file can be split.
const RUST_LINES: usize = 400;
/// The maximum number of lines of all hand-written scripts that are shipped, added up.
const SCRIPT_LINES: usize = 300;

/// Reports Rust files that are too long, and the shipped scripts if they are too long together.
pub(super) fn lengths(tree: &Tree) -> Vec<Problem> {
    let rust = ["crates", "src", "xtask"]
        .into_iter()
        .flat_map(|folder| tree.below(folder, ".rs"));
    let mut problems: Vec<Problem> = rust
        .filter(|file| !is_test(&file.path))
        .filter_map(over_length)
        .collect();
    let count = |file: &Text| file.content.lines().count();
    let scripts = ["extension", "www"].into_iter();
    let scripts = scripts.flat_map(|folder| tree.below(folder, ".js"));
    let scripts: usize = scripts.map(count).sum();
    if scripts > SCRIPT_LINES {
        let text = format!("{scripts} lines of shipped JavaScript, at most {SCRIPT_LINES} in all");
        problems.push(Problem::new("extension", 0, text));
    }
    problems
}

fn is_test(path: &str) -> bool {
    path.ends_with("/tests.rs") || path.ends_with("_tests.rs") || path.contains("/tests/")
}

fn over_length(file: &Text) -> Option<Problem> {
    let lines = file.content.lines().count();
    let text = format!("{lines} lines, at most {RUST_LINES}: look for the seam");
    (lines > RUST_LINES).then(|| Problem::new(&file.path, 0, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_files_are_found_unless_they_are_tests() {
        let long = "// x\n".repeat(401);
        let edge = "// x\n".repeat(400);
        let tree = Tree::of(&[
            ("src/a.rs", &long),
            ("src/b.rs", &edge),
            ("src/a/tests.rs", &long),
            ("src/a/kill_tests.rs", &long),
        ]);
        let files: Vec<String> = lengths(&tree)
            .into_iter()
            .map(|problem| problem.file)
            .collect();
        assert_eq!(files, ["src/a.rs"]);
    }

    #[test]
    fn scripts_are_counted_together() {
        let half = "a\n".repeat(151);
        let tree = Tree::of(&[("extension/a.js", &half), ("www/b.js", &half)]);
        assert_eq!(lengths(&tree).len(), 1);
        assert!(lengths(&Tree::of(&[("extension/a.js", &half)])).is_empty());
    }
}
