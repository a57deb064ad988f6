//! The sites that Chrome lets Gloss speak to, read from Chrome each time.

use super::browser::{granted, on_grants, revoke};
use super::page::Page;
use crate::live::{handler, live, live_text};
use crate::words::{msg, msg_with};
use gloss::app::preferences::{Preferences, origin_of};
use gloss::host::ALL_SITES;
use gloss::search::Engine;
use sycamore::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// The list, and a way to take each back.
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
    let (name, means) = (msg("options_sites"), msg("options_sites_means"));
    let set = Page::here().preferences();
    let rows = live(move || {
        sites
            .get_clone()
            .into_iter()
            .map(|pattern| site(pattern, set, kept))
            .collect::<Vec<View>>()
    });
    let none = live(move || {
        sites.with(Vec::is_empty).then(|| {
            let none = msg("options_sites_none");
            view! { li { p { (none) } } }
        })
    });
    let means = live_text(move || {
        if kept.get() {
            msg("options_sites_kept")
        } else {
            means.clone()
        }
    });
    view! {
        h3(id="sites") { (name) }
        ul(class="rows", aria-labelledby="sites") {
            (rows)
            (none)
        }
        p(class="meta", role="status") {
            (means)
        }
    }
}

fn site(pattern: String, set: ReadSignal<Preferences>, kept: Signal<bool>) -> View {
    let host = pattern
        .split_once("://")
        .map_or(pattern.as_str(), |(_, rest)| rest);
    let host = match pattern.as_str() {
        ALL_SITES => msg("all_sites"),
        _ => host.trim_end_matches("/*").to_owned(),
    };
    let of = |set: &Preferences| {
        let here =
            |url: &str| origin_of(url).is_some_and(|it| it == pattern.trim_end_matches("/*"));
        let names = set.profiles.iter().filter(|it| here(&it.base_url));
        names
            .map(|it| it.name.clone())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let searches = |set: &Preferences| {
        let place = |engine: &Engine| set.search.server(*engine).base_url;
        let here = |engine: &Engine| {
            origin_of(&place(engine)).is_some_and(|it| it == pattern.trim_end_matches("/*"))
        };
        let names = Engine::ALL.into_iter().filter(here).map(Engine::name);
        names.collect::<Vec<_>>().join(", ")
    };
    let (profiles, searches) = set.with(|set| (of(set), searches(set)));
    let is_model = !profiles.is_empty();
    let profiles = is_model.then(|| view! { p { (profiles) } });
    let searches = (!searches.is_empty()).then(|| {
        let search = msg("options_search");
        view! { span(class="tag") { (search) } p { (searches) } }
    });
    let tag = is_model.then(|| {
        let model = msg("options_site_model");
        view! { span(class="tag") { (model) } }
    });
    let (revoke_word, name) = (
        msg("options_revoke"),
        msg_with("options_revoke_site", &[&host]),
    );
    view! {
        li {
            div(class="grow") {
                b { (host) }
                " "
                (tag)
                (profiles)
                (searches)
            }
            div(class="row") {
                button(r#type="button", class="btn tiny", aria-label=name, on:click=handler(move |_| {
                    let pattern = pattern.clone();
                    spawn_local(async move {
                        let gone = revoke(&pattern).await;
                        if kept.is_alive() {
                            kept.set(!gone);
                        }
                    });
                })) { (revoke_word) }
            }
        }
    }
}
