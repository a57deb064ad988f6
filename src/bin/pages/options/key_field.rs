//! A profile's key, and where one is made.

use super::profile_form::{Form, beneath, refusal};
use crate::browser::host_of;
use crate::live::{live, live_text};
use crate::words::{msg, msg_with};
use gloss::app::preferences::FieldName;
use gloss::host::Keeping;
use sycamore::prelude::*;

/// The field.
pub(super) fn key(form: &Form) -> View {
    let (draft, told, state) = (form.draft, form.told, form.page.state);
    let wrong = create_selector(move || told.with(|told| told.at(FieldName::Key)));
    let invalid = move || wrong.with(Option::is_some).then_some("true");
    let has_key = create_selector(move || {
        let id = draft.id.get_clone();
        state.with(|state| state.as_ref().is_some_and(|it| it.with_key.contains(&id)))
    });
    let placeholder = move || {
        let provider = draft.provider.get();
        if has_key.get() {
            msg("options_key_kept")
        } else if provider.needs_key() {
            String::new()
        } else {
            match provider.name() {
                Some(name) => msg_with("options_key_spare", &[name]),
                None => msg("options_key_optional"),
            }
        }
    };
    let label = msg("options_key");
    let keeping = create_selector(move || {
        state.with(|state| {
            state
                .as_ref()
                .map_or_else(Keeping::default, |it| it.keeping)
        })
    });
    let means = live_text(move || match keeping.get() {
        Keeping::Session => msg("options_key_means_session"),
        Keeping::Device => msg("options_key_means"),
        Keeping::Sealed => msg("options_key_means_sealed"),
    });
    let made = live(move || {
        draft.provider.get().keys_page().map(|page| {
            let words = msg_with("options_key_made_at", &[&host_of(page)]);
            view! { a(href=page, target="_blank", rel="noreferrer") { (words) } }
        })
    });
    let refusal = refusal(wrong);
    view! {
        div(class="field") {
            label(r#for="key") { (label) }
            input(
                id="key",
                class="secret",
                autocomplete="off",
                "spellcheck"="false",
                placeholder=placeholder,
                aria-invalid=invalid,
                aria-describedby="key-d key-wrong",
                bind:value=draft.key,
            )
            p(class="meta", id="key-d") { (means) " " (made) }
            p(class=beneath(wrong), id="key-wrong", role="status") { (refusal) }
        }
    }
}
