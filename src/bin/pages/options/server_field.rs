//! Whose server it is, and what is spoken to it.

use super::browser::value;
use super::profile_form::Form;
use crate::live::{handler, live};
use crate::words::msg;
use gloss::app::preferences::{Provider, api_name};
use gloss::model::Api;
use sycamore::prelude::*;

/// The presets.
pub(super) fn provider(form: &Form) -> View {
    let draft = form.draft;
    let label = msg("options_provider");
    let other = msg("options_other");
    let options: Vec<View> = Provider::ALL
        .into_iter()
        .enumerate()
        .map(|(at, provider)| {
            let words = provider.name().map_or_else(|| other.clone(), str::to_owned);
            let is_set = move || draft.provider.get() == provider;
            view! { option(value=at.to_string(), prop:selected=is_set) { (words) } }
        })
        .collect();
    view! {
        div(class="field") {
            label(r#for="provider") { (label) }
            select(id="provider", on:change=handler(move |event: web_sys::Event| {
                let at = value(&event).parse().ok();
                if let Some(provider) = at.and_then(|at: usize| Provider::ALL.get(at)) {
                    draft.choose(*provider);
                }
            })) { (options) }
        }
    }
}

/// What is spoken, where the provider leaves a choice.
pub(super) fn api(form: &Form) -> View {
    let draft = form.draft;
    let apis = create_selector(move || draft.provider.get().apis().collect::<Vec<Api>>());
    live(move || {
        let apis = apis.get_clone();
        if apis.len() < 2 {
            return View::new();
        }
        let label = msg("options_api");
        let options: Vec<View> = apis
            .iter()
            .enumerate()
            .map(|(at, own)| {
                let (own, words) = (*own, api_name(*own));
                let is_set = move || draft.api.get() == own;
                view! { option(value=at.to_string(), prop:selected=is_set) { (words) } }
            })
            .collect();
        view! {
            div(class="field") {
                label(r#for="api") { (label) }
                select(id="api", on:change=handler(move |event: web_sys::Event| {
                    let at = value(&event).parse().ok();
                    if let Some(api) = at.and_then(|at: usize| apis.get(at)) {
                        draft.speak(*api);
                    }
                })) { (options) }
            }
        }
    })
}
