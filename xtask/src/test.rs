//! `cargo xtask test`: every check, from the fastest to the slowest, each with its time.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use crate::bench;
use crate::books;
use crate::build::{self, Profile, Sizes, embeddings};
use crate::chat_samples;
use crate::e2e::{self, Length};
use crate::papers;
use crate::process::{cargo, run};
use crate::proof;
use crate::python;
use crate::setup::{self, WASM};
use crate::tidy;
use crate::try_it;

/// The features of the tests under `tests/` that kill workers.
const FEATURES: [&str; 2] = ["--features", "gloss/sim"];

/// The tests that print the share of malformed calls and of public samples that are parsed.
const SHARE_READ: [&str; 2] = [
    "most_of_what_models_write_is_read",
    "public_samples_of_calls_are_read",
];

/// Runs everything that CI checks.
///
/// # Errors
/// Returns an error that names the part that failed.
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
    parts.part("lint", lint)?;
    parts.part("native tests", || native_tests(length))?;
    parts.part("requests", python::judge_requests)?;
    parts.part("build", || build::build(Profile::Release, Sizes::Packed))?;
    parts.part("end to end", || e2e::run_tests("", length))?;
    parts.part("bench, small", bench::small)
}

/// `test e2e [NAME] [--debug]`, for quick repeated runs.
///
/// # Errors
/// Returns an error if the arguments are invalid, or the build or a test fails.
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
    run(cargo(wasm.split(' '))
        .args(["--features", "web", "--target", WASM])
        .args(strictly))
}

/// Tests the product once, in its test profile, and this program in the profile in which it runs
/// already, so that its large dependencies are not compiled twice.
fn native_tests(length: Length) -> Result<()> {
    let mut product = cargo("test --locked --workspace --exclude xtask --quiet".split(' '));
    product.args(FEATURES).env("GLOSS_BOOKS", books::fetch());
    match embeddings::fetch() {
        Ok(folder) => {
            product.env("GLOSS_EMBEDDINGS", folder.join("embeddings.bin"));
        }
        Err(error) => println!("the embeddings are not tested: {error:#}"),
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
    // The output is the share of models' replies that is parsed; a passing test alone doesn't show
    // it.
    let mut told = product;
    run(told.args(["--lib", "--", "--nocapture"]).args(SHARE_READ))?;
    let own = "test --locked --package xtask --profile dev --quiet";
    run(&mut cargo(own.split(' ')))
}

/// The finished parts, and their durations.
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
