//! Checks the message catalogues. Both languages need the same messages, every message must be
//! used, and no used message may be missing.
//!
//! A key is *used* if it is a complete string in Rust, in a script or a page, or in the manifest
//! (`__MSG_key__`).
//!
//! A key that is *looked up* must exist. A key is looked up in three cases: it is an argument of
//! `phrase` or of one of the functions in [`ASKERS`]; it is marked as `"msg:key"`; or it is
//! `code_title` or `code_remedy` for an argument `code` of `failure`.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::Problem;
use super::tokens::Token;
use super::tree::Tree;

const ENGLISH: &str = "extension/_locales/en/messages.json";
const CHINESE: &str = "extension/_locales/zh_CN/messages.json";
/// The functions and macros with which views look up a key.
const ASKERS: [&str; 4] = ["msg", "text", "t", "message"];

/// The endings of the two keys that `failure("code")` looks up.
const FAILURE: [&str; 2] = ["_title", "_remedy"];

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
            problems.push(Problem::new(
                CHINESE,
                0,
                format!("{key} has other placeholders"),
            ));
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
    if text.is_empty() {
        return Catalogue::new();
    }
    match serde_json::from_str::<BTreeMap<String, Value>>(text) {
        Ok(entries) => {
            problems.extend(twice(text).map(|(line, key)| {
                Problem::new(
                    path,
                    line,
                    format!("{key} appears twice: the last one counts"),
                )
            }));
            let message = |(key, entry): (String, Value)| {
                let message = read(&key, &entry, path, problems);
                (key, message)
            };
            entries.into_iter().map(message).collect()
        }
        Err(error) => {
            problems.push(Problem::new(path, error.line(), error.to_string()));
            Catalogue::new()
        }
    }
}

/// Returns the keys that occur twice, with their lines. A JSON map would silently keep only the
/// last one.
fn twice(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let keys = (1..).zip(text.lines()).filter_map(|(line, words)| {
        let key = words.strip_prefix("  \"")?.strip_suffix("\": {")?;
        Some((line, key))
    });
    let mut known = BTreeSet::new();
    keys.filter(move |(_, key)| !known.insert(*key))
}

fn read(key: &str, entry: &Value, path: &str, problems: &mut Vec<Problem>) -> BTreeSet<String> {
    let text = entry
        .get("message")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if text.trim().is_empty() {
        problems.push(Problem::new(path, 0, format!("{key} says nothing")));
    }
    let declared = entry.get("placeholders").and_then(Value::as_object);
    let declared: BTreeSet<String> = declared
        .into_iter()
        .flat_map(|all| all.keys().map(|name| name.to_lowercase()))
        .collect();
    let named = placeholders(text);
    let undeclared = named
        .iter()
        .filter(|name| name.parse::<u8>().is_err() && !declared.contains(*name));
    for name in undeclared {
        problems.push(Problem::new(
            path,
            0,
            format!("{key} does not declare ${name}$"),
        ));
    }
    named
}

/// Returns the placeholders in a message: `$name$` -> `"name"`, `$1` -> `"1"`. Chrome ignores the
/// case of names, so they are in lower case.
fn placeholders(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('$') {
        let name: String = after
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
            .collect();
        let left = after.get(name.len()..).unwrap_or_default();
        rest = left;
        if name.parse::<u8>().is_ok() {
            found.insert(name);
        } else if !name.is_empty() && left.starts_with('$') {
            found.insert(name.to_lowercase());
            rest = left.get(1..).unwrap_or_default();
        }
    }
    found
}

fn absent(from: &Catalogue, to: &Catalogue, path: &str) -> Vec<Problem> {
    let missing = from.keys().filter(|key| !to.contains_key(*key));
    missing
        .map(|key| Problem::new(path, 0, format!("{key} is missing")))
        .collect()
}

/// Returns true if a key is used, or if the key belongs to a failure code that is used.
fn is_used(key: &str, used: &BTreeSet<&str>) -> bool {
    let code = FAILURE.iter().find_map(|part| key.strip_suffix(part));
    used.contains(key) || code.is_some_and(|code| used.contains(code))
}

fn used_strings(tree: &Tree) -> BTreeSet<&str> {
    let rust = tree.rust().flat_map(|file| &file.tokens);
    let rust = rust
        .filter_map(Token::text)
        .map(|text| text.strip_prefix("msg:").unwrap_or(text));
    let scripts = tree
        .below("extension", ".js")
        .chain(tree.below("www", ".js"));
    let others = scripts
        .chain(tree.below("www", ".html"))
        .map(|file| file.content.as_str());
    let quoted = others.flat_map(|text| text.split(['"', '\'', '`']));
    let manifest = tree
        .text("manifest.json")
        .split("__")
        .filter_map(|part| part.strip_prefix("MSG_"));
    rust.chain(quoted).chain(manifest).collect()
}

fn asked_in_vain(tree: &Tree, english: &Catalogue) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.rust() {
        let in_view = file.path.starts_with("src/bin/pages/");
        for (key, line) in asked(&file.tokens, in_view) {
            if !english.contains_key(&key) {
                problems.push(Problem::new(
                    &file.path,
                    line,
                    format!("no message {key:?}"),
                ));
            }
        }
    }
    problems
}

/// Returns the keys that are passed to `phrase` or to a function in [`ASKERS`], or that are marked
/// `"msg:…"`.
fn asked(tokens: &[Token], in_view: bool) -> Vec<(String, usize)> {
    let mut keys = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(text) = token.text() else { continue };
        let before = |back: usize| at.checked_sub(back).and_then(|at| tokens.get(at));
        let opened = before(1).is_some_and(|token| token.is('('));
        let bang = usize::from(before(2).is_some_and(|token| token.is('!')));
        let callee = before(2 + bang).and_then(Token::word).filter(|_| opened);
        let asks = |name: &str| name == "phrase" || (in_view && ASKERS.contains(&name));
        let asked = callee.is_some_and(asks) && is_key(text);
        let marked = text.strip_prefix("msg:");
        let key = marked.or(asked.then_some(text)).map(str::to_owned);
        keys.extend(key.map(|key| (key, token.line)));
        if callee == Some("failure") && is_key(text) {
            let said = FAILURE.iter().map(|part| format!("{text}{part}"));
            keys.extend(said.map(|key| (key, token.line)));
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
