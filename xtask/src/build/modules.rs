//! The wasm modules and their size budgets.

use super::bind::Reset;
use super::optimise::Level;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Module {
    /// The name of the module's binary and of its folder in `dist/`. The module's files begin with
    /// this name.
    pub(crate) name: &'static str,
    /// The package that contains the binary.
    pub(crate) package: &'static str,
    /// Says if the module can be reset after a panic.
    pub(crate) reset: Reset,
    /// The goal of the module's optimisation.
    pub(crate) level: Level,
    /// The maximum uncompressed size, in bytes.
    pub(crate) raw_limit: usize,
    /// The maximum size after brotli compression at quality 11, in bytes.
    pub(crate) brotli_limit: Option<usize>,
}

impl Module {
    /// Returns the module's folder, relative to the folder of all modules. The benchmark module is
    /// directly in its folder.
    pub(super) fn folder(&self) -> &'static str {
        if self.name == BENCH.name {
            ""
        } else {
            self.name
        }
    }
}

/// The modules of the extension.
pub(crate) const MODULES: [Module; 6] = [
    Module {
        name: "worker",
        package: "gloss",
        reset: Reset::Offered,
        level: Level::Size,
        raw_limit: 2_600_000,
        brotli_limit: Some(860_000),
    },
    // The code that reads pages. It is loaded when the first page is read.
    Module {
        name: "reader",
        package: "gloss",
        reset: Reset::Offered,
        level: Level::Speed,
        raw_limit: 1_730_000,
        brotli_limit: Some(552_000),
    },
    // Mostly fonts and character maps. The module is loaded when a PDF, DOCX or feed is read. A
    // page of a PDF takes only 2 ms, so the module is optimised for size.
    Module {
        name: "documents",
        package: "gloss-documents",
        reset: Reset::Offered,
        level: Level::Size,
        raw_limit: 2_920_000,
        brotli_limit: Some(1_190_000),
    },
    // The popup, the side panel and Options. Each use of a `view!` is compiled separately;
    // `src/bin/pages/live.rs` limits the code that this adds.
    Module {
        name: "pages",
        package: "gloss",
        reset: Reset::None,
        level: Level::Size,
        raw_limit: 1_250_000,
        brotli_limit: None,
    },
    Module {
        name: "offscreen",
        package: "gloss",
        reset: Reset::None,
        level: Level::Size,
        raw_limit: 144_000,
        brotli_limit: None,
    },
    SENTENCES,
];

/// The sentence model. It is the only module that is compiled for vector instructions, because it
/// needs 2 million multiplications for a word.
pub(super) const SENTENCES: Module = Module {
    name: "sentences",
    package: "gloss-sentence-model",
    reset: Reset::None,
    level: Level::Speed,
    raw_limit: 300_000,
    brotli_limit: None,
};

/// The module for `cargo xtask bench`. It is never shipped.
pub(super) const BENCH: Module = Module {
    name: "bench",
    package: "gloss",
    reset: Reset::None,
    level: Level::Size,
    raw_limit: usize::MAX,
    brotli_limit: None,
};
