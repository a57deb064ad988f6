//! `dist/ocr/`: the on-device reading of pictures.
//!
//! Tesseract in wasm, and its data for English and simplified Chinese, as
//! `tests/e2e/package-lock.json` pins them. The files are copied unchanged, with their licences.
//! None is loaded before a picture is read.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::process::e2e_folder;

/// The folder in `dist`.
const FOLDER: &str = "ocr";

/// The paths in `node_modules`, and the names in `dist`. The engine picks one of the two cores,
/// because not every processor has relaxed SIMD.
const FILES: [(&str, &str); 10] = [
    ("tesseract.js/dist/tesseract.min.js", "tesseract.min.js"),
    ("tesseract.js/dist/worker.min.js", "worker.min.js"),
    (
        "tesseract.js-core/tesseract-core-relaxedsimd-lstm.wasm.js",
        "tesseract-core-relaxedsimd-lstm.wasm.js",
    ),
    (
        "tesseract.js-core/tesseract-core-simd-lstm.wasm.js",
        "tesseract-core-simd-lstm.wasm.js",
    ),
    (
        "@tesseract.js-data/eng/4.0.0_best_int/eng.traineddata.gz",
        "eng.traineddata.gz",
    ),
    (
        "@tesseract.js-data/chi_sim/4.0.0_best_int/chi_sim.traineddata.gz",
        "chi_sim.traineddata.gz",
    ),
    (
        "tesseract.js/dist/tesseract.min.js.LICENSE.txt",
        "tesseract.min.js.LICENSE.txt",
    ),
    (
        "tesseract.js/dist/worker.min.js.LICENSE.txt",
        "worker.min.js.LICENSE.txt",
    ),
    ("tesseract.js/LICENSE.md", "tesseract.LICENSE.txt"),
    ("tesseract.js-core/LICENSE", "tesseract-core.LICENSE.txt"),
];

/// Copies the files into `dist`.
///
/// # Errors
/// Returns an error if a package lacks a file.
pub(super) fn lay_into(dist: &Path) -> Result<()> {
    let folder = dist.join(FOLDER);
    fs::create_dir_all(&folder)?;
    for (from, name) in FILES {
        let from = e2e_folder().join("node_modules").join(from);
        fs::copy(&from, folder.join(name))
            .with_context(|| format!("{} is missing", from.display()))?;
    }
    Ok(())
}
