//! `dist/ocr/`: the files that recognise text in pictures on the device.
//!
//! The folder contains Tesseract as wasm, and its data for English and simplified Chinese.
//! `tests/e2e/package-lock.json` pins their versions. Their licences are copied with them. Of the
//! scripts, only the address of a server for code is changed. The extension loads the files when it
//! first reads a picture.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::process::e2e_folder;

const FOLDER: &str = "ocr";

/// The address from which the recognizer's scripts would load files that the caller doesn't name.
const CDN: &str = "https://cdn.jsdelivr.net/npm/";

/// The files' paths in `node_modules`, and their names in `dist`. There are two cores, because not
/// every processor has relaxed SIMD; Tesseract picks one.
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

/// Copies the files into `dist/ocr`.
///
/// # Errors
/// Returns an error if a package lacks a file.
pub(super) fn lay_into(dist: &Path) -> Result<()> {
    let folder = dist.join(FOLDER);
    fs::create_dir_all(&folder)?;
    for (from, name) in FILES {
        let from = e2e_folder().join("node_modules").join(from);
        let missing = || format!("{} is missing", from.display());
        if name.ends_with(".min.js") {
            // The scripts would load missing files from this address. Gloss names every file, and
            // an address of remote code has no place in the package.
            let script = fs::read_to_string(&from).with_context(missing)?;
            fs::write(folder.join(name), script.replace(CDN, "/none/"))?;
        } else {
            fs::copy(&from, folder.join(name)).with_context(missing)?;
        }
    }
    Ok(())
}
