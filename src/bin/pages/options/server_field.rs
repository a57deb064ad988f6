//! The selects for the provider of a server, and for its API.

use super::draft::Draft;
use super::prelude::*;
use gloss::app::preferences::{Provider, api_name};
use gloss::model::Api;

/// The choice of a preset.
pub(super) fn provider(draft: Draft) -> Tag {
    let all = Provider::ALL.into_iter().enumerate().map(|(at, it)| {
        let name = it.name().map(str::to_owned);
        (
            at.to_string(),
            it,
            name.unwrap_or_else(|| msg("options_other")),
        )
    });
    let chosen = move |it| draft.choose(it);
    let select = select_of(all, move || draft.provider.get(), chosen).id("provider");
    field("provider", msg("options_provider"), select, ())
}

/// The choice of the API, if the provider has several.
pub(super) fn api(draft: Draft) -> View {
    let apis = create_selector(move || draft.provider.get().apis().collect::<Vec<Api>>());
    let several = create_selector(move || apis.with(|apis| apis.len() > 1));
    live_if(several, move || {
        let all = apis.get_clone().into_iter().enumerate();
        let all = all.map(|(at, it)| (at.to_string(), it, api_name(it).to_owned()));
        let select = select_of(all, move || draft.api.get(), move |it| draft.set_api(it));
        field("api", msg("options_api"), select.id("api"), ())
    })
}
