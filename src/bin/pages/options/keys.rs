//! The choice where API keys are stored.

use super::forget::forget;
use super::passphrase::new_passphrase;
use super::prelude::*;
use gloss::app::options::TypedKey;
use gloss::host::KeyStorage;

/// The possible storages, with the message keys of their names.
const CHOICES: [(KeyStorage, &str); 3] = [
    (KeyStorage::Session, "means:options_keys_session"),
    (KeyStorage::Device, "means:options_keys_device"),
    (KeyStorage::Sealed, "means:options_keys_sealed"),
];

/// The choice, and below it the fields for a passphrase.
pub(super) fn keys() -> View {
    let page = Page::from_context();
    let result = create_signal(Feedback::None);
    // True while the user types a new passphrase. Until it is accepted, the keys stay where they
    // are.
    let making = create_signal(false);
    let (keeping, locked) = (
        page.of(|state| state.keeping),
        page.of(|state| state.locked),
    );
    let choices = CHOICES.map(|(choice, words)| {
        let page = page.clone();
        let is_set = move || {
            // Check the radio buttons again after each answer, because a refused choice must not
            // stay selected.
            result.track();
            match choice {
                KeyStorage::Sealed => making.get() || keeping.get() == choice,
                KeyStorage::Session | KeyStorage::Device => {
                    !making.get() && keeping.get() == choice
                }
            }
        };
        let chosen = move || {
            let is_new = keeping.get_untracked() != choice;
            making.set(choice == KeyStorage::Sealed && is_new);
            if is_new && choice != KeyStorage::Sealed {
                let passphrase = TypedKey::default();
                page.ask_for(
                    OptionsRequest::KeepKeys {
                        keeping: choice,
                        passphrase,
                    },
                    result,
                    || {},
                );
            }
        };
        radio("keeping", words, move || locked.get(), is_set, chosen)
    });
    let heading = group_heading("keeping-keys", msg("options_keys_where"), result);
    let below = live(move || {
        if making.get() {
            new_passphrase(making, result)
        } else if keeping.get() == KeyStorage::Sealed && !locked.get() {
            unlocked(making, result).into()
        } else {
            View::new()
        }
    });
    fragment((
        heading,
        radio_group("keeping-keys", choices),
        below,
        forget(),
    ))
}

/// The actions on unlocked keys that a passphrase protects.
fn unlocked(making: Signal<bool>, result: Signal<Feedback>) -> Tag {
    let page = Page::from_context();
    let failed = create_signal(Feedback::None);
    let lock = move || page.ask_for(OptionsRequest::Lock, failed, || {});
    let change = move || {
        result.set(Feedback::None);
        making.set(true);
    };
    let open = tag(
        "span.meta.grow",
        (msg("options_unlocked"), " ", feedback_line(failed)),
    );
    let lock = button("", msg("options_lock"), lock);
    let change = button("", msg("options_passphrase_change"), change);
    tag("div.row.wrap.gap-2", (open, lock, change))
}
