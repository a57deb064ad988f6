//! Where keys are kept.

use super::forget::forget;
use super::page::Page;
use super::passphrase::new_passphrase;
use super::told::{Told, heading, told};
use crate::live::{handler, live};
use crate::words::{msg, msg_of};
use gloss::app::options::{Ask, TypedKey};
use gloss::host::Keeping;
use sycamore::prelude::*;

/// Each with the keys of its name and of its consequence.
const CHOICES: [(Keeping, &str, &str); 3] = [
    (
        Keeping::Session,
        "msg:options_keys_session",
        "msg:options_keys_session_means",
    ),
    (
        Keeping::Device,
        "msg:options_keys_device",
        "msg:options_keys_device_means",
    ),
    (
        Keeping::Sealed,
        "msg:options_keys_sealed",
        "msg:options_keys_sealed_means",
    ),
];

/// The choice, and under it what a passphrase needs.
pub(super) fn keys() -> View {
    let page = Page::here();
    let state = page.state;
    let result = create_signal(Told::Nothing);
    // A new passphrase is being made up: until it stands, keys are where they are.
    let making = create_signal(false);
    let keeping = create_selector(move || {
        state.with(|state| {
            state
                .as_ref()
                .map_or_else(Keeping::default, |it| it.keeping)
        })
    });
    let locked = create_selector(move || {
        state.with(|state| state.as_ref().is_some_and(|state| state.locked))
    });
    let choices: Vec<View> = CHOICES
        .into_iter()
        .map(|(choice, label, consequence)| {
            let page = page.clone();
            let is_set = move || {
                // Said again after each answer: what was refused is not set.
                result.track();
                match choice {
                    Keeping::Sealed => making.get() || keeping.get() == choice,
                    Keeping::Session | Keeping::Device => !making.get() && keeping.get() == choice,
                }
            };
            let (label, consequence) = (msg_of(label), msg_of(consequence));
            let chosen = move |_| {
                let is_new = keeping.get_untracked() != choice;
                making.set(choice == Keeping::Sealed && is_new);
                if is_new && choice != Keeping::Sealed {
                    let passphrase = TypedKey::default();
                    let keeping = choice;
                    page.ask(
                        Ask::KeepKeys {
                            keeping,
                            passphrase,
                        },
                        move |it| {
                            result.set(Told::of(it));
                        },
                    );
                }
            };
            view! {
                label(class="choice") {
                    input(
                        r#type="radio",
                        name="keeping",
                        disabled=move || locked.get(),
                        prop:checked=is_set,
                        on:change=handler(chosen),
                    )
                    span(class="opt") { (label) p { (consequence) } }
                }
            }
        })
        .collect();
    let heading = heading("keeping-keys", msg("options_keys_where"), result);
    let below = live(move || {
        if making.get() {
            new_passphrase(making, result)
        } else if keeping.get() == Keeping::Sealed && !locked.get() {
            unlocked(making, result)
        } else {
            View::new()
        }
    });
    let forget = forget();
    view! {
        (heading)
        div(role="radiogroup", aria-labelledby="keeping-keys") { (choices) }
        (below)
        (forget)
    }
}

/// What can be done with open keys under a passphrase.
fn unlocked(making: Signal<bool>, result: Signal<Told>) -> View {
    let page = Page::here();
    let [open, lock, change] = [
        msg("options_unlocked"),
        msg("options_lock"),
        msg("options_passphrase_change"),
    ];
    let failed = create_signal(Told::Nothing);
    let lock_now = move |_| {
        page.ask(Ask::Lock, move |outcome| {
            // Once locked, all of this is gone.
            if !matches!(Told::of(outcome.clone()), Told::Saved) && failed.is_alive() {
                failed.set(Told::of(outcome));
            }
        });
    };
    let failed = told(failed);
    view! {
        div(class="row wrap", style="margin-top:.5rem") {
            span(class="meta grow") { (open) " " (failed) }
            button(r#type="button", class="btn", on:click=handler(lock_now)) { (lock) }
            button(r#type="button", class="btn", on:click=handler(move |_| {
                result.set(Told::Nothing);
                making.set(true);
            })) { (change) }
        }
    }
}
