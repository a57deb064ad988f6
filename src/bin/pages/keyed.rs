//! A list whose rows keep their DOM nodes as long as their keys stay in the list.
//!
//! Sycamore's own keyed list stores the nodes that a row had when it was created. When the list
//! changes, it puts these nodes back. A row whose outer node is [`crate::live`] would then show
//! its first content again. In this list, a row consists of all nodes between two marker nodes.

use crate::parts::IntoView;
use std::rc::Rc;
use sycamore::prelude::*;
use sycamore::web::{HtmlNode, ViewHtmlNode};
use wasm_bindgen::JsCast;
use web_sys::Node;

/// A row that is not in the page yet: its key, and the function that creates its view.
struct Row {
    key: String,
    view: Box<dyn FnOnce() -> View>,
}

/// A row in the page. Its nodes are between two marker nodes.
struct MountedRow {
    key: String,
    scope: NodeHandle,
    start: Node,
    end: Node,
}

/// A list of the items. `view` makes a row when its key first appears.
pub(crate) fn keyed<T: Clone + 'static, V: IntoView>(
    items: impl Fn() -> Vec<T> + 'static,
    key: fn(&T) -> String,
    view: impl Fn(T) -> V + 'static,
) -> View {
    let view = Rc::new(view);
    let row = move |item: T| {
        let view = view.clone();
        Row {
            key: key(&item),
            view: Box::new(move || view(item).into_view()),
        }
    };
    rows(Box::new(move || items().into_iter().map(&row).collect()))
}

fn rows(rows: Box<dyn Fn() -> Vec<Row>>) -> View {
    let scope = use_current_scope();
    let end = HtmlNode::create_marker_node();
    let end_node = end.as_web_sys().clone();
    let (mut standing, mut nodes) = (Vec::new(), Vec::new());
    for row in untrack(&*rows) {
        let (one, view) = mount_row(scope, row);
        standing.push(one);
        nodes.push(view);
    }
    create_effect(move || {
        let now = rows();
        let same = now.iter().map(|row| &row.key);
        if !same.eq(standing.iter().map(|one| &one.key)) {
            untrack(|| update_rows(scope, &mut standing, now, &end_node));
        }
    });
    View::from((nodes, end))
}

/// Creates a row and its nodes. The row has a scope of its own, which is disposed with the row.
fn mount_row(scope: NodeHandle, row: Row) -> (MountedRow, View) {
    let (start, end) = (
        HtmlNode::create_marker_node(),
        HtmlNode::create_marker_node(),
    );
    let (start_node, end_node) = (start.as_web_sys().clone(), end.as_web_sys().clone());
    let mut view = View::new();
    let within = scope.run_in(|| create_child_scope(|| view = (row.view)()));
    let one = MountedRow {
        key: row.key,
        scope: within,
        start: start_node,
        end: end_node,
    };
    (one, View::from((start, view, end)))
}

/// Changes the page to contain these rows in their order, before the node `end`. A row that is
/// already at its position is not moved, so that it keeps the focus.
fn update_rows(scope: NodeHandle, standing: &mut Vec<MountedRow>, now: Vec<Row>, end: &Node) {
    // The list is not in the page yet. The next change of the items will show these rows.
    let Some(parent) = end.parent_node() else {
        return;
    };
    let (mut old, mut next) = (std::mem::take(standing), Vec::new());
    let is_wanted = |one: &MountedRow| now.iter().any(|row| row.key == one.key);
    for gone in old.extract_if(.., |one| !is_wanted(one)) {
        gone.scope.dispose();
        for node in row_nodes(&gone) {
            // The call doesn't fail for a child of this parent.
            let _ = parent.remove_child(&node);
        }
    }
    let mut before = end.clone();
    for row in now.into_iter().rev() {
        let place = old.iter().position(|one| one.key == row.key);
        let one = if let Some(place) = place {
            let one = old.remove(place);
            if one.end.next_sibling().as_ref() != Some(&before) {
                let focused = focused();
                put(&parent, &row_nodes(&one), &before);
                // A node loses the focus when it is moved, so focus it again.
                if let Some(focused) =
                    focused.filter(|it| row_nodes(&one).iter().any(|node| node.contains(Some(it))))
                {
                    // The call doesn't fail for an element on the page.
                    let _ = focused.focus();
                }
            }
            one
        } else {
            let (one, view) = mount_row(scope, row);
            put(&parent, &view.as_web_sys(), &before);
            one
        };
        before = one.start.clone();
        next.push(one);
    }
    next.reverse();
    *standing = next;
}

fn focused() -> Option<web_sys::HtmlElement> {
    let focused = sycamore::web::document().active_element()?;
    focused.dyn_into().ok()
}

fn put(parent: &Node, nodes: &[Node], before: &Node) {
    for node in nodes {
        // The call doesn't fail, because both nodes are children of this parent.
        let _ = parent.insert_before(node, Some(before));
    }
}

/// Returns the nodes of a row, including its two marker nodes.
fn row_nodes(one: &MountedRow) -> Vec<Node> {
    let mut nodes = vec![one.start.clone()];
    while let Some(next) = nodes.last().and_then(Node::next_sibling) {
        let is_last = next == one.end;
        nodes.push(next);
        if is_last {
            break;
        }
    }
    nodes
}
