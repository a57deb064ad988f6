//! The provider of a server, and its API.

use super::draft::Draft;
use super::prelude::*;
use gloss::app::preferences::{Provider, api_name};
use gloss::model::Api;

/// The choice of a preset.
pub(super) fn provider(draft: Draft) -> Tag {
    let options = Provider::ALL.into_iter().enumerate().map(|(at, provider)| {
        let words = provider
            .name()
            .map_or_else(|| msg("options_other"), str::to_owned);
        option(at.to_string(), words, move || {
            draft.provider.get() == provider
        })
    });
    let select = select(options.collect::<Vec<_>>(), move |at| {
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

/// The choice of the API, if the provider has several.
pub(super) fn api(draft: Draft) -> View {
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
        });
        let select = select(options.collect::<Vec<_>>(), move |at| {
            if let Some(api) = chosen(&at, &apis) {
                draft.set_api(api);
            }
        });
        field("api", msg("options_api"), select.id("api"), ()).into()
    })
}

/// The item at this index of a list.
pub(super) fn chosen<T: Copy>(at: &str, all: &[T]) -> Option<T> {
    all.get(at.parse::<usize>().ok()?).copied()
}
