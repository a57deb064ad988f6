//! Runs the wasm-opt that `tests/e2e/package-lock.json` pins, never the one on the PATH.
//!
//! It takes longer than the rest of an incremental build, so a result is cached under the hash of
//! its input.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use anyhow::Result;

use crate::process::{command, e2e_folder, run, target_folder};

/// The features of Chromium 138. `--all-features` would emit imports that it refuses.
const ARGUMENTS: [&str; 10] = [
    // Only the far end of the stack is below 1024: addresses there are never computed.
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
    /// Small, because it is loaded at each wake, or with each page.
    Size,
    /// Fast, because it reads whole pages while a user waits.
    Speed,
}

/// Optimises `wasm` in place.
///
/// # Errors
/// Returns an error if wasm-opt fails.
pub(super) fn optimise(wasm: &Path, level: Level) -> Result<()> {
    let passes: &[&str] = match level {
        // LLVM has inlined what pays. Functions of similar names have similar bodies: side by side
        // they compress by one percent more.
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
