//! The wasm modules and their size budgets.

use super::bind::Reset;
use super::optimise::Level;

/// A wasm binary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Module {
    /// The name of its binary, of its folder in `dist/`, and of its files without extension.
    pub(crate) name: &'static str,
    /// The package that contains it.
    pub(crate) package: &'static str,
    /// The export that resets it after a panic.
    pub(crate) reset: Reset,
    /// The goal of its optimisation.
    pub(crate) level: Level,
    /// The maximum size in bytes, uncompressed.
    pub(crate) raw_limit: usize,
    /// The maximum size in bytes, after brotli at quality 11.
    pub(crate) brotli_limit: Option<usize>,
}

impl Module {
    /// Its folder, below the folder of all modules; the bench has a folder of its own.
    pub(super) fn folder(&self) -> &'static str {
        if self.name == BENCH.name {
            ""
        } else {
            self.name
        }
    }
}

/// The modules of the extension.
pub(crate) const MODULES: [Module; 5] = [
    Module {
        name: "worker",
        package: "gloss",
        reset: Reset::Offered,
        level: Level::Size,
        raw_limit: 2_564_000,
        brotli_limit: Some(858_000),
    },
    // Everything that handles pages: loaded when a page is first read.
    Module {
        name: "reader",
        package: "gloss",
        reset: Reset::Offered,
        level: Level::Speed,
        raw_limit: 1_730_000,
        brotli_limit: Some(552_000),
    },
    // Mostly fonts and character maps: loaded when a PDF, DOCX or feed is read. A page of a PDF
    // takes 2 ms (FACTS), so it is optimised for size.
    Module {
        name: "documents",
        package: "gloss-documents",
        reset: Reset::Offered,
        level: Level::Size,
        raw_limit: 2_920_000,
        brotli_limit: Some(1_190_000),
    },
    // The popup, the side panel and Options. A `view!` compiles its code at each place;
    // `src/bin/pages/live.rs` limits that.
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
];

/// The module that `cargo xtask bench` measures; never shipped.
pub(super) const BENCH: Module = Module {
    name: "bench",
    package: "gloss",
    reset: Reset::None,
    level: Level::Size,
    raw_limit: usize::MAX,
    brotli_limit: None,
};
