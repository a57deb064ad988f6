//! Runs wasm-opt, in the version that `tests/e2e/package-lock.json` pins. A wasm-opt on the PATH
//! is ignored.
//!
//! wasm-opt takes longer than the rest of an incremental build, so each result is cached under a
//! hash of the input.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::process::{command, e2e_folder, run, target_folder};

/// The wasm features of Chromium 138. With `--all-features`, wasm-opt would emit imports that
/// Chromium 138 refuses.
const ARGUMENTS: [&str; 10] = [
    // Addresses below 1024 contain only the end of the stack, and are never computed from other
    // addresses.
    "--low-memory-unused",
    "--enable-bulk-memory",
    "--enable-bulk-memory-opt",
    "--enable-nontrapping-float-to-int",
    "--enable-sign-ext",
    "--enable-mutable-globals",
    "--enable-reference-types",
    "--enable-multivalue",
    "--enable-call-indirect-overlong",
    "--strip-producers",
];

/// The goal of a module's optimisation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Small, because the module is loaded each time the worker wakes or a page opens.
    Size,
    /// Fast, because the module reads whole pages while the user waits.
    Speed,
}

/// Optimises the file `wasm`, and replaces it by the result.
///
/// # Errors
/// Returns an error if wasm-opt fails.
pub(super) fn optimise(wasm: &Path, level: Level) -> Result<()> {
    let passes: &[&str] = match level {
        // LLVM has already inlined the functions for which inlining pays. Functions with similar
        // names have similar bodies; side by side, they compress one percent better.
        Level::Size => &["--no-inline=*", "-Oz", "--reorder-functions-by-name"],
        Level::Speed => &["-O3"],
    };
    let before = std::fs::read(wasm)?;
    let kept = kept_result(&before, passes);
    if !kept.is_file() {
        let partial = kept.with_extension("partial");
        std::fs::create_dir_all(kept.parent().unwrap_or(&kept))?;
        let tool = e2e_folder().join("node_modules/binaryen/bin/wasm-opt");
        run(command("node", [tool.as_path(), wasm])
            .args(passes)
            .args(ARGUMENTS)
            .arg("-o")
            .arg(&partial))?;
        std::fs::rename(partial, &kept)?;
    }
    std::fs::copy(kept, wasm)?;
    Ok(())
}

fn kept_result(wasm: &[u8], passes: &[&str]) -> PathBuf {
    let lock = std::fs::read(e2e_folder().join("package-lock.json")).unwrap_or_default();
    let mut hasher = DefaultHasher::new();
    (wasm, passes, ARGUMENTS, lock).hash(&mut hasher);
    target_folder()
        .join("wasm-opt")
        .join(format!("{:016x}.wasm", hasher.finish()))
}
