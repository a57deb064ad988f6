//! `dist/`: the unpacked extension.
//!
//! Driving example: `cargo xtask build` compiles the binaries (what knows pages for speed, the others for size),
//! binds them with wasm-bindgen as a library (so the two cannot drift), shrinks them
//! with the pinned wasm-opt, lays the hand-written files beside them and refuses a
//! result over its size budget. No minifier: what is in `extension/` and `www/` is shipped as
//! it stands, but for the worker's scripts, which become one file.

mod bind;
mod bundle;
pub(crate) mod embeddings;
mod holidays;
mod ocr;
mod optimise;
mod package;
mod revision;
mod size;

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail};

use crate::process::{cargo, root, run, target_folder};
use crate::setup::{self, WASM};

use bind::{Reset, bind};
use optimise::optimise;
use size::Artefact;

/// How the wasm is compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Profile {
    /// What is shipped: link-time optimisation, wasm-opt, budgets.
    Release,
    /// For looking into: quick to build, names kept, no budgets.
    Debug,
}

/// Builds the extension into `dist/`.
///
/// # Errors
/// When a tool fails or an artefact is over its budget.
pub(crate) fn build(profile: Profile) -> Result<()> {
    setup::for_build()?;
    let start = Instant::now();
    package::lay_out(&root(), &dist())?;
    embeddings::lay_into(&dist())?;
    holidays::lay_into(&dist())?;
    ocr::lay_into(&dist())?;
    // What is compiled is bound and shrunk while the next is compiled: link-time optimisation
    // and wasm-opt have one thread each.
    thread::scope(|scope| {
        let mut parts = Vec::new();
        let mut shrunk = |folder: &Path, aim, name, reset| {
            let compiled = folder.join(name).with_extension("wasm");
            parts.push(scope.spawn(move || shrink(profile, aim, name, reset, &compiled)));
        };
        // A page of a PDF takes 2 ms so (FACTS); it is the largest module by far.
        let documents = compile(profile, Aim::Size, "gloss-documents", &["documents"])?;
        shrunk(&documents, Aim::Size, "documents", Reset::Offered);
        let fast = compile(profile, Aim::Speed, "gloss", &["reader"])?;
        shrunk(&fast, Aim::Speed, "reader", Reset::Offered);
        let binaries = ["worker", "pages", "offscreen"];
        let small = compile(profile, Aim::Size, "gloss", &binaries)?;
        shrunk(&small, Aim::Size, "worker", Reset::Offered);
        shrunk(&small, Aim::Size, "pages", Reset::None);
        shrunk(&small, Aim::Size, "offscreen", Reset::None);
        parts.into_iter().try_for_each(|part| {
            part.join()
                .unwrap_or_else(|_| bail!("a module could not be shrunk: see above"))
        })
    })?;
    bundle::bundle(&dist())?;
    let artefacts = [
        Artefact {
            name: "worker",
            // What it weighs; a fifth of it are words and sentences for what is known of the person,
            // which `reader` could look up.
            raw_limit: 3_450_000,
            brotli_limit: Some(1_074_000),
        },
        Artefact {
            name: "reader",
            // All that knows pages, for speed: loaded when one is first read.
            raw_limit: 1_984_000,
            brotli_limit: Some(589_000),
        },
        Artefact {
            name: "documents",
            // Fonts and maps of characters, most of it: loaded when a PDF, DOCX or feed is read.
            raw_limit: 2_920_000,
            brotli_limit: Some(1_190_000),
        },
        Artefact {
            name: "pages",
            // What it weighs. Two pages in one: a seventh is reading the worker's
            // messages (by serde-wasm-bindgen: as JSON text it is 50 to 106 KB more), a
            // ninth Sycamore, the rest the views and std. It was 939 105 while `view!` compiled
            // its machinery at each place (`src/bin/pages/live.rs`): look there first.
            raw_limit: 1_556_000,
            brotli_limit: None,
        },
        Artefact {
            name: "offscreen",
            raw_limit: 140_000,
            brotli_limit: None,
        },
    ];
    // Packing what is not shipped takes longer than building it.
    let within = match profile {
        Profile::Release => size::report(&dist(), &artefacts)?,
        Profile::Debug => Ok(()),
    };
    println!("dist/ built in {:.1} s", start.elapsed().as_secs_f64());
    within
}

/// Makes what was compiled into a module of `dist/`.
fn shrink(profile: Profile, aim: Aim, name: &str, reset: Reset, compiled: &Path) -> Result<()> {
    let wasm = bind(compiled, &dist().join(name), reset)?;
    match profile {
        Profile::Release => optimise(&wasm, aim),
        Profile::Debug => Ok(()),
    }
}

/// Builds what is measured outside the extension, compiled as the worker is; returns its
/// folder, which is no part of `dist/`.
///
/// # Errors
/// When a tool fails.
pub(crate) fn bench_module() -> Result<PathBuf> {
    let folder = target_folder().join("bench");
    let products = compile(Profile::Release, Aim::Size, "gloss", &["bench"])?;
    let wasm = bind(&products.join("bench.wasm"), &folder, Reset::None)?;
    optimise(&wasm, Aim::Size)?;
    Ok(folder)
}

/// Where the unpacked extension stands.
pub(crate) fn dist() -> PathBuf {
    root().join("dist")
}

/// What a binary is made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aim {
    /// It is loaded at each wake, or with each page.
    Size,
    /// It reads whole pages while a person waits.
    Speed,
}

/// Compiles binaries of a package for wasm; returns the folder of the products.
///
/// # Errors
/// When cargo fails.
fn compile(profile: Profile, aim: Aim, package: &str, binaries: &[&str]) -> Result<PathBuf> {
    let mut build = cargo(["build", "--locked", "--package", package]);
    build.args(["--features", "web", "--target", WASM]);
    for binary in binaries {
        build.args(["--bin", binary]);
    }
    build.env("GLOSS_REVISION", revision::revision(&root())?);
    build.env("CARGO_ENCODED_RUSTFLAGS", remapped_paths().join("\u{1f}"));
    let folder = match (profile, aim) {
        (Profile::Debug, _) => "debug",
        (Profile::Release, Aim::Size) => "release",
        (Profile::Release, Aim::Speed) => "reader",
    };
    if profile == Profile::Release {
        build.args(["--profile", folder]);
    }
    run(&mut build)?;
    Ok(target_folder().join(WASM).join(folder))
}

/// Panic messages carry source paths; without these flags the same commit would
/// give other bytes in another folder.
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
