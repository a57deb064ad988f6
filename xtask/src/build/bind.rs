//! Generates the JavaScript side of a wasm binary, with wasm-bindgen as a library.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

/// The export that resets a module to its first state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reset {
    /// `__wbg_reset_state()` is exported: the worker restarts the module after a panic.
    Offered,
    /// No export: a page is simply reloaded.
    None,
}

/// Writes `<name>.js` and `<name>_bg.wasm` into `folder`; returns the latter's path.
///
/// # Errors
/// Returns an error if `wasm` is missing or was built for another version of wasm-bindgen.
pub(crate) fn bind(wasm: &Path, folder: &Path, reset: Reset) -> Result<PathBuf> {
    let name = wasm
        .file_stem()
        .and_then(|stem| stem.to_str())
        .context("a wasm without a name")?;
    Bindgen::new()
        .input_path(wasm)
        .web(true)?
        .typescript(false)
        .omit_default_module_path(false)
        .reset_state_function(reset == Reset::Offered)
        .generate(folder)
        .with_context(|| format!("wasm-bindgen on {}", wasm.display()))?;
    Ok(folder.join(format!("{name}_bg.wasm")))
}
