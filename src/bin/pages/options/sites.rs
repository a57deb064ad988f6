//! The sites to which Chrome lets Gloss connect. The list is read from Chrome each time.

use super::browser::{granted, on_grants, revoke};
use super::controls::rows as list;
use super::prelude::*;
use gloss::app::preferences::{Preferences, origin_of};
use gloss::host::ALL_SITES;
use gloss::search::ProviderKind;
use wasm_bindgen_futures::spawn_local;

/// The list. Each site has a button that revokes its permission.
pub(crate) fn sites() -> View {
    let sites = create_signal(Vec::new());
    let kept = create_signal(false);
    let read = move || {
        spawn_local(async move {
            let patterns = granted().await;
            if sites.is_alive() {
                sites.set(patterns);
            }
        });
    };
    read();
    on_grants(read);
    let set = Page::from_context().preferences();
    let rows = live(move || {
        let all = sites.get_clone();
        if all.is_empty() {
            return vec![tag("li", tag("p", msg("options_sites_none")))];
        }
        all.into_iter()
            .map(|pattern| site(pattern, set, kept))
            .collect::<Vec<_>>()
    });
    let means = live_text(move || {
        if kept.get() {
            msg("options_sites_kept")
        } else {
            msg("options_sites_means")
        }
    });
    let heading = tag("h3", msg("options_sites")).id("sites");
    fragment((
        heading,
        list(rows).attr("aria-labelledby", "sites"),
        status_meta(means),
    ))
}

fn site(pattern: String, set: ReadSignal<Preferences>, kept: Signal<bool>) -> Tag {
    let origin = pattern.trim_end_matches("/*");
    let host = match pattern.as_str() {
        ALL_SITES => msg("all_sites"),
        _ => origin
            .split_once("://")
            .map_or(origin, |(_, host)| host)
            .to_owned(),
    };
    let is_here = |url: &str| origin_of(url).is_some_and(|it| it == origin);
    let (models, searches) = set.with(|set| {
        let models = set.profiles.iter().filter(|it| is_here(&it.base_url));
        let models: Vec<&str> = models.map(|it| it.name.as_str()).collect();
        let searches = ProviderKind::ALL.into_iter();
        let searches = searches.filter(|it| is_here(&set.search.server(*it).base_url));
        (
            models.join(", "),
            searches
                .map(ProviderKind::name)
                .collect::<Vec<_>>()
                .join(", "),
        )
    });
    let used = |names: String, label: String| {
        (!names.is_empty()).then(|| (tag_label("", label), tag("p", names)))
    };
    let name = msg_with("options_revoke_site", &[&host]);
    let words = (
        tag("b", host),
        " ",
        used(models, msg("options_site_model")),
        used(searches, msg("options_search")),
    );
    let revoke = button("tiny", msg("options_revoke"), move || {
        let pattern = pattern.clone();
        spawn_local(async move {
            let gone = revoke(&pattern).await;
            if kept.is_alive() {
                kept.set(!gone);
            }
        });
    });
    row(words, revoke.name(name))
}
