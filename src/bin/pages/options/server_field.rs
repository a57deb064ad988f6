//! The selects for the provider of a server, and for its API.

use super::controls::{field, option, select};
use super::profile_form::Form;
use crate::live::live;
use crate::words::msg;
use gloss::app::preferences::{Provider, api_name};
use gloss::model::Api;
use sycamore::prelude::*;

/// The select for the provider, which also sets the address.
pub(super) fn provider(form: &Form) -> View {
    let draft = form.draft;
    let options = Provider::ALL.into_iter().enumerate().map(|(at, provider)| {
        let words = provider
            .name()
            .map_or_else(|| msg("options_other"), str::to_owned);
        option(at.to_string(), words, move || {
            draft.provider.get() == provider
        })
        .into()
    });
    let select = select(options.collect::<Vec<View>>(), move |at| {
        if let Some(provider) = chosen(&at, &Provider::ALL) {
            draft.choose(provider);
        }
    });
    field(
        "provider",
        msg("options_provider"),
        select.id("provider"),
        (),
    )
}

/// The select for the API. It is shown only if the provider has several APIs.
pub(super) fn api(form: &Form) -> View {
    let draft = form.draft;
    let apis = create_selector(move || draft.provider.get().apis().collect::<Vec<Api>>());
    live(move || {
        let apis = apis.get_clone();
        if apis.len() < 2 {
            return View::new();
        }
        let options = apis.clone().into_iter().enumerate().map(|(at, api)| {
            option(at.to_string(), api_name(api), move || {
                draft.api.get() == api
            })
            .into()
        });
        let select = select(options.collect::<Vec<View>>(), move |at| {
            if let Some(api) = chosen(&at, &apis) {
                draft.set_api(api);
            }
        });
        field("api", msg("options_api"), select.id("api"), ())
    })
}

/// The item of a list whose index was written as `at`.
pub(super) fn chosen<T: Copy>(at: &str, all: &[T]) -> Option<T> {
    all.get(at.parse::<usize>().ok()?).copied()
}
