//! Popovers above the log. Only one popover is open at a time, and opening it doesn't move the
//! text. The browser closes a popover on Esc or a click elsewhere, and restores the focus.

use crate::prelude::*;
use wasm_bindgen::JsCast;

/// Returns a listener that sets `open` to the state of the popover, for `aria-expanded`.
pub(crate) fn follow(open: Signal<bool>) -> impl Fn(web_sys::Event) {
    move |event: web_sys::Event| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        if let Some(target) = target {
            open.set(target.matches(":popover-open").unwrap_or(false));
        }
    }
}

pub(crate) fn set_open(node: NodeRef, open: bool) {
    let element = node
        .try_get()
        .and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(element) = element {
        // Each call fails only if the popover already has that state.
        let _ = if open {
            element.show_popover()
        } else {
            element.hide_popover()
        };
    }
}
