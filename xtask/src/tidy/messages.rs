//! Checks the message catalogues. Both languages need the same messages, every message must be
//! used, and no used message may be missing.
//!
//! A key is *used* if it is a complete string in Rust, in a script or a page, or in the manifest
//! (`__MSG_key__`).
//!
//! A key is *looked up* in these cases, and must then exist. It is an argument of `phrase("key")`,
//! or of one of the functions in [`ASKERS`]. It consists of the argument of `failure("code")` and
//! `_title` or `_remedy`. It is marked as `"msg:key"`, or as `"means:key"`, which also looks up
//! `key_means`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Problem;
use super::literals::Literal;
use super::tree::{Text, Tree};
use regex::Regex;

const ENGLISH: &str = "extension/_locales/en/messages.json";
const CHINESE: &str = "extension/_locales/zh_CN/messages.json";
/// The functions and macros with which views look up a key.
const ASKERS: [&str; 4] = ["msg", "text", "t", "message"];

/// The endings of the two keys that `failure("code")` looks up.
const FAILURE: [&str; 2] = ["_title", "_remedy"];

/// The ending of the key of a message's explanation.
const MEANS: &str = "_means";

/// Reports messages that are missing, unused, or different in the two languages.
pub(super) fn problems(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    let english = catalogue(tree, ENGLISH, &mut problems);
    let chinese = catalogue(tree, CHINESE, &mut problems);
    problems.extend(absent(&english, &chinese, CHINESE));
    problems.extend(absent(&chinese, &english, ENGLISH));
    for (key, message) in &english {
        let twin = chinese.get(key);
        if twin.is_some_and(|twin| twin != message) {
            let text = format!("{key} has other placeholders");
            problems.push(Problem::new(CHINESE, 0, text));
        }
    }
    let used = used_strings(tree);
    let spare = english.keys().filter(|key| !is_used(key, &used));
    problems.extend(spare.map(|key| Problem::new(ENGLISH, 0, format!("{key} is used nowhere"))));
    problems.extend(asked_in_vain(tree, &english));
    problems
}

/// The keys of a language's messages, each with the message's placeholders.
type Catalogue = BTreeMap<String, BTreeSet<String>>;

fn catalogue(tree: &Tree, path: &str, problems: &mut Vec<Problem>) -> Catalogue {
    let text = tree.text(path);
    let entries = match serde_json::from_str::<BTreeMap<String, Value>>(text) {
        Ok(entries) => entries,
        Err(_) if text.is_empty() => BTreeMap::new(),
        Err(error) => {
            problems.push(Problem::new(path, error.line(), error.to_string()));
            BTreeMap::new()
        }
    };
    // A JSON map silently keeps only the last one.
    if text.matches("\n  \"").count() > entries.len() {
        problems.push(Problem::new(path, 0, "a key appears twice"));
    }
    let mut catalogue = Catalogue::new();
    for (key, entry) in entries {
        let message = entry.get("message").and_then(Value::as_str);
        let message = message.unwrap_or_default();
        if message.trim().is_empty() {
            problems.push(Problem::new(path, 0, format!("{key} says nothing")));
        }
        catalogue.insert(key, placeholders(message));
    }
    catalogue
}

/// The placeholders in a message: `$name$` and `$1`. Chrome ignores the case of names, and doesn't
/// load an extension in which a name is not declared.
fn placeholders(text: &str) -> BTreeSet<String> {
    let pattern = Regex::new(r"\$(?:\d|\w+\$)");
    let found = pattern.iter().flat_map(|pattern| pattern.find_iter(text));
    found.map(|it| it.as_str().to_lowercase()).collect()
}

fn absent(from: &Catalogue, to: &Catalogue, path: &str) -> Vec<Problem> {
    let missing = from.keys().filter(|key| !to.contains_key(*key));
    missing
        .map(|key| Problem::new(path, 0, format!("{key} is missing")))
        .collect()
}

/// Returns true if a key is used, or if the key belongs to a failure code or an explained message
/// that is used.
fn is_used(key: &str, used: &BTreeSet<&str>) -> bool {
    let code = FAILURE.iter().find_map(|part| key.strip_suffix(part));
    let explained = format!("means:{}", key.trim_end_matches(MEANS));
    let keys = [Some(key), code, Some(&explained)];
    keys.into_iter().flatten().any(|key| used.contains(key))
}

fn used_strings(tree: &Tree) -> BTreeSet<&str> {
    let rust = tree.rust().flat_map(|file| &file.literals);
    let rust = rust.map(|it| it.text.strip_prefix("msg:").unwrap_or(&it.text));
    let places = [("extension", ".js"), ("www", ".js"), ("www", ".html")].into_iter();
    let others = places.flat_map(|(folder, ending)| tree.below(folder, ending));
    let quoted = others.flat_map(|file| file.content.split(['"', '\'', '`']));
    let manifest = tree.text("manifest.json").split("__");
    let manifest = manifest.filter_map(|part| part.strip_prefix("MSG_"));
    rust.chain(quoted).chain(manifest).collect()
}

fn asked_in_vain(tree: &Tree, english: &Catalogue) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.rust() {
        for (line, key) in asked(file) {
            if !english.contains_key(&key) {
                let text = format!("no message {key:?}");
                problems.push(Problem::new(&file.path, line, text));
            }
        }
    }
    problems
}

/// Returns the keys that are passed to `phrase` or to a function in [`ASKERS`], or that are marked
/// `"msg:…"`.
fn asked(file: &Text) -> Vec<(usize, String)> {
    let in_view = file.path.starts_with("src/bin/pages/");
    let mut keys = Vec::new();
    for Literal { line, text, callee } in &file.literals {
        let callee = callee.as_str();
        if let Some(key) = text.strip_prefix("msg:") {
            keys.push((*line, key.to_owned()));
        } else if let Some(key) = text.strip_prefix("means:") {
            keys.extend([key.to_owned(), format!("{key}{MEANS}")].map(|key| (*line, key)));
        } else if !is_key(text) {
        } else if callee == "phrase" || (in_view && ASKERS.contains(&callee)) {
            keys.push((*line, text.clone()));
        } else if callee == "failure" {
            keys.extend(FAILURE.map(|part| (*line, format!("{text}{part}"))));
        }
    }
    keys
}

fn is_key(text: &str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(word)
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;
