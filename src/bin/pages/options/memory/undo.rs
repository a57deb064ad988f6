//! A line about the last change, with its undo button.
//!
//! Driving example: two facts are deleted, and a third is saved. "Saved" is shown in its usual
//! place. The second fact is beside *Undo*; once it is restored, the first one is.

use crate::prelude::*;
use std::rc::Rc;

/// A text about the change, and the accessible name of its undo button.
pub(super) type Words = (String, String);

/// The text and the button with this id, while there is something to undo.
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
