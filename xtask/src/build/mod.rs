//! Builds `dist/`, the unpacked extension.
//!
//! Example: `cargo xtask build` compiles all wasm modules in one call of cargo, so that each
//! dependency is compiled once; only the sentence model, which uses SIMD, has a call of its own. `Cargo.toml` selects optimisation for speed or for size. The
//! build then runs wasm-bindgen, used as a library so that its version always matches. It shrinks
//! the modules with the pinned wasm-opt, and refuses a module that exceeds its size budget.
//!
//! The hand-written files in `extension/` and `www/` are copied without a minifier. Only the
//! worker's scripts are changed: they are joined into one file.

mod bind;
mod bundle;
mod holidays;
mod modules;
mod ocr;
mod optimise;
mod package;
mod revision;
pub(crate) mod sentence_model;
mod size;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use crate::process::{cargo, in_parallel, root, run, target_folder};
use crate::setup::{self, WASM};

use bind::bind;
use modules::{BENCH, MODULES, Module, SENTENCES};
use optimise::optimise;
pub(crate) use size::Sizes;

/// The cargo profile with which the wasm modules are compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The shipped build, with link-time optimisation, wasm-opt and size budgets.
    Release,
    /// A fast build for trying a change. It keeps function names, and has no size budgets.
    Quick,
}

impl Profile {
    /// Returns the name of the profile in `Cargo.toml`, and of the folder into which cargo
    /// compiles.
    fn name(self) -> &'static str {
        match self {
            Self::Release => "release",
            Self::Quick => "quick",
        }
    }
}

/// Builds the extension into `dist/`.
///
/// # Errors
/// Returns an error if a tool fails or a module exceeds its budget.
pub(crate) fn build(profile: Profile, sizes: Sizes) -> Result<()> {
    setup::for_build()?;
    let start = Instant::now();
    let is_simd = |module: &&Module| module.name == SENTENCES.name;
    let (simd, others): (Vec<Module>, _) = MODULES.iter().partition(is_simd);
    let compiled = compile(profile, &others)?;
    let compiled_simd = compile(profile, &simd)?;
    let took = start.elapsed();
    package::lay_out(&root(), &dist())?;
    holidays::lay_into(&dist())?;
    ocr::lay_into(&dist())?;
    sentence_model::lay_into(&dist())?;
    shrink_all(profile, &others, &compiled, &dist())?;
    shrink_all(profile, &simd, &compiled_simd, &dist())?;
    bundle::bundle(&dist())?;
    if profile == Profile::Release {
        size::check(&dist(), &MODULES, sizes)?;
    }
    println!(
        "dist/ built in {:.1} s, {:.1} s of it compiling",
        start.elapsed().as_secs_f64(),
        took.as_secs_f64()
    );
    Ok(())
}

/// Builds the benchmark module, which is compiled like the worker's module. Returns the module's
/// folder, which is outside `dist/`.
///
/// # Errors
/// Returns an error if a tool fails.
pub(crate) fn bench_module() -> Result<PathBuf> {
    let folder = target_folder().join("bench");
    let compiled = compile(Profile::Release, &[BENCH])?;
    shrink_all(Profile::Release, &[BENCH], &compiled, &folder)?;
    Ok(folder)
}

/// Returns the folder of the unpacked extension.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Compiles modules for wasm; returns the folder of the compiled files.
///
/// # Errors
/// Returns an error if cargo fails.
fn compile(profile: Profile, modules: &[Module]) -> Result<PathBuf> {
    let mut build = cargo(["build", "--locked", "--target", WASM]);
    build.args(["--profile", profile.name()]);
    // The packages and features of all modules are always passed. With other features, cargo would
    // compile shared dependencies again.
    let is_simd = modules.iter().all(|module| module.name == SENTENCES.name);
    for module in &MODULES {
        if is_simd == (module.name == SENTENCES.name) {
            build.args(["--package", module.package]);
            build.args(["--features", &format!("{}/web", module.package)]);
        }
    }
    let mut flags = remapped_paths();
    let mut folder = target_folder();
    if is_simd {
        // Not relaxed SIMD: its results differ between processors.
        flags.push("-Ctarget-feature=+simd128".to_owned());
        // In the same folder, cargo would compile the shared dependencies again at each build,
        // because the flags differ.
        folder.push("simd");
    }
    build.arg("--target-dir").arg(&folder);
    for module in modules {
        build.args(["--bin", module.name]);
    }
    build.env("GLOSS_REVISION", revision::revision(&root())?);
    build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    run(&mut build)?;
    Ok(folder.join(WASM).join(profile.name()))
}

/// Binds and optimises the compiled modules into `folder`. The modules are handled in parallel,
/// because wasm-opt uses one thread per module.
fn shrink_all(profile: Profile, modules: &[Module], compiled: &Path, folder: &Path) -> Result<()> {
    in_parallel(modules, |module| {
        let wasm = compiled.join(module.name).with_extension("wasm");
        let bound = bind(&wasm, &folder.join(module.folder()), module.reset)?;
        match profile {
            Profile::Release => optimise(&bound, module.level),
            Profile::Quick => Ok(()),
        }
    })
    .map(drop)
}

/// Returns the compiler flags that remove source paths from panic messages. Without these flags,
/// the bytes of a build would depend on the folder of the repository.
fn remapped_paths() -> Vec<String> {
    let mut flags = vec![format!("--remap-path-prefix={}=/gloss", root().display())];
    let home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo")));
    let registries = home.and_then(|home| std::fs::read_dir(home.join("registry/src")).ok());
    let mut folders: Vec<PathBuf> = registries
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    flags.extend(
        folders
            .iter()
            .map(|folder| format!("--remap-path-prefix={}=/crates", folder.display())),
    );
    flags
}
