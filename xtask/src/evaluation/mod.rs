//! The evaluations, which measure quality outside a browser.
//!
//! Example: `cargo xtask bench summaries` prints the ROUGE scores of Gloss and of its
//! peers. The command fails if Gloss is worse than the promised values. Evaluations call `cargo
//! xtask try` as a user would in a shell.
//!
//! The questions and scripts are in `evaluation/`. Downloaded and generated data is under
//! `target/`. `cargo xtask test` runs each evaluation on little data, so that a broken one is
//! noticed.

mod answers;
mod definitions;
mod documents;
mod injection;
mod retrieval;
mod summaries;

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::process::target_folder;
use crate::try_it;

pub(crate) use documents::documents;

pub(crate) struct Evaluation {
    /// The name of the evaluation in `cargo xtask bench NAME`.
    pub(crate) name: &'static str,
    /// Measures and prints. Returns an error if a promised value is missed.
    pub(crate) measure: fn(Scale) -> Result<()>,
    /// Says if `tests/e2e/bench.mjs` has parts with the same name.
    pub(crate) browser: Browser,
}

/// The amount of data that an evaluation uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// All data. The results are compared with the promised values.
    Whole,
    /// A little data, to check that the evaluation works. The results are not compared.
    Small,
}

impl Scale {
    /// Tells a command to use little data, through the environment variable `GLOSS_SMALL`.
    pub(crate) fn tell(self, command: &mut Command) -> &mut Command {
        match self {
            Self::Whole => command,
            Self::Small => command.env("GLOSS_SMALL", "1"),
        }
    }

    /// Returns the path of a native program, `--bin NAME` or `--example NAME`. With little data, it
    /// is the program that the native tests have just built.
    fn program(self, what: [&str; 2]) -> Result<PathBuf> {
        match self {
            Self::Whole => try_it::native(what),
            Self::Small => Ok(try_it::built(&target_folder(), what)),
        }
    }
}

/// Says if a browser measures something under the same name.
#[derive(PartialEq, Eq)]
pub(crate) enum Browser {
    /// The browser measures the speed.
    Too,
    /// The browser measures nothing.
    No,
}

const fn evaluation(
    name: &'static str,
    measure: fn(Scale) -> Result<()>,
    browser: Browser,
) -> Evaluation {
    Evaluation {
        name,
        measure,
        browser,
    }
}

/// All evaluations, in the order in which they run.
pub(crate) const ALL: [Evaluation; 7] = [
    evaluation("documents", documents::check, Browser::No),
    evaluation("sentences", summaries::sentences, Browser::No),
    evaluation("summaries", summaries::measure, Browser::Too),
    evaluation("retrieval", retrieval::measure, Browser::Too),
    evaluation("answers", answers::measure, Browser::No),
    evaluation("definitions", definitions::measure, Browser::No),
    evaluation("injection", injection::measure, Browser::No),
];
