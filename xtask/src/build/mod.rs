//! `dist/`: the unpacked extension.
//!
//! Driving example: `cargo xtask build` compiles all wasm modules at once (each dependency once;
//! `Cargo.toml` selects speed or size for each). It binds them with wasm-bindgen as a library, so
//! that versions can't differ, and shrinks them with the pinned wasm-opt. It copies the
//! hand-written files and refuses a module that exceeds its size budget. There is no minifier:
//! `extension/` and `www/` are shipped unchanged, except the worker's scripts, which are joined
//! into one file.

mod bind;
mod bundle;
pub(crate) mod embeddings;
mod holidays;
mod modules;
mod ocr;
mod optimise;
mod package;
mod revision;
mod size;

use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Result;

use crate::process::{cargo, in_parallel, root, run, target_folder};
use crate::setup::{self, WASM};

use bind::bind;
use modules::{BENCH, MODULES, Module};
use optimise::optimise;
pub(crate) use size::Sizes;

/// The way the wasm is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// The shipped build: link-time optimisation, wasm-opt, budgets.
    Release,
    /// For trying a change: a fast build that keeps names and checks no budgets.
    Quick,
}

impl Profile {
    /// The profile's name in `Cargo.toml`, which is also the name of cargo's folder.
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
    let compiled = compile(profile, &MODULES)?;
    let took = start.elapsed();
    package::lay_out(&root(), &dist())?;
    embeddings::lay_into(&dist())?;
    holidays::lay_into(&dist())?;
    ocr::lay_into(&dist())?;
    shrink_all(profile, &MODULES, &compiled, &dist())?;
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

/// Builds the module that `bench` measures outside the extension, compiled like the worker. Returns
/// its folder, which is not in `dist/`.
///
/// # Errors
/// Returns an error if a tool fails.
pub(crate) fn bench_module() -> Result<PathBuf> {
    let folder = target_folder().join("bench");
    let compiled = compile(Profile::Release, &[BENCH])?;
    shrink_all(Profile::Release, &[BENCH], &compiled, &folder)?;
    Ok(folder)
}

/// The folder of the unpacked extension.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// Compiles modules for wasm; returns the folder of the binaries.
///
/// # Errors
/// Returns an error if cargo fails.
fn compile(profile: Profile, modules: &[Module]) -> Result<PathBuf> {
    let mut build = cargo(["build", "--locked", "--target", WASM]);
    build.args(["--profile", profile.name()]);
    // The packages and features are always the same; otherwise shared dependencies are compiled
    // again.
    for module in &MODULES {
        build.args(["--package", module.package]);
        build.args(["--features", &format!("{}/web", module.package)]);
    }
    for module in modules {
        build.args(["--bin", module.name]);
    }
    build.env("GLOSS_REVISION", revision::revision(&root())?);
    build.env("CARGO_ENCODED_RUSTFLAGS", remapped_paths().join("\u{1f}"));
    run(&mut build)?;
    Ok(target_folder().join(WASM).join(profile.name()))
}

/// Binds and optimises the compiled modules into `folder`, in parallel: each wasm-opt uses one
/// thread.
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

/// The flags that remove source paths from panic messages. Without them, the same commit would
/// produce different bytes in another folder.
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
