//! A line about the last change, with a button that undoes the change.
//!
//! Example: the user deletes two facts, then saves a third. The line beside *Undo* names
//! the second fact. After the second fact is restored, the line names the first.

use crate::prelude::*;
use std::rc::Rc;

/// A text about the change, and the accessible name of its undo button.
pub(super) type Words = (String, String);

/// The line and the button with this id. Both are shown only while a change can be undone.
pub(super) fn undo(
    id: &'static str,
    latest: impl Fn() -> Option<Words> + 'static,
    pressed: impl Fn() + 'static,
) -> Tag {
    let (latest, pressed) = (create_selector(latest), Rc::new(pressed));
    let words = live_text(move || latest.get_clone().unwrap_or_default().0);
    let button = live(move || {
        latest.get_clone().map(|(_, name)| {
            let pressed = pressed.clone();
            View::from(
                button("quiet tiny", msg("memory_undo"), move || pressed())
                    .id(id)
                    .name(name),
            )
        })
    });
    tag("span", (tag("span.meta", words).role("status"), button))
}
