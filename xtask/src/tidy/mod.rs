//! `cargo xtask tidy`: the rules of the house that no compiler knows.
//!
//! Driving example: someone imports `crate::agent` from `src/text`; the command ends
//! with `src/page/links.rs:7: page may not use agent`. One rule a file, each a
//! function from the tree to its problems. Formatting and lints are elsewhere: rustfmt
//! and clippy have them.

mod effects;
mod english;
mod layers;
mod messages;
mod properties;
mod shape;
mod tokens;
mod tree;

use std::path::Path;

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

const RULES: [Rule; 7] = [
    layers::problems,
    messages::problems,
    english::problems,
    effects::problems,
    properties::problems,
    shape::lengths,
    shape::markup,
];

/// Checks the repository.
///
/// # Errors
/// When a rule is broken, after printing each place.
pub(crate) fn tidy() -> Result<()> {
    let problems = problems(&root())?;
    for Problem { file, line, text } in &problems {
        println!("{file}:{line}: {text}");
    }
    match problems.len() {
        0 => lines::check(),
        count => bail!("tidy found {count} to mend"),
    }
}

fn problems(root: &Path) -> Result<Vec<Problem>> {
    let tree = Tree::read(root)?;
    let mut problems: Vec<Problem> = RULES.iter().flat_map(|rule| rule(&tree)).collect();
    problems.sort();
    problems.dedup();
    Ok(problems)
}
