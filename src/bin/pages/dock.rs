//! The dock below the log: the run's status, problems, and the composer. While a permission is
//! needed, a card replaces the composer.

use crate::browser::{self, LastFocus};
use crate::composer::composer;
use crate::permission::{card, wanted};
use crate::prelude::*;
use crate::queue::queue;
use crate::status::status;
use crate::step_back::{dock_header, fork_composer};
use crate::surface::Surface;
use crate::warnings::warnings;

/// Builds the dock.
pub(crate) fn footer() -> Tag {
    let wanted = wanted();
    give_focus_back();
    let viewed = Surface::from_context().viewed;
    let back = create_selector(move || viewed.get().is_some());
    let place = live(move || match (wanted.get_clone(), back.get()) {
        (_, true) => fork_composer().into(),
        (Some(wanted), false) => match wanted.sheet() {
            Some(sheet) => fragment((composer(), sheet)),
            None => card(&wanted).into(),
        },
        (None, false) => composer(),
    });
    tag(
        "div.dock",
        (
            dock_header(status(wanted).into()),
            warnings(),
            queue(),
            place,
        ),
    )
}

/// Focuses the message field when the focused element disappears. An example is *Pause* when a run
/// ends.
fn give_focus_back() {
    let surface = Surface::from_context();
    let (shown, wanted, queue) = (surface.shown, wanted(), surface.queue());
    let last = LastFocus::heard();
    create_effect(move || {
        shown.track();
        wanted.track();
        queue.track();
        let (surface, last) = (surface.clone(), last.clone());
        browser::next_frame(move || {
            if last.is_lost() {
                surface.focus_message();
            }
        });
    });
}
