//! Popovers over the log: one at a time, and the text never moves. The browser handles Esc, a click
//! elsewhere, and the return of the focus.

use crate::prelude::*;
use wasm_bindgen::JsCast;

/// Sets `open` to the popover's state, for `aria-expanded`.
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

/// Opens the popover, or closes it.
pub(crate) fn set_open(node: NodeRef, open: bool) {
    let element = node
        .try_get()
        .and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(element) = element {
        // Each fails only if the popover is in that state already.
        let _ = if open {
            element.show_popover()
        } else {
            element.hide_popover()
        };
    }
}
