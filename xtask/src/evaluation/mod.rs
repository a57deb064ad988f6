//! What is measured outside a browser: how good, not how fast.
//!
//! Driving example: `cargo xtask bench summaries` prints ROUGE beside the peers' and fails
//! where a promise of SPEC is broken. Each asks `try` as any shell would; questions and
//! scripts lie in `evaluation/`, what is fetched and made under `target/`. `cargo xtask test`
//! runs each on a handful of its data, so that none rots.

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

/// One of them.
pub(crate) struct Evaluation {
    /// By which `cargo xtask bench NAME` finds it.
    pub(crate) name: &'static str,
    /// Measures, prints, and fails where a promise is broken.
    pub(crate) measure: fn(Scale) -> Result<()>,
    /// Whether `tests/e2e/bench.mjs` has parts of that name.
    pub(crate) browser: Browser,
}

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// Everything, judged by what is promised.
    Whole,
    /// A handful of data, of which no promise is judged: that it runs at all.
    Small,
}

impl Scale {
    /// The command, told to measure so much.
    pub(crate) fn tell(self, command: &mut Command) -> &mut Command {
        match self {
            Self::Whole => command,
            Self::Small => command.env("GLOSS_SMALL", "1"),
        }
    }

    /// A native program of the product, `--bin NAME` or `--example NAME`. The small scale takes
    /// what the native tests have just built.
    fn program(self, what: [&str; 2]) -> Result<PathBuf> {
        match self {
            Self::Whole => try_it::native(what),
            Self::Small => Ok(try_it::built(&target_folder(), what)),
        }
    }
}

/// Whether a browser measures something under the same name.
#[derive(PartialEq, Eq)]
pub(crate) enum Browser {
    /// How fast it is.
    Too,
    /// Nothing.
    No,
}

/// All of them, in the order in which they run.
pub(crate) const ALL: [Evaluation; 5] = [
    Evaluation {
        name: "documents",
        measure: documents::check,
        browser: Browser::No,
    },
    Evaluation {
        name: "sentences",
        measure: summaries::sentences,
        browser: Browser::No,
    },
    Evaluation {
        name: "summaries",
        measure: summaries::measure,
        browser: Browser::Too,
    },
    Evaluation {
        name: "retrieval",
        measure: retrieval::measure,
        browser: Browser::Too,
    },
    Evaluation {
        name: "answers",
        measure: answers::measure,
        browser: Browser::No,
    },
];
