//! Generates the JavaScript part of a wasm module. It uses wasm-bindgen as a library.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

/// Says if the module exports a function that resets the module to its first state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reset {
    /// The module exports `__wbg_reset_state()`, with which the worker restarts it after a panic.
    Offered,
    /// The module has no such export, because its page is reloaded instead.
    None,
}

/// Writes `<name>.js` and `<name>_bg.wasm` into `folder`; returns the path of the wasm file.
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
