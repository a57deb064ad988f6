//! The measurements outside a browser: quality, not speed.
//!
//! Driving example: `cargo xtask bench summaries` prints ROUGE beside the peers' and fails if a
//! promise of SPEC is broken. Each evaluation calls `try` as a shell would. Questions and scripts
//! are in `evaluation/`, fetched and generated data under `target/`. `cargo xtask test` runs each
//! on a little data, so that none breaks unnoticed.

mod answers;
mod documents;
mod retrieval;
mod summaries;

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::process::target_folder;
use crate::try_it;

pub(crate) use documents::documents;

/// An evaluation.
pub(crate) struct Evaluation {
    /// The name by which `cargo xtask bench NAME` finds it.
    pub(crate) name: &'static str,
    /// Measures, prints, and fails if a promised figure is missed.
    pub(crate) measure: fn(Scale) -> Result<()>,
    /// The parts of `tests/e2e/bench.mjs` with that name.
    pub(crate) browser: Browser,
}

/// The amount of data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// All data, compared with the promised figures.
    Whole,
    /// A little data without promised figures, to check that the evaluation runs.
    Small,
}

impl Scale {
    /// Passes the scale to a command.
    pub(crate) fn tell(self, command: &mut Command) -> &mut Command {
        match self {
            Self::Whole => command,
            Self::Small => command.env("GLOSS_SMALL", "1"),
        }
    }

    /// A native program of the product, `--bin NAME` or `--example NAME`. The small scale uses the
    /// one that the native tests have just built.
    fn program(self, what: [&str; 2]) -> Result<PathBuf> {
        match self {
            Self::Whole => try_it::native(what),
            Self::Small => Ok(try_it::built(&target_folder(), what)),
        }
    }
}

/// The measurements in a browser under the same name.
#[derive(PartialEq, Eq)]
pub(crate) enum Browser {
    /// The browser measures its speed.
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
pub(crate) const ALL: [Evaluation; 5] = [
    evaluation("documents", documents::check, Browser::No),
    evaluation("sentences", summaries::sentences, Browser::No),
    evaluation("summaries", summaries::measure, Browser::Too),
    evaluation("retrieval", retrieval::measure, Browser::Too),
    evaluation("answers", answers::measure, Browser::No),
];
