//! Small questions about the nodes of a parsed page.
//!
//! Driving example: [`flatten`] makes a page of 10 000 nested boxes safe for code
//! that recurses, in a worker whose stack holds 1 MB. Nothing here reads text.

use dom_query::{LocalName, NodeData, NodeRef};

/// Deeper elements are put beside their ancestor, as Chromium's own parser does
/// past 512.
const DEEPEST: usize = 200;

/// The element's name, or "" for what is no element.
pub(super) fn name(node: &NodeRef) -> LocalName {
    node.element_ref()
        .map(|e| e.name.local.clone())
        .unwrap_or_default()
}

/// The attribute's value, or "".
pub(super) fn attr(node: &NodeRef, name: &str) -> String {
    node.attr(name).map(|v| v.to_string()).unwrap_or_default()
}

/// The node's own text, when it is a text node.
pub(super) fn with_text<T>(node: &NodeRef, read: impl FnOnce(&str) -> T) -> Option<T> {
    node.query(|n| match &n.data {
        NodeData::Text { contents } => Some(read(contents)),
        _ => None,
    })
    .flatten()
}

/// Whether anything but white space is written under `root`.
pub(super) fn has_text(root: &NodeRef) -> bool {
    root.descendants_it().any(|node| node.is_nonempty_text())
}

/// How much is written under `root`: bytes less white space.
pub(super) fn letters(root: &NodeRef) -> usize {
    let of = |text: &str| text.bytes().filter(|b| !b.is_ascii_whitespace()).count();
    root.descendants_it()
        .filter_map(|node| with_text(&node, of))
        .sum()
}

/// Limits the depth of the tree under `root`: what is deeper moves up.
pub(super) fn flatten(root: &NodeRef) {
    let mut stack: Vec<(NodeRef, usize)> = vec![(*root, 0)];
    while let Some((node, depth)) = stack.pop() {
        if depth < DEEPEST {
            stack.extend(
                node.children_it(false)
                    .filter(NodeRef::is_element)
                    .map(|c| (c, depth + 1)),
            );
            continue;
        }
        // Everything below becomes a child of `node`, in document order, without children.
        let below: Vec<NodeRef> = node.descendants_it().collect();
        for descendant in &below {
            descendant.remove_from_parent();
        }
        for descendant in below {
            if descendant.is_text() {
                node.append_child(&descendant);
            }
        }
    }
}

/// Whether the page says that a reader does not see this element.
pub(super) fn is_hidden(node: &NodeRef) -> bool {
    node.element_ref().is_some_and(|element| {
        element.attrs.iter().any(|a| match a.name.local.as_ref() {
            "hidden" => &*a.value != "until-found",
            "aria-hidden" => &*a.value == "true",
            "style" => {
                let style: String = a.value.chars().filter(|c| !c.is_whitespace()).collect();
                let style = style.to_ascii_lowercase();
                style.contains("display:none") || style.contains("visibility:hidden")
            }
            _ => false,
        })
    })
}
