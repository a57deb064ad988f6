//! The wasm modules, and what each may weigh.

use super::bind::Reset;
use super::optimise::Level;

/// A wasm binary.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Module {
    /// Its binary, its folder in `dist/` and the stem of its files.
    pub(crate) name: &'static str,
    /// The package that has it.
    pub(crate) package: &'static str,
    /// Whether it can be put back to its first state after a panic.
    pub(crate) reset: Reset,
    /// How wasm-opt treats it.
    pub(crate) level: Level,
    /// In bytes, as it is.
    pub(crate) raw_limit: usize,
    /// In bytes, after brotli at quality 11.
    pub(crate) brotli_limit: Option<usize>,
}

impl Module {
    /// Where it is laid, below the folder of all modules; that of the bench is its own.
    pub(super) fn folder(&self) -> &'static str {
        if self.name == BENCH.name {
            ""
        } else {
            self.name
        }
    }
}

/// Those of the extension.
pub(crate) const MODULES: [Module; 5] = [
    Module {
        name: "worker",
        package: "gloss",
        reset: Reset::Offered,
        level: Level::Size,
        raw_limit: 2_564_000,
        brotli_limit: Some(858_000),
    },
    // All that knows pages: loaded when one is first read.
    Module {
        name: "reader",
        package: "gloss",
        reset: Reset::Offered,
        level: Level::Speed,
        raw_limit: 1_730_000,
        brotli_limit: Some(552_000),
    },
    // Fonts and maps of characters, most of it: loaded when a PDF, DOCX or feed is read. A page
    // of a PDF takes 2 ms (FACTS), so it is made for size.
    Module {
        name: "documents",
        package: "gloss-documents",
        reset: Reset::Offered,
        level: Level::Size,
        raw_limit: 2_920_000,
        brotli_limit: Some(1_190_000),
    },
    // The popup, the side panel and Options. A `view!` compiles its machinery at each place:
    // `src/bin/pages/live.rs` keeps that down.
    Module {
        name: "pages",
        package: "gloss",
        reset: Reset::None,
        level: Level::Size,
        raw_limit: 1_455_000,
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

/// What `cargo xtask bench` measures, and nobody ships.
pub(super) const BENCH: Module = Module {
    name: "bench",
    package: "gloss",
    reset: Reset::None,
    level: Level::Size,
    raw_limit: usize::MAX,
    brotli_limit: None,
};
