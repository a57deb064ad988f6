//! The way back from what was taken away.
//!
//! Driving example: two facts are erased, and a third is saved. "Saved" is said where it was
//! always said; beside the Undo stands what it brings back, the second fact, and once that is
//! back the first. Nothing that may be taken back is let go of for a message.

use crate::live::{handler, live, live_text};
use crate::words::msg;
use sycamore::prelude::*;

/// What the latest of them is, in words: what became of it, and what its Undo is called.
pub(super) type Told = (String, String);

/// The words and the button, by this id, while there is something to bring back.
pub(super) fn undo(
    id: &'static str,
    latest: impl Fn() -> Option<Told> + 'static,
    pressed: impl Fn() + Clone + 'static,
) -> View {
    let latest = create_selector(latest);
    let words = live_text(move || {
        latest
            .get_clone()
            .map(|(words, _)| words)
            .unwrap_or_default()
    });
    let button = live(move || {
        let Some((_, name)) = latest.get_clone() else {
            return View::new();
        };
        let (words, pressed) = (msg("memory_undo"), pressed.clone());
        view! {
            button(
                r#type="button",
                class="btn quiet tiny",
                id=id,
                aria-label=name,
                on:click=handler(move |_: web_sys::MouseEvent| pressed()),
            ) { (words) }
        }
    });
    view! {
        span { span(role="status", class="meta") { (words) } (button) }
    }
}
