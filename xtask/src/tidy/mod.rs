//! `cargo xtask tidy`: the project's rules that the compiler can't check.
//!
//! Driving example: a view shows a text that no locale has. The command ends with the file, the
//! line and the text. Each file has one rule, a function from the tree to its problems. The
//! compiler enforces the layers, rustfmt and clippy the rest.

mod english;
mod messages;
mod plain_words;
mod properties;
mod shape;
mod tables;
mod tokens;
mod tree;

use anyhow::{Result, bail};

use crate::lines;
use crate::process::root;
use tree::Tree;

/// A violation of a rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    /// The path from the root of the repository.
    file: String,
    /// The line, from 1; 0 means the whole file.
    line: usize,
    /// The violation, and the expected state.
    text: String,
}

impl Problem {
    fn new(file: &str, line: usize, text: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line,
            text: text.into(),
        }
    }
}

/// A rule: returns the violations in this tree.
type Rule = fn(&Tree) -> Vec<Problem>;

const RULES: [Rule; 6] = [
    messages::problems,
    english::problems,
    plain_words::problems,
    properties::problems,
    shape::lengths,
    shape::markup,
];

/// Checks the repository.
///
/// # Errors
/// Returns an error if a rule is violated, after printing each violation.
pub(crate) fn tidy() -> Result<()> {
    let tree = Tree::read(&root())?;
    let problems = problems(&tree);
    for Problem { file, line, text } in &problems {
        println!("{file}:{line}: {text}");
    }
    match problems.len() {
        0 => tables::check(&tree).and_then(|()| lines::check()),
        count => bail!("tidy found {count} to fix"),
    }
}

fn problems(tree: &Tree) -> Vec<Problem> {
    let mut problems: Vec<Problem> = RULES.iter().flat_map(|rule| rule(tree)).collect();
    problems.sort();
    problems.dedup();
    problems
}
