//! The design card's properties have their tests: each is named in the documentation of
//! a test function, word for word as `Feature: agent-architecture-upgrade, Property 7:`.

use super::Problem;
use super::tree::Tree;

/// Those that have their tests by now; each later one is added with its own.
const PROPERTIES: [u8; 16] = [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17];

/// Every property of the list that no test function is documented as.
pub(super) fn problems(tree: &Tree) -> Vec<Problem> {
    let tested: Vec<u8> = tree.rust().flat_map(|file| tagged(&file.content)).collect();
    let missing = PROPERTIES.iter().filter(|number| !tested.contains(number));
    missing
        .map(|number| {
            let text = format!("no test function is documented as `{}{number}: …`", tag());
            Problem::new("src", 0, text)
        })
        .collect()
}

fn tag() -> &'static str {
    "Feature: agent-architecture-upgrade, Property "
}

/// The properties that the test functions of a source are documented as.
fn tagged(source: &str) -> Vec<u8> {
    let mut tagged = Vec::new();
    let mut documented = Vec::new();
    let mut is_test = false;
    // `quickcheck!` makes a test of every function in it.
    let mut in_macro = false;
    for line in source.lines().map(str::trim_start) {
        if let Some(doc) = line.strip_prefix("///") {
            documented.extend(number(doc));
        } else if line.starts_with("#[") {
            is_test |= line.starts_with("#[test]");
        } else {
            let begins = line.starts_with("fn ");
            if begins && (is_test || in_macro) {
                tagged.append(&mut documented);
            }
            in_macro |= line.starts_with("quickcheck! {");
            documented.clear();
            is_test = false;
        }
    }
    tagged
}

fn number(doc: &str) -> Option<u8> {
    let (_, rest) = doc.split_once(tag())?;
    let (number, text) = rest.split_once(':')?;
    number.parse().ok().filter(|_| !text.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_counts_on_a_test_function_alone() {
        let tag = |number: u8| format!("/// {}{number}: for any run\n/// it holds.\n", tag());
        let cases = [
            (format!("{}#[test]\nfn holds() {{}}", tag(3)), vec![3]),
            (format!("{}fn holds() {{}}", tag(3)), vec![]),
            (
                format!("{}#[test]\n#[ignore]\nfn holds() {{}}", tag(1)),
                vec![1],
            ),
            (
                format!(
                    "quickcheck! {{\n    {}    fn holds() -> bool {{ true }}\n}}",
                    tag(12)
                ),
                vec![12],
            ),
            (
                format!("{}const A: u8 = 1;\n#[test]\nfn other() {{}}", tag(2)),
                vec![],
            ),
            (
                format!("// {}2: in prose\n#[test]\nfn other() {{}}", super::tag()),
                vec![],
            ),
        ];
        for (source, expected) in cases {
            assert_eq!(tagged(&source), expected, "{source}");
        }
    }

    #[test]
    fn each_property_without_a_test_is_named() {
        let source = format!("/// {}1: bounded\n#[test]\nfn one() {{}}", tag());
        let tree = Tree::of(&[("src/a.rs", &source)]);
        assert_eq!(problems(&tree).len(), PROPERTIES.len() - 1);
    }
}
