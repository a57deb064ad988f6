//! Comments and documents in plain words.
//!
//! Driving example: `/// Whom.` is refused, because a reader learns nothing from it;
//! `/// The model that answers.` passes.

use super::Problem;
use super::tree::{Text, Tree};

/// A doc comment opens with the thing or a verb instead.
const QUESTIONS: [&str; 7] = ["What", "Whether", "How", "Who", "Whom", "Whose", "Which"];

/// Each phrase and its replacement.
const BANNED: [(&str, &str); 12] = [
    ("anew", "again"),
    ("unasked", "without asking"),
    ("bears on", "relates to"),
    ("bear on", "relate to"),
    ("came to", "the result"),
    ("is told", "is sent"),
    ("are told", "are sent"),
    ("at work", "running"),
    ("and the like", "and similar"),
    ("stands in", "is in"),
    ("speak to", "connect to"),
    ("the person", "the user"),
];

/// Breaches in comments, in Markdown and in the English interface.
pub(super) fn problems(tree: &Tree) -> Vec<Problem> {
    let rust = tree.rust().chain(tree.below("xtask", ".rs"));
    let rust = rust.flat_map(|file| docs(file).into_iter().chain(phrases(file, is_comment)));
    let documents = ["crates", "docs"].into_iter();
    let documents = documents.flat_map(|folder| tree.below(folder, ".md"));
    let texts = documents.chain(tree.below("extension/_locales/en", ".json"));
    let own = "xtask/src/tidy/plain_words.rs";
    let found = rust.chain(texts.flat_map(|file| phrases(file, |_| true)));
    found.filter(|problem| problem.file != own).collect()
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with("//")
}

fn phrases(file: &Text, counts: fn(&str) -> bool) -> Vec<Problem> {
    let lines = file.content.lines().enumerate();
    let lines = lines.filter(|(_, line)| counts(line));
    let found = lines.flat_map(|(at, line)| {
        let breaches = BANNED.iter().filter(move |(phrase, _)| has(line, phrase));
        breaches.map(move |(phrase, instead)| {
            let text = format!("\"{phrase}\" is not plain: say \"{instead}\" or similar");
            Problem::new(&file.path, at + 1, text)
        })
    });
    found.collect()
}

/// True if the phrase is in the line as whole words.
fn has(line: &str, phrase: &str) -> bool {
    line.match_indices(phrase).any(|(at, _)| {
        let before = line.get(..at).unwrap_or_default();
        let after = line.get(at + phrase.len()..).unwrap_or_default();
        !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
    })
}

/// Doc comments of one word, or with a question as their subject.
fn docs(file: &Text) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut before = "";
    let mut lines = file.content.lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let doc = marked(line);
        let next = lines.peek().and_then(|(_, line)| marked(line));
        if let Some(text) = doc.filter(|_| marked(before).is_none()) {
            let mut words = text.split_whitespace();
            let first = words.next().unwrap_or_default();
            let wrong = if QUESTIONS.contains(&first) {
                Some(format!(
                    "a doc comment opens with the thing or a verb, not {first}"
                ))
            } else if words.next().is_none() && next.is_none() {
                Some("a doc comment of one word: name the unit, the range or the meaning".into())
            } else {
                None
            };
            problems.extend(wrong.map(|wrong: String| Problem::new(&file.path, at + 1, wrong)));
        }
        before = line;
    }
    problems
}

fn marked(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("///").or(line.strip_prefix("//!"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn breaches_are_found_where_they_are() {
        let cases = [
            ("src/a.rs", "/// Whom.\nfn a() {}", 1),
            ("src/a.rs", "/// Whether it ends.\nfn a() {}", 1),
            (
                "src/a.rs",
                "/// True if it ends.\n/// What follows is kept.\nfn a() {}",
                0,
            ),
            ("src/a.rs", "// It is asked anew.\nfn a() {}", 1),
            ("src/a.rs", "fn a() { let anew = \"at work\"; }", 0),
            ("crates/a/README.md", "The renewal is renewed.", 0),
            ("crates/a/README.md", "It bears on the page.", 1),
        ];
        for (path, text, expected) in cases {
            let tree = Tree::of(&[(path, text)]);
            assert_eq!(problems(&tree).len(), expected, "{path}: {text}");
        }
    }
}
