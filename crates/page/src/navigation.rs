//! Reads a page's main column: the `<body>`, or the only `<main>`, without navigation.
//!
//! Example: in a handbook's chapter, everything is read except the navigation links above and below
//! the text. The removed navigation is put back at the end, because the article finder reads the
//! same tree next.

use dom_query::{Document as Tree, NodeRef};

use super::blocks::Walker;
use super::extracted::ExtractedBlocks;
use super::tree;

/// Returns the blocks of the main column of `page`. Relative links are resolved against `base`.
pub(super) fn read(page: &Tree, base: &str) -> ExtractedBlocks {
    let Some(body) = page.body() else {
        return ExtractedBlocks::default();
    };
    let root = main(&body).unwrap_or(body);
    let surroundings = navigation_elements(&root);
    let removed: Vec<Removed> = surroundings.into_iter().filter_map(remove).collect();
    let read = || Walker::new(base).walk(&root);
    let column = tree::has_text(&root).then(read);
    // Nodes are put back in reverse order. A node is inserted before its former sibling, which may
    // have been removed later and must then be back in the tree first.
    removed.iter().rev().for_each(Removed::restore);
    // If the page consists only of navigation, the whole page is read.
    column.unwrap_or_else(read)
}

/// Returns the outermost elements under `root` that are hidden or navigation.
fn navigation_elements<'a>(root: &NodeRef<'a>) -> Vec<NodeRef<'a>> {
    let mut found = Vec::new();
    let mut next = root.first_child();
    while let Some(node) = next {
        next = after(&node, root);
        if node.is_element() && (tree::is_hidden(&node) || is_navigation(&node)) {
            next = after_subtree(&node, root);
            found.push(node);
        }
    }
    found
}

/// A removed node, and the position at which it was removed.
struct Removed<'a> {
    node: NodeRef<'a>,
    parent: NodeRef<'a>,
    next: Option<NodeRef<'a>>,
}

fn remove(node: NodeRef) -> Option<Removed> {
    let removed = Removed {
        node,
        parent: node.parent()?,
        next: node.next_sibling(),
    };
    node.remove_from_parent();
    Some(removed)
}

impl Removed<'_> {
    fn restore(&self) {
        match &self.next {
            Some(next) => next.insert_before(&self.node),
            None => self.parent.append_child(&self.node),
        }
    }
}

fn after<'a>(node: &NodeRef<'a>, root: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    node.first_child().or_else(|| after_subtree(node, root))
}

fn after_subtree<'a>(node: &NodeRef<'a>, root: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let mut at = *node;
    while at.id != root.id {
        if let Some(next) = at.next_sibling() {
            return Some(next);
        }
        at = at.parent()?;
    }
    None
}

/// Returns the page's only `<main>`. Returns `None` if there are several, or if it contains less
/// than a quarter of the page's text.
fn main<'a>(body: &NodeRef<'a>) -> Option<NodeRef<'a>> {
    let mut found = body.descendants_it().filter(is_main);
    let first = found.next()?;
    let alone = found.all(|n| n.ancestors_it(None).any(|a| a.id == first.id));
    let substantial = || tree::letters(&first) * 4 >= tree::letters(body);
    (alone && substantial()).then_some(first)
}

fn is_main(node: &NodeRef) -> bool {
    node.element_ref().is_some_and(|element| {
        &*element.name.local == "main"
            || element
                .attrs
                .iter()
                .any(|a| &*a.name.local == "role" && &*a.value == "main")
    })
}

/// Returns true if an element is around a page's content, such as a menu or a footer.
fn is_navigation(node: &NodeRef) -> bool {
    match tree::name(node).as_ref() {
        "nav" | "aside" => return true,
        "header" | "footer" => {
            return !node
                .ancestors_it(None)
                .any(|a| matches!(tree::name(&a).as_ref(), "article" | "main" | "section"));
        }
        _ => {}
    }
    node.element_ref().is_some_and(|element| {
        element
            .attrs
            .iter()
            .any(|attr| match attr.name.local.as_ref() {
                "role" => matches!(
                    &*attr.value,
                    "navigation" | "banner" | "contentinfo" | "complementary" | "search" | "dialog"
                ),
                "class" => attr.value.split_ascii_whitespace().any(|class| {
                    matches!(
                        class,
                        "navheader"
                            | "navfooter"
                            | "docnav"
                            | "breadcrumb"
                            | "breadcrumbs"
                            | "pagination"
                            | "skip-link"
                    )
                }),
                _ => false,
            })
    })
}
