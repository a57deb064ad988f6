//! Every effect has a row in ARCHITECTURE.md's table: what a lost outcome means is
//! read there, not guessed.

use super::Problem;
use super::tree::Tree;

/// Every effect kind, `const KIND: &str = "…"`, without a row.
pub(super) fn problems(tree: &Tree) -> Vec<Problem> {
    let map = tree.text("ARCHITECTURE.md");
    let rows: Vec<&str> = map.lines().filter(|line| line.starts_with('|')).collect();
    let mut problems = Vec::new();
    let tested = |path: &str| path.contains("/tests/") || path.ends_with("tests.rs");
    for file in tree.below("src", ".rs").filter(|file| !tested(&file.path)) {
        for (at, line) in file.content.lines().enumerate() {
            let declared = line.split_once("const KIND: &").map(|(_, rest)| rest);
            let Some(kind) = declared.and_then(|rest| rest.split('"').nth(1)) else {
                continue;
            };
            let cell = format!("`{kind}`");
            if !rows.iter().any(|row| row.contains(&cell)) {
                let text = format!("the effect {cell} has no row in ARCHITECTURE.md's table");
                problems.push(Problem::new(&file.path, at + 1, text));
            }
        }
    }
    problems
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
                "trait Effect { const KIND: &'static str; }\nconst OTHER: &str = \"x\";",
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
