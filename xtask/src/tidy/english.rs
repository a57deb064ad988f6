//! Forbids literal texts in the views. Every text that a user reads must come from `_locales`.
//!
//! Class lists, key names and icon paths are strings as well, so this rule has to guess. A string
//! counts as a text if it begins with a capital letter and has several words, or if it is Chinese.

use super::Problem;
use super::literals::Literal;
use super::tree::Tree;

/// Strings that are not texts: the product's name, and values of `KeyboardEvent.key`.
const NAMES: &str = "Gloss Enter Escape Tab Backspace Delete Home End PageUp PageDown ArrowUp \
    ArrowDown ArrowLeft ArrowRight";
/// Functions whose arguments are only shown to developers.
const FOR_DEVELOPERS: [&str; 5] = ["log_1", "warn_1", "error_1", "debug_1", "expect"];

/// Reports every text in a view.
pub(super) fn problems(tree: &Tree) -> Vec<Problem> {
    let mut problems = Vec::new();
    for file in tree.below("src/bin/pages", ".rs") {
        for Literal { line, text, callee } in &file.literals {
            if is_phrase(text) && !FOR_DEVELOPERS.contains(&callee.as_str()) {
                let text = format!("{text:?} is text for people: it belongs in _locales");
                problems.push(Problem::new(&file.path, *line, text));
            }
        }
    }
    problems
}

fn is_phrase(text: &str) -> bool {
    if text.chars().any(|c| ('\u{4e00}'..='\u{9fff}').contains(&c)) {
        return true;
    }
    let mut letters = text.chars().take_while(|c| c.is_alphabetic());
    let capital = letters.next().is_some_and(char::is_uppercase);
    let mut letters = letters.peekable();
    let lower = letters.peek().is_some() && letters.all(char::is_lowercase);
    capital && lower && !NAMES.split(' ').any(|name| name == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_told_from_names_classes_and_paths() {
        let cases = [
            ("Summarize page", true),
            ("Done", true),
            ("Ask about this page", true),
            ("就此页提问", true),
            ("btn quiet tiny", false),
            ("M0 3h58", false),
            ("Enter", false),
            ("Gloss", false),
            ("summarize_page", false),
            ("", false),
            ("¶", false),
            ("IDBFactory", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_phrase(text), expected, "{text}");
        }
    }

    #[test]
    fn views_are_searched_and_the_console_is_not() {
        let cases = [
            (
                "src/bin/pages/a.rs",
                "fn a() { view! { button { \"Send\" } } }",
                1,
            ),
            (
                "src/bin/pages/a.rs",
                "fn a() { console::error_1(&\"Cannot connect\".into()) }",
                0,
            ),
            ("src/agent/a.rs", "fn a() { \"Goal reached\" }", 0),
        ];
        for (path, text, expected) in cases {
            assert_eq!(
                problems(&Tree::of(&[(path, text)])).len(),
                expected,
                "{path}: {text}"
            );
        }
    }
}
