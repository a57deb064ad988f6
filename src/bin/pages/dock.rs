//! Below the log: what the agent does, what is wrong, and where a person
//! answers. A permission card takes the composer's place.

use crate::browser;
use crate::composer::composer;
use crate::live::live;
use crate::permission::{card, wanted};
use crate::queue::queue;
use crate::status::status;
use crate::surface::Surface;
use crate::time::{fork_composer, or_status};
use crate::warnings::warnings;
use sycamore::prelude::*;

/// The dock.
pub(crate) fn dock() -> View {
    let wanted = wanted();
    give_focus_back();
    let status = status(wanted);
    let warnings = warnings();
    let queue = queue();
    let status = or_status(status);
    let viewed = Surface::here().viewed;
    let back = create_selector(move || viewed.get().is_some());
    let place = live(move || match (wanted.get_clone(), back.get()) {
        (_, true) => fork_composer(),
        (Some(wanted), false) => card(&wanted),
        (None, false) => composer(),
    });
    view! {
        div(class="dock") {
            (status)
            (warnings)
            (queue)
            (place)
        }
    }
}

/// What goes while it has the focus, such as Pause at a run's end, leaves it to the message.
/// A person who pressed on what takes none has let it go.
fn give_focus_back() {
    let surface = Surface::here();
    let shown = surface.shown;
    let held = browser::focus_held();
    let (wanted, queue) = (wanted(), surface.queue());
    let buttons = create_selector(move || {
        let status = shown.with(|shown| shown.turns.last().map(|turn| turn.status));
        (status, wanted.with(Option::is_some), queue.with(Vec::len))
    });
    let begun = create_signal(false);
    create_effect(move || {
        buttons.track();
        if !begun.replace_silent(true) {
            return;
        }
        let (surface, held) = (surface.clone(), held.clone());
        browser::next_frame(move || {
            if held.get() && browser::is_focus_free() {
                surface.focus_message();
            }
        });
    });
}
