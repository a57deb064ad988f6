//! `cargo xtask test` runs all checks, the fastest first, and prints the time that each took.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::bench;
use crate::books;
use crate::build::{self, Profile, Sizes, sentence_model};
use crate::chat_samples;
use crate::e2e::{self, Length};
use crate::licences;
use crate::papers;
use crate::process::{cargo, run};
use crate::proof;
use crate::python;
use crate::setup::{self, WASM};
use crate::tidy;
use crate::try_it;

/// The feature that the tests under `tests/` need to kill workers.
const FEATURES: [&str; 2] = ["--features", "gloss/sim"];

/// The tests that print which share of malformed tool calls, and of public samples, is parsed.
const SHARE_READ: [&str; 2] = [
    "most_of_what_models_write_is_read",
    "public_samples_of_calls_are_read",
];

/// Runs all checks that CI runs.
///
/// # Errors
/// Returns an error with the name of the part that failed.
pub(crate) fn test(length: Length) -> Result<()> {
    let start = Instant::now();
    let mut parts = Parts(Vec::new());
    let ended = every_part(&mut parts, length);
    println!("\n{}", parts.table(start.elapsed()));
    ended
}

fn every_part(parts: &mut Parts, length: Length) -> Result<()> {
    parts.part("setup", || {
        setup::for_build().and_then(|()| setup::chromium().map(drop))
    })?;
    parts.part("format", || run(&mut cargo(["fmt", "--all", "--check"])))?;
    parts.part("tidy", tidy::tidy)?;
    parts.part("licences", licences::check)?;
    if length == Length::Long {
        parts.part("cargo deny", || {
            setup::cargo_deny()?;
            run(&mut cargo("deny check licenses bans sources".split(' ')))
        })?;
    }
    parts.part("lint", lint)?;
    parts.part("native tests", || native_tests(length))?;
    parts.part("requests", python::judge_requests)?;
    parts.part("build", || build::build(Profile::Release, Sizes::Packed))?;
    parts.part("end to end", || e2e::run_tests("", length))?;
    parts.part("bench, small", bench::small)?;
    match length {
        Length::Short => Ok(()),
        Length::Long => parts.part("injection", || bench::bench("injection")),
    }
}

/// Performs `cargo xtask test e2e [NAME] [--debug]`, which runs only end-to-end tests.
///
/// # Errors
/// Returns an error if the arguments are invalid, or if the build or a test fails.
pub(crate) fn end_to_end(words: &[&str]) -> Result<()> {
    let debug = words.contains(&"--debug");
    let name = match words
        .iter()
        .filter(|word| **word != "--debug")
        .collect::<Vec<_>>()[..]
    {
        [] => "",
        [name] => name,
        _ => bail!("one name at a time: cargo xtask test e2e NAME"),
    };
    let profile = if debug {
        Profile::Quick
    } else {
        Profile::Release
    };
    build::build(profile, Sizes::Raw)?;
    if "trajectory.test.mjs".contains(name) {
        try_it::native(["--bin", "replay"])?;
    }
    e2e::run_tests(name, Length::Short)
}

fn lint() -> Result<()> {
    let native = "clippy --locked --workspace --all-targets";
    let wasm = "clippy --locked --package gloss --package gloss-documents --lib --bins";
    let strictly = ["--", "-D", "warnings"];
    run(cargo(native.split(' ')).args(FEATURES).args(strictly))?;
    let simd = "clippy --locked --package gloss-sentence-model --bins";
    for wasm in [wasm, simd] {
        run(cargo(wasm.split(' '))
            .args(["--features", "web", "--target", WASM])
            .args(strictly))?;
    }
    Ok(())
}

/// Tests the product in the test profile, and this program in the dev profile. This program
/// already runs in the dev profile, so its large dependencies are not compiled again.
fn native_tests(length: Length) -> Result<()> {
    let mut product = cargo("test --locked --workspace --exclude xtask --quiet".split(' '));
    product.args(FEATURES).env("GLOSS_BOOKS", books::fetch());
    match sentence_reference() {
        Ok((model, reference)) => {
            product.env("GLOSS_SENTENCE_MODEL", model);
            product.env("GLOSS_SENTENCE_REFERENCE", reference);
        }
        Err(error) if std::env::var_os("CI").is_some() => {
            return Err(error.context("the sentence model is tested before it is shipped"));
        }
        Err(error) => println!("the sentence model is not tested: {error:#}"),
    }
    if let Some(samples) = chat_samples::fetch() {
        product.env("GLOSS_CHAT_SAMPLES", samples);
    }
    if length == Length::Long {
        product.env("GLOSS_LONG", "1");
        if let Some(papers) = papers::fetch() {
            product.env("GLOSS_PAPERS", papers);
        }
    }
    let counted = proof::Counted::afresh()?;
    run(&mut product)?;
    print!("{}", counted.table(length)?);
    // The output shows which share of the models' replies is parsed. A passing test alone doesn't
    // show that.
    let mut told = product;
    run(told.args(["--lib", "--", "--nocapture"]).args(SHARE_READ))?;
    let own = "test --locked --package xtask --profile dev --quiet";
    run(&mut cargo(own.split(' ')))
}

/// The packed sentence model, and the vectors that its Python package computes.
fn sentence_reference() -> Result<(PathBuf, PathBuf)> {
    let model = sentence_model::packed()?;
    let reference = model.with_file_name("reference.json");
    let mut compute = python::script("crates/sentence-model/tests/reference.py")?;
    run(compute.arg(&reference))?;
    Ok((model, reference))
}

/// The parts that have finished, and how long each took.
struct Parts(Vec<(&'static str, Duration)>);

impl Parts {
    fn part(&mut self, name: &'static str, work: impl FnOnce() -> Result<()>) -> Result<()> {
        println!("\n== {name}");
        let start = Instant::now();
        let ended = work();
        self.0.push((name, start.elapsed()));
        println!("== {name}: {:.1} s", start.elapsed().as_secs_f64());
        ended.with_context(|| format!("FAILED: {name}"))
    }

    fn table(&self, whole: Duration) -> String {
        let rows = self.0.iter().copied().chain([("all", whole)]);
        let line =
            |(name, time): (&str, Duration)| format!("{name:<14} {:>7.1} s", time.as_secs_f64());
        rows.map(line).collect::<Vec<_>>().join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_part_is_named_first_in_the_error_and_still_has_its_time() {
        let mut parts = Parts(Vec::new());
        parts.part("good", || Ok(())).unwrap();
        let error = parts.part("bad", || bail!("why")).unwrap_err();
        assert_eq!(format!("{error:#}"), "FAILED: bad: why");
        let table = parts.table(Duration::from_secs(2));
        let names: Vec<&str> = table
            .lines()
            .filter_map(|line| line.split("  ").next())
            .collect();
        assert_eq!(names, ["good", "bad", "all"]);
    }
}
