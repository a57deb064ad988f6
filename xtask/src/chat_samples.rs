//! Public samples of tool calls. They are in llama.cpp's `test-chat.cpp`, which the source package
//! of `llama-cpp-python` on `PyPI` contains.
//!
//! Example: `cargo xtask test` downloads the package once into `target/chat-samples`,
//! pinned by its hash. No code of the package is run or built. If the file is unavailable, the
//! command doesn't fail: the reason is printed, and the test that reads the file is skipped.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::process::{command, run, target_folder};
use crate::python;

const VERSION: &str = "0.3.36";
const PINNED: &str = "llama-cpp-python==0.3.36 \
    --hash=sha256:832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e\n";

/// A stand-in for the package's build backend. Even to download a source package, pip asks the
/// backend for the package's name. The stand-in answers without building anything.
const BACKEND: &str = "\
import os

def get_requires_for_build_wheel(settings=None):
    return []

def prepare_metadata_for_build_wheel(folder, settings=None):
    name = 'llama_cpp_python-VERSION.dist-info'
    os.mkdir(os.path.join(folder, name))
    with open(os.path.join(folder, name, 'METADATA'), 'w') as file:
        file.write('Metadata-Version: 2.1\\nName: llama-cpp-python\\nVersion: VERSION\\n')
    return name
";

/// Returns the path of `test-chat.cpp`, or `None` if the file is unavailable.
pub(crate) fn fetch() -> Option<PathBuf> {
    let folder = target_folder().join("chat-samples");
    let samples = folder.join(format!("test-chat-{VERSION}.cpp"));
    if !samples.is_file()
        && let Err(error) = download(&folder, &samples)
    {
        println!("public samples of calls are not read: {error:#}");
        return None;
    }
    Some(samples)
}

fn download(folder: &Path, samples: &Path) -> Result<()> {
    // Another command may run at the same time, so each process has its own temporary folder.
    let parts = folder.join(format!("parts-{}", std::process::id()));
    let backend = parts.join("backend/scikit_build_core");
    fs::create_dir_all(&backend)?;
    fs::write(backend.join("__init__.py"), "")?;
    fs::write(
        backend.join("build.py"),
        BACKEND.replace("VERSION", VERSION),
    )?;
    let how = ["--no-build-isolation", "--no-binary=:all:"];
    run(python::pip("download", PINNED, &parts, &how)?.env("PYTHONPATH", parts.join("backend")))?;
    let package = format!("llama_cpp_python-{VERSION}");
    let file = format!("{package}/vendor/llama.cpp/tests/test-chat.cpp");
    let mut tar = command("tar", ["--extract", "--gzip", "--no-same-owner"]);
    tar.arg("--directory").arg(&parts).arg("--file");
    run(tar.arg(parts.join(format!("{package}.tar.gz"))).arg(&file))?;
    fs::rename(parts.join(file), samples).context("the package has no test-chat.cpp")?;
    fs::remove_dir_all(parts)?;
    Ok(())
}
