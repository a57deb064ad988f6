//! Checks that each property in the design document has a test. The doc comment of such a test
//! begins with `Feature: agent-architecture-upgrade, Property 7:`.

use super::Problem;
use super::tree::Tree;

/// The properties that must have a test. A later property is added to this list together with its
/// test.
const PROPERTIES: [u8; 16] = [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17];

/// Reports the properties in the list that no doc comment names.
pub(super) fn problems(tree: &Tree) -> Vec<Problem> {
    let lines = || tree.rust().flat_map(|it| it.content.lines());
    let missing = PROPERTIES.iter().filter_map(|number| {
        let tag = format!("/// Feature: agent-architecture-upgrade, Property {number}:");
        let is_named = lines().any(|line| line.trim_start().starts_with(&tag));
        let text = format!("no test function is documented as `{tag} …`");
        (!is_named).then(|| Problem::new("src", 0, text))
    });
    missing.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_property_without_a_test_is_named() {
        let source =
            "/// Feature: agent-architecture-upgrade, Property 1: bounded\n#[test]\nfn one() {}";
        let tree = Tree::of(&[("src/a.rs", source)]);
        assert_eq!(problems(&tree).len(), PROPERTIES.len() - 1);
    }
}
