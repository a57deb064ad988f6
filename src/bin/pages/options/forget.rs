//! Forgetting every key.

use super::page::Page;
use super::told::{Told, told};
use crate::live::{handler, live};
use crate::words::msg;
use gloss::app::options::Ask;
use sycamore::prelude::*;

/// Where there are keys that are not locked: those that are have it beside their field.
pub(super) fn forget() -> View {
    let state = Page::here().state;
    let any = create_selector(move || {
        let has_any = |state: &gloss::app::options::State| {
            let damaged = |it: &gloss::agent::Failure| it.code == "keys_unreadable";
            !state.locked && (!state.with_key.is_empty() || state.warnings.iter().any(damaged))
        };
        state.with(|state| state.as_ref().is_some_and(has_any))
    });
    live(move || {
        if any.get() {
            let steps = in_two_steps();
            view! { div(style="margin-top:.5rem") { (steps) } }
        } else {
            View::new()
        }
    })
}

/// The button; it asks once more.
pub(super) fn in_two_steps() -> View {
    let page = Page::here();
    let asking = create_signal(false);
    let result = create_signal(Told::Nothing);
    let steps = live(move || {
        if asking.get() {
            let page = page.clone();
            let (asks, yes, no) = (
                msg("options_forget_asks"),
                msg("options_forget"),
                msg("options_keep"),
            );
            let forget = move |_| {
                page.ask(Ask::ForgetKeys, move |outcome| {
                    // Without keys, the button is gone.
                    if asking.is_alive() {
                        asking.set(false);
                        result.set(Told::of(outcome));
                    }
                });
            };
            view! {
                span(role="status") { (asks) }
                button(r#type="button", class="btn", on:click=handler(move |_| asking.set(false))) { (no) }
                button(r#type="button", class="btn danger", on:click=handler(forget)) { (yes) }
            }
        } else {
            let word = msg("options_forget_keys");
            view! {
                button(r#type="button", class="btn quiet", on:click=handler(move |_| asking.set(true))) { (word) }
            }
        }
    });
    let told = told(result);
    view! {
        div(class="row wrap") { (steps) (told) }
    }
}
