//! What changes on the page by itself, and what a person's gesture sets off.
//!
//! Driving example: a dock shows a composer or a card. `view!` would compile the
//! machinery that swaps them once for each place it stands at, a kilobyte and a half
//! each; through here it is compiled once, and a place costs its own words. So a part
//! that calls a function stands before the view, made once or [`live`], never in it.

use sycamore::prelude::*;

/// A part that is made anew when a signal that it reads changes.
pub(crate) fn live<P: Into<View>>(mut part: impl FnMut() -> P + 'static) -> View {
    boxed(Box::new(move || part().into()))
}

/// Words that change, in one text node.
pub(crate) fn live_text(words: impl FnMut() -> String + 'static) -> View {
    let words: Box<dyn FnMut() -> String> = Box::new(words);
    View::from_dynamic(words)
}

/// What an element does on an event.
pub(crate) fn handler<E: 'static>(does: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(does)
}

fn boxed(part: Box<dyn FnMut() -> View>) -> View {
    View::from_dynamic(part)
}
