//! Deletes all API keys.

use super::prelude::*;
use gloss::app::options::State;
use std::rc::Rc;

/// The button, which is shown if there are keys that are not locked. For locked keys, the button
/// is beside the passphrase field.
pub(super) fn forget() -> View {
    let any = Page::from_context().of(|state: &State| {
        let unreadable = state.warnings.iter().any(|it| it.code == "keys_unreadable");
        !state.locked && (!state.with_key.is_empty() || unreadable)
    });
    live(move || any.get().then(|| tag("div.gap-2", in_two_steps()).into()) as Option<View>)
}

/// The button with a confirmation.
pub(super) fn in_two_steps() -> Tag {
    let page = Page::from_context();
    let asking = create_signal(false);
    let result = create_signal(Feedback::None);
    let forget = move || {
        page.ask_for(OptionsRequest::ForgetKeys, result, move || {
            // If the keys were deleted, the button no longer exists.
            if asking.is_alive() {
                asking.set(false);
            }
        });
    };
    let steps = confirm(Confirm {
        ids: ["forget", "forget-keep"],
        asking,
        words: [
            msg("options_forget_keys"),
            msg("options_forget_asks"),
            msg("options_forget"),
        ],
        confirmed: Rc::new(forget),
    });
    tag("div.row.wrap", (steps, feedback_line(result)))
}
