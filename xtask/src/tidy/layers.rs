//! Imports point down: a module of `src/` may name `crate::X` only for an X below it.

use super::Problem;
use super::tokens::Token;
use super::tree::{Text, Tree};

/// From the bottom up. A new top-level module takes its place here.
const LAYERS: [&str; 20] = [
    "sorted",
    "text",
    "json",
    "markdown",
    "phrase",
    "page",
    "host",
    "durable",
    "retrieval",
    "model",
    "study",
    "context",
    "memory",
    "web",
    "search",
    "prompts",
    "rag",
    "tools",
    "agent",
    "app",
];

/// Every import that points up or to a module without a place.
pub(super) fn problems(tree: &Tree) -> Vec<Problem> {
    tree.below("src", ".rs").flat_map(of_file).collect()
}

fn of_file(file: &Text) -> Vec<Problem> {
    let Some(module) = module(&file.path) else {
        return Vec::new();
    };
    let Some(own) = level(module) else {
        let text = format!(
            "{module} has no place among the layers ({})",
            LAYERS.join(" < ")
        );
        return vec![Problem::new(&file.path, 0, text)];
    };
    let used = used_modules(&file.tokens).into_iter();
    let upward = used.filter(|(used, _)| level(used).is_none_or(|used| used > own));
    upward
        .map(|(used, line)| Problem::new(&file.path, line, format!("{module} may not use {used}")))
        .collect()
}

/// The layer a file belongs to; `lib.rs` and the binaries stand above them all.
fn module(path: &str) -> Option<&str> {
    let inside = path.strip_prefix("src/")?;
    let first = inside.split('/').next()?.trim_end_matches(".rs");
    (first != "lib" && first != "bin").then_some(first)
}

fn level(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| *layer == module)
}

/// The modules named by `crate::a…` and `crate::{a…, b…}`.
fn used_modules(tokens: &[Token]) -> Vec<(&str, usize)> {
    let mut used = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let after = tokens.get(at + 1..).unwrap_or_default();
        match (token.word(), after) {
            (Some("crate"), [one, two, next, ..]) if one.is(':') && two.is(':') => {
                if next.is('{') {
                    used.extend(heads(after.get(3..).unwrap_or_default()));
                } else {
                    used.extend(next.word().map(|word| (word, next.line)));
                }
            }
            _ => {}
        }
    }
    used
}

/// The first word of each branch of a use tree, up to its closing brace.
fn heads(tokens: &[Token]) -> Vec<(&str, usize)> {
    let mut heads = Vec::new();
    let mut depth = 0_usize;
    let mut expected = true;
    for token in tokens {
        match (token.word(), depth) {
            (Some(word), 0) if expected => heads.push((word, token.line)),
            _ if token.is('{') => depth += 1,
            _ if token.is('}') && depth == 0 => break,
            _ if token.is('}') => depth -= 1,
            _ => {}
        }
        expected = depth == 0 && token.is(',');
    }
    heads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, source: &str) -> Vec<String> {
        problems(&Tree::of(&[(path, source)]))
            .into_iter()
            .map(|problem| problem.text)
            .collect()
    }

    #[test]
    fn imports_point_down_and_nowhere_else() {
        let cases: [(&str, &str, &[&str]); 8] = [
            ("src/page/mod.rs", "use crate::text::words;", &[]),
            ("src/page/mod.rs", "use crate::page::Kind;", &[]),
            (
                "src/text/mod.rs",
                "use crate::page::Kind;",
                &["text may not use page"],
            ),
            (
                "src/text.rs",
                "fn a() { crate::host::now() }",
                &["text may not use host"],
            ),
            (
                "src/tools/a.rs",
                "use crate::{text::{agent, b}, model, app};",
                &["tools may not use app"],
            ),
            (
                "src/host/mod.rs",
                "macro_rules! m { () => { crate::agent::x() } }",
                &["host may not use agent"],
            ),
            ("src/bin/worker.rs", "use crate::app;", &[]),
            ("src/lib.rs", "pub use crate::app::App;", &[]),
        ];
        for (path, source, expected) in cases {
            assert_eq!(found(path, source), expected, "{path}: {source}");
        }
    }

    #[test]
    fn a_module_without_a_place_is_told_where_places_are() {
        let found = found("src/common/mod.rs", "");
        assert!(
            found
                .iter()
                .any(|text| text.starts_with("common has no place among the layers"))
        );
    }
}
