//! Every effect has a row in ARCHITECTURE.md's table: what a lost outcome means is
//! read there, not guessed.

use super::Problem;
use super::tokens::Token;
use super::tree::Tree;

/// Every effect kind, `const KIND: &str = "…"`, without a row.
pub(super) fn problems(tree: &Tree) -> Vec<Problem> {
    let map = tree.text("ARCHITECTURE.md");
    let rows: Vec<&str> = map
        .lines()
        .filter(|line| line.trim_start().starts_with('|'))
        .collect();
    let mut problems = Vec::new();
    let tested = |path: &str| path.contains("/tests/") || path.ends_with("tests.rs");
    for file in tree.rust().filter(|file| !tested(&file.path)) {
        for (kind, line) in kinds(&file.tokens) {
            let cell = format!("`{kind}`");
            if !rows.iter().any(|row| row.contains(&cell)) {
                let text = format!("the effect {cell} has no row in ARCHITECTURE.md's table");
                problems.push(Problem::new(&file.path, line, text));
            }
        }
    }
    problems
}

fn kinds(tokens: &[Token]) -> Vec<(&str, usize)> {
    let mut kinds = Vec::new();
    for (at, pair) in tokens.windows(2).enumerate() {
        if let [first, second] = pair
            && first.word() == Some("const")
            && second.word() == Some("KIND")
        {
            let mut declaration = tokens.iter().skip(at).take_while(|token| !token.is(';'));
            let value = declaration.find_map(|token| Some((token.text()?, token.line)));
            kinds.extend(value);
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAP: &str =
        "# Map\n`clock` in prose\n\n| effect | class |\n|---|---|\n| `page.capture` | Safe |\n";

    #[test]
    fn an_effect_needs_a_row_of_its_own() {
        let cases = [
            (
                "impl Effect for A { const KIND: &'static str = \"page.capture\"; }",
                0,
            ),
            ("impl Effect for A { const KIND: &str = \"clock\"; }", 1),
            (
                "trait Effect { const KIND: &'static str; } const OTHER: &str = \"x\";",
                0,
            ),
        ];
        for (source, expected) in cases {
            let tree = Tree::of(&[("src/durable/effect.rs", source), ("ARCHITECTURE.md", MAP)]);
            assert_eq!(problems(&tree).len(), expected, "{source}");
        }
    }

    #[test]
    fn without_a_map_no_effect_has_a_row() {
        let tree = Tree::of(&[("src/a.rs", "const KIND: &str = \"clock\";")]);
        assert_eq!(problems(&tree).len(), 1);
    }
}
