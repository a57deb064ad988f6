//! `cargo xtask tidy` checks the rules of this repository that the compiler can't check.
//!
//! Example: a view shows a text that `_locales` doesn't contain. The command prints the
//! file, the line and the text, and fails.
//!
//! Each file in this folder contains one rule, a function that takes all files and returns the
//! problems. The compiler enforces the order of the crates; rustfmt and clippy check the style.

mod english;
mod literals;
mod messages;
mod plain_words;
mod properties;
mod shape;
mod tables;
mod tree;

use anyhow::{Result, bail};

use crate::lines;
use crate::process::root;
use tree::Tree;

/// A place in which a rule is violated.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    /// The path of the file, relative to the root of the repository.
    file: String,
    /// The number of the line, from 1; 0 means the whole file.
    line: usize,
    /// The reason for the violation, and the expected text.
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

/// A rule: a function that returns the violations in these files.
type Rule = fn(&Tree) -> Vec<Problem>;

const RULES: [Rule; 5] = [
    messages::problems,
    english::problems,
    plain_words::problems,
    properties::problems,
    shape::lengths,
];

/// Checks the repository.
///
/// # Errors
/// Prints each violation, and returns an error if there is one.
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
