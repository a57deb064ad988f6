//! `cargo xtask tidy`: the rules of the house that no compiler knows.
//!
//! Driving example: a view shows words that no locale has; the command ends with the file,
//! the line and the message's id. One rule a file, each a function from the tree to its
//! problems. The compiler enforces the layers, rustfmt and clippy the rest.

mod english;
mod messages;
mod properties;
mod shape;
mod tables;
mod tokens;
mod tree;

use anyhow::{Result, bail};

use crate::lines;
use crate::process::root;
use tree::Tree;

/// Something to mend.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    /// From the root of the repository.
    file: String,
    /// From 1; 0 means the file as a whole.
    line: usize,
    /// What is wrong, and what was expected.
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

/// A rule: what is wrong with this tree?
type Rule = fn(&Tree) -> Vec<Problem>;

const RULES: [Rule; 5] = [
    messages::problems,
    english::problems,
    properties::problems,
    shape::lengths,
    shape::markup,
];

/// Checks the repository.
///
/// # Errors
/// When a rule is broken, after printing each place.
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
