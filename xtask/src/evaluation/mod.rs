//! What is measured outside a browser: how good, not how fast.
//!
//! Driving example: `cargo xtask bench summaries` prints ROUGE beside the peers' and fails
//! where a promise of SPEC is broken. Each asks `try` as any shell would; questions and
//! scripts lie in `evaluation/`, what is fetched and made under `target/`.

mod answers;
mod documents;
mod retrieval;
mod summaries;

use anyhow::Result;

pub(crate) use documents::documents;

/// One of them.
pub(crate) struct Evaluation {
    /// By which `cargo xtask bench NAME` finds it.
    pub(crate) name: &'static str,
    /// Measures, prints, and fails where a promise is broken.
    pub(crate) measure: fn() -> Result<()>,
    /// Whether `tests/e2e/bench.mjs` has parts of that name.
    pub(crate) browser: Browser,
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
