//! Parts of the page that change by themselves.
//!
//! Driving example: a dock shows a composer or a card. Sycamore compiles the code that swaps them
//! once per place, 1.5 KB each; through this function it is compiled once.

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

/// Text that changes, in one text node.
pub(crate) fn live_text(words: impl FnMut() -> String + 'static) -> View {
    let words: Box<dyn FnMut() -> String> = Box::new(words);
    View::from_dynamic(words)
}

fn boxed(part: Box<dyn FnMut() -> View>) -> View {
    View::from_dynamic(part)
}
