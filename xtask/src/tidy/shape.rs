//! Limits the size of files, and forbids creating HTML from strings.

use super::Problem;
use super::tokens::Token;
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
    let scripts: usize = scripts(tree).map(count).sum();
    if scripts > SCRIPT_LINES {
        let text = format!("{scripts} lines of shipped JavaScript, at most {SCRIPT_LINES} in all");
        problems.push(Problem::new("extension", 0, text));
    }
    problems
}

/// Reports code that creates HTML from strings. Views must create DOM nodes instead.
pub(super) fn markup(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.rust() {
        let named = file.tokens.iter().filter(|token| is_markup(token));
        problems.extend(named.map(|token| found(&file.path, token.line)));
    }
    for file in scripts(tree).chain(tree.below("www", ".html")) {
        let lines = file.content.lines().enumerate();
        let named = lines.filter(|(_, line)| MARKUP.iter().any(|name| line.contains(name)));
        problems.extend(named.map(|(at, _)| found(&file.path, at + 1)));
    }
    problems
}

const MARKUP: [&str; 7] = [
    "innerHTML",
    "inner_html",
    "dangerously_set_inner_html",
    "set_inner_html",
    "insertAdjacentHTML",
    "insert_adjacent_html",
    "document.write",
];

fn is_markup(token: &Token) -> bool {
    let name = token.word().or(token.text());
    name.is_some_and(|name| MARKUP.contains(&name))
}

fn found(path: &str, line: usize) -> Problem {
    Problem::new(path, line, "markup from a string: build nodes instead")
}

fn scripts(tree: &Tree) -> impl Iterator<Item = &Text> {
    tree.below("extension", ".js")
        .chain(tree.below("www", ".js"))
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

    #[test]
    fn markup_from_strings_is_found_in_every_language() {
        let cases = [
            (
                "src/bin/pages/a.rs",
                "fn a() { node.set_inner_html(text) }",
                1,
            ),
            ("src/bin/pages/a.rs", "// no innerHTML here\nfn a() {}", 0),
            ("extension/a.js", "a;\nnode.innerHTML = text;", 1),
            ("www/panel.html", "<script>document.write(1)</script>", 1),
        ];
        for (path, text, expected) in cases {
            assert_eq!(
                markup(&Tree::of(&[(path, text)])).len(),
                expected,
                "{path}: {text}"
            );
        }
    }
}
