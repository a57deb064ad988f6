//! Checks the licences and the sources of all crates that a build compiles.
//!
//! Example: an update adds a crate with the licence GPL-3.0. The check names the crate and its
//! licence, and fails. `deny.toml` contains the allowed licences. `cargo deny`, which has to be
//! installed, reads the same list in `cargo xtask test --all`.

use std::fs;

use anyhow::{Context, Result, ensure};
use regex::Regex;
use serde_json::Value;

use crate::process::{cargo, output, root};

const METADATA: &str = "metadata --locked --format-version=1 \
    --filter-platform=wasm32-unknown-unknown --filter-platform=x86_64-unknown-linux-gnu";
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Checks the crates of the lock file.
///
/// # Errors
/// Returns an error that names each crate whose licence or source is not allowed.
pub(crate) fn check() -> Result<()> {
    let allowed = allowed(&fs::read_to_string(root().join("deny.toml"))?)?;
    let metadata = output(&mut cargo(METADATA.split_whitespace()));
    let metadata = serde_json::from_str(&metadata.context("cargo metadata failed")?)?;
    let problems = problems(&metadata, &allowed);
    ensure!(problems.is_empty(), "{}", problems.join("\n"));
    Ok(())
}

/// Returns the licences in the list `allow` of `deny.toml`.
fn allowed(deny: &str) -> Result<Vec<String>> {
    let list = Regex::new(r"(?s)\[licenses\]\s*allow = \[(.*?)\]")?;
    let list = list.captures(deny).context("deny.toml allows no licence")?;
    let names = list[1].split(',').map(|name| name.trim().trim_matches('"'));
    let names = names.filter(|name| !name.is_empty());
    Ok(names.map(str::to_owned).collect())
}

fn problems(metadata: &Value, allowed: &[String]) -> Vec<String> {
    let crates = metadata["packages"].as_array().into_iter().flatten();
    let problem = |package: &Value| {
        let licence = package["license"].as_str().unwrap_or("none");
        let source = package["source"].as_str();
        let reason = if source.is_some_and(|source| source != CRATES_IO) {
            format!("the source {}", source.unwrap_or_default())
        } else if is_allowed(licence, allowed) {
            return None;
        } else {
            format!("the licence {licence}")
        };
        Some(format!("{} has {reason}", package["name"]))
    };
    crates.filter_map(problem).collect()
}

/// Returns true if each part of a licence expression that applies in any case has an allowed
/// alternative. Old crates separate the alternatives by `/`.
fn is_allowed(expression: &str, allowed: &[String]) -> bool {
    expression.split(" AND ").all(|part| {
        let part = part.replace('/', " OR ");
        let mut names = part.split(" OR ");
        names.any(|name| {
            allowed
                .iter()
                .any(|it| it == name.trim_matches(['(', ')', ' ']))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_crate_of_another_licence_or_source_is_named() {
        let allowed = allowed("[licenses]\nallow = [\n    \"MIT\",\n    \"Unicode-3.0\",\n]\n");
        let allowed = allowed.unwrap();
        let named = |license: Option<&str>, source: Option<&str>| {
            let package = json!({ "name": "a", "license": license, "source": source });
            problems(&json!({ "packages": [package] }), &allowed).join("")
        };
        for licence in [
            "MIT",
            "GPL-3.0 OR MIT",
            "Unlicense/MIT",
            "(MIT OR X) AND Unicode-3.0",
        ] {
            assert_eq!(named(Some(licence), Some(CRATES_IO)), "", "{licence}");
        }
        for licence in ["GPL-3.0", "MIT AND GPL-3.0", "MITX", ""] {
            let told = format!("\"a\" has the licence {licence}");
            assert_eq!(named(Some(licence), Some(CRATES_IO)), told);
        }
        assert_eq!(named(None, Some(CRATES_IO)), "\"a\" has the licence none");
        let git = "git+https://code.example/a";
        assert_eq!(
            named(Some("MIT"), Some(git)),
            format!("\"a\" has the source {git}")
        );
        assert_eq!(named(Some("MIT"), None), "", "a crate of this workspace");
    }
}
