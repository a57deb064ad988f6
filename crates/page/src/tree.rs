//! Reads nodes of a parsed page.
//!
//! Example: [`flatten`] changes a page of 10 000 nested elements, so that recursive code
//! can read it on a worker's stack of 1 MB.

use dom_query::{LocalName, NodeData, NodeRef};

/// The maximum depth of an element. Deeper elements are removed, and their text is moved up to
/// their ancestor at this depth.
const DEEPEST: usize = 200;

/// Returns the name of an element, or "" for other nodes.
pub(super) fn name(node: &NodeRef) -> LocalName {
    node.element_ref()
        .map(|e| e.name.local.clone())
        .unwrap_or_default()
}

/// Returns the value of an attribute, or "" if the attribute is missing.
pub(super) fn attr(node: &NodeRef, name: &str) -> String {
    node.attr(name).map(|v| v.to_string()).unwrap_or_default()
}

/// Calls `read` with the node's text; returns `None` if the node isn't a text node.
pub(super) fn with_text<T>(node: &NodeRef, read: impl FnOnce(&str) -> T) -> Option<T> {
    node.query(|n| match &n.data {
        NodeData::Text { contents } => Some(read(contents)),
        _ => None,
    })
    .flatten()
}

/// Returns true if the subtree of `root` contains text other than white space.
pub(super) fn has_text(root: &NodeRef) -> bool {
    root.descendants_it().any(|node| node.is_nonempty_text())
}

/// Returns the length of the text under `root` without white space, in bytes.
pub(super) fn letters(root: &NodeRef) -> usize {
    let of = |text: &str| text.bytes().filter(|b| !b.is_ascii_whitespace()).count();
    root.descendants_it()
        .filter_map(|node| with_text(&node, of))
        .sum()
}

/// Limits the depth of the subtree of `root` by removing deeper elements, but not their text.
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
        // All text nodes below become children of `node`, in document order.
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

/// Returns true if the page's markup hides this element.
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
