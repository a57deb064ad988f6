//! A list whose rows stay the same nodes while their keys stay.
//!
//! Sycamore's own keeps the nodes that a row had when it was made, and brings those
//! back when the list changes: a row whose outer node is [`crate::live`] would show
//! its first words again. Here a row is what stands between two marks in the page,
//! whatever that has become.

use std::rc::Rc;
use sycamore::prelude::*;
use sycamore::web::{HtmlNode, ViewHtmlNode};
use wasm_bindgen::JsCast;
use web_sys::Node;

/// A row to be: a key, and what makes its view.
struct Row {
    key: String,
    view: Box<dyn FnOnce() -> View>,
}

/// A row that stands in the page, from the one mark to the other.
struct Standing {
    key: String,
    scope: NodeHandle,
    start: Node,
    end: Node,
}

/// The items, each shown by `view` when its key first comes.
pub(crate) fn keyed<T: Clone + 'static>(
    items: impl Fn() -> Vec<T> + 'static,
    key: fn(&T) -> String,
    view: impl Fn(T) -> View + 'static,
) -> View {
    let view = Rc::new(view);
    let row = move |item: T| {
        let view = view.clone();
        Row {
            key: key(&item),
            view: Box::new(move || view(item)),
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
        let (one, view) = made(scope, row);
        standing.push(one);
        nodes.push(view);
    }
    create_effect(move || {
        let now = rows();
        let same = now.iter().map(|row| &row.key);
        if !same.eq(standing.iter().map(|one| &one.key)) {
            untrack(|| settle(scope, &mut standing, now, &end_node));
        }
    });
    View::from((nodes, end))
}

/// A row in a scope of its own, which goes with it, and its nodes.
fn made(scope: NodeHandle, row: Row) -> (Standing, View) {
    let (start, end) = (
        HtmlNode::create_marker_node(),
        HtmlNode::create_marker_node(),
    );
    let (start_node, end_node) = (start.as_web_sys().clone(), end.as_web_sys().clone());
    let mut view = View::new();
    let within = scope.run_in(|| create_child_scope(|| view = (row.view)()));
    let one = Standing {
        key: row.key,
        scope: within,
        start: start_node,
        end: end_node,
    };
    (one, View::from((start, view, end)))
}

/// Makes the page hold these rows, in their order, before `end`. What is in its
/// place is not touched, so that it keeps the focus.
fn settle(scope: NodeHandle, standing: &mut Vec<Standing>, now: Vec<Row>, end: &Node) {
    // Not in the page yet: the next change makes up for it.
    let Some(parent) = end.parent_node() else {
        return;
    };
    let (mut old, mut next) = (std::mem::take(standing), Vec::new());
    let is_wanted = |one: &Standing| now.iter().any(|row| row.key == one.key);
    for gone in old.extract_if(.., |one| !is_wanted(one)) {
        gone.scope.dispose();
        for node in between(&gone) {
            // A node of the page that stands there can be taken out.
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
                put(&parent, &between(&one), &before);
                // A node that is moved loses the focus.
                if let Some(focused) =
                    focused.filter(|it| between(&one).iter().any(|node| node.contains(Some(it))))
                {
                    // Fails for no element that is there.
                    let _ = focused.focus();
                }
            }
            one
        } else {
            let (one, view) = made(scope, row);
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
        // Both stand in the page, under this parent.
        let _ = parent.insert_before(node, Some(before));
    }
}

/// What stands from a row's one mark to the other, both included.
fn between(one: &Standing) -> Vec<Node> {
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
