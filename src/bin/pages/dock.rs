//! Below the log: what the agent does, what is wrong, and where a person
//! answers. A permission card takes the composer's place.

use crate::browser;
use crate::composer::composer;
use crate::live::live;
use crate::permission::{Wanted, card, wanted};
use crate::queue::queue;
use crate::status::status;
use crate::surface::Surface;
use crate::time::{fork_composer, or_status};
use crate::warnings::warnings;
use sycamore::prelude::*;

/// The dock.
pub(crate) fn dock() -> View {
    let wanted = wanted();
    give_focus_back(wanted);
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

/// A card that goes leaves the focus to the message, unless it is elsewhere.
fn give_focus_back(wanted: ReadSignal<Option<Wanted>>) {
    let surface = Surface::here();
    let stood = create_signal(false);
    create_effect(move || {
        let stands = wanted.with(Option::is_some);
        if stood.get_untracked() && !stands {
            let surface = surface.clone();
            browser::next_frame(move || {
                if browser::is_focus_free() {
                    surface.focus_message();
                }
            });
        }
        stood.set(stands);
    });
}
