//! Parts of the page that follow signals.
//!
//! Example: the dock shows a composer or a card. Sycamore would compile the code that
//! exchanges the two at each use, which costs 1.5 KB each. With this function, that code is
//! compiled once.

use crate::parts::IntoView;
use sycamore::prelude::*;

/// A part that is rebuilt when a signal that it reads changes.
pub(crate) fn live<V: IntoView>(mut part: impl FnMut() -> V + 'static) -> View {
    boxed(Box::new(move || part().into_view()))
}

/// A part that is there while a condition holds: a signal, or a closure.
pub(crate) fn live_if<V: IntoView>(
    condition: impl Into<MaybeDyn<bool>>,
    part: impl Fn() -> V + 'static,
) -> View {
    let condition = condition.into();
    live(move || condition.get().then(&part))
}

/// A text node whose text changes with the signals that `words` reads.
pub(crate) fn live_text(words: impl FnMut() -> String + 'static) -> View {
    let words: Box<dyn FnMut() -> String> = Box::new(words);
    View::from_dynamic(words)
}

fn boxed(part: Box<dyn FnMut() -> View>) -> View {
    View::from_dynamic(part)
}
