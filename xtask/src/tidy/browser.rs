//! The browser is named in `host::browser` and the two binaries, nowhere above.

use super::Problem;
use super::tokens::Token;
use super::tree::{Text, Tree};

const CRATES: [&str; 8] = [
    "web_sys",
    "js_sys",
    "wasm_bindgen",
    "wasm_bindgen_futures",
    "serde_wasm_bindgen",
    "indexed_db_futures",
    "console_error_panic_hook",
    "sycamore",
];

/// Every browser name where none belongs.
pub(super) fn problems(tree: &Tree) -> Vec<Problem> {
    tree.below("src", ".rs")
        .filter(|file| !may(&file.path))
        .flat_map(of_file)
        .collect()
}

fn may(path: &str) -> bool {
    path.starts_with("src/host/browser/")
        || path == "src/host/browser.rs"
        || path.starts_with("src/bin/")
}

fn of_file(file: &Text) -> Vec<Problem> {
    let pairs = file.tokens.iter().zip(file.tokens.iter().skip(1));
    let named = pairs.filter_map(|(token, next)| browser_name(token, next));
    named
        .map(|(name, line)| {
            let text = format!("{name} stands only in src/host/browser and src/bin");
            Problem::new(&file.path, line, text)
        })
        .collect()
}

fn browser_name<'a>(token: &'a Token, next: &Token) -> Option<(&'a str, usize)> {
    let name = token.word()?;
    let is_chrome = name == "chrome" && (next.is('.') || next.is(':'));
    (is_chrome || CRATES.contains(&name)).then_some((name, token.line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browser_names_are_found_in_code_and_only_where_they_do_not_belong() {
        let cases = [
            ("src/agent/a.rs", "use web_sys::Window;", 1),
            ("src/agent/a.rs", "fn a() { js_sys::Date::now() }", 1),
            ("src/app/a.rs", "fn a() { chrome.storage }", 1),
            ("src/host/sim.rs", "use wasm_bindgen::JsValue;", 1),
            ("src/host/browser/a.rs", "use web_sys::Window;", 0),
            ("src/bin/pages/main.rs", "use sycamore::prelude::*;", 0),
            (
                "src/agent/a.rs",
                "// web_sys\n/// chrome.storage\nfn a() { let url = \"chrome://x\"; }",
                0,
            ),
            ("src/agent/a.rs", "fn a() { let chrome = 1; }", 0),
        ];
        for (path, source, expected) in cases {
            assert_eq!(
                problems(&Tree::of(&[(path, source)])).len(),
                expected,
                "{path}: {source}"
            );
        }
    }
}
