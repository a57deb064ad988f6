//! Finds the string literals in Rust code, including those in macro calls. Comments and
//! `#[cfg(test)]` modules don't count.

use anyhow::Result;
use regex::Regex;

/// A string literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Literal {
    /// The number of the line, from 1.
    pub(super) line: usize,
    /// The text between the quotes. Escapes are not decoded.
    pub(super) text: String,
    /// The function or macro whose first argument is the literal; otherwise empty.
    pub(super) callee: String,
}

/// A comment, a character, or a literal. The first two are matched because they may contain quotes.
const PATTERN: &str = r#"(?xs)
    //[^\n]* | '(?:\\.|[^'\\])' |
    (?:\b(?<callee>\w+)!?\(&?\s*)? (?: r\#+"(?<raw>.*?)"\#+ | "(?<text>(?:[^"\\]|\\.)*)" )"#;

/// The literals of `source`.
///
/// # Errors
/// The pattern is always valid.
pub(super) fn literals(source: &str) -> Result<Vec<Literal>> {
    let tests = source.find("\n#[cfg(test)]\nmod tests {");
    let code = tests.and_then(|tests| source.get(..tests));
    let code = code.unwrap_or(source);
    let mut literals = Vec::new();
    for found in Regex::new(PATTERN)?.captures_iter(code) {
        let Some(text) = found.name("text").or(found.name("raw")) else {
            continue;
        };
        let before = code.get(..text.start()).unwrap_or_default();
        literals.push(Literal {
            line: before.matches('\n').count() + 1,
            text: text.as_str().to_owned(),
            callee: found.name("callee").map_or("", |it| it.as_str()).to_owned(),
        });
    }
    Ok(literals)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_found_with_their_lines_and_callees() {
        let source = "/// \"doc\"\nfn a() {\n    ('\"', view! { p { (t!(\"done\")) } }, r#\"a\"b\"#) // \"x\"\n\
            }\nfn b() { c(&\"d \\\" e\"); f(1, \"g\") }\n#[cfg(test)]\nmod tests {\n \"h\" }";
        let literals = literals(source).unwrap();
        let found: Vec<_> = literals
            .iter()
            .map(|it| (it.line, it.text.as_str(), it.callee.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (3, "done", "t"),
                (3, "a\"b", ""),
                (5, "d \\\" e", "c"),
                (5, "g", "")
            ]
        );
    }
}
