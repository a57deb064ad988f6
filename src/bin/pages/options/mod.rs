//! The options page. It is one long page, so that Chrome's find-in-page searches all settings.
//!
//! Example: the user turns a switch. The worker stores the setting and answers, and the
//! page shows "Saved" beside the switch.
//!
//! Switches, radio buttons and selects apply at once. Only a profile and a search provider wait
//! for *Save*, and a prompt waits for *Apply*. The worker decides if a value is allowed. If it
//! refuses a value, the page shows the reason at the field, and keeps the typed text.

mod about;
mod agent;
mod approvals;
mod browser;
mod built_in;
mod connection_test;
pub(crate) mod controls;
mod data;
mod draft;
mod erase;
mod feedback;
mod forget;
mod key_field;
mod keys;
mod limits;
mod link;
mod memory;
mod model_field;
mod models;
mod nav;
mod never;
mod order;
mod page;
mod passphrase;
mod prelude;
mod prices;
mod privacy;
mod profile_form;
mod prompts;
mod roles;
mod search;
mod search_form;
mod server_field;
mod shortcuts;
mod site_permission;
mod sites;
mod tools;
mod trusted_sites;
mod unreadable;
mod usage;
mod usage_figures;

use crate::built_in::BuiltIn;
use crate::prelude::*;
use page::Page;

/// Builds the options page.
pub(crate) fn options() -> Tag {
    let page = Page::new();
    provide_context(page.clone());
    BuiltIn::provide();
    page.begin();
    sycamore::web::document().set_title(&msg("options_title"));
    let state = page.state;
    let known = create_selector(move || state.with(Option::is_some));
    // The sections are built once. With `untrack`, a signal that a section reads while it is built
    // doesn't rebuild all sections.
    let sections = live_if(known, move || untrack(sections));
    show_fragment(known);
    let main = (tag("h1.sr", msg("options_title")), trouble(), sections);
    tag("div.options", (nav::nav(), tag("main", main)))
}

/// Scrolls to the part of the page that the address names, once the page has its sections.
fn show_fragment(known: ReadSignal<bool>) {
    create_effect(move || {
        let hash = sycamore::web::window().location().hash();
        if let (true, Ok(hash)) = (known.get(), hash) {
            crate::browser::next_frame(move || {
                let id = hash.trim_start_matches('#');
                let part = sycamore::web::document().get_element_by_id(id);
                part.inspect(web_sys::Element::scroll_into_view);
            });
        }
    });
}

fn sections() -> View {
    fragment((
        warnings(),
        [
            models::models(),
            search::search(),
            agent::agent(),
            tools::tools(),
            prompts::prompts(),
            memory::memory(),
            usage::usage(),
            privacy::privacy(),
            data::data(),
            shortcuts::shortcuts(),
            about::about(),
        ],
    ))
}

/// The note for a worker that does not answer, or that refused a request.
fn trouble() -> View {
    let page = Page::from_context();
    live(move || {
        page.trouble.get_clone().map(|failure| {
            let page = page.clone();
            let again = button("primary", msg("try_again"), move || page.retry());
            alert("danger", &failure, tag("div.row.wrap", again))
        })
    })
}

fn warnings() -> View {
    let warnings = Page::from_context().of(|state| state.warnings.clone());
    live(move || {
        let warnings = warnings.get_clone();
        warnings
            .iter()
            .map(|it| alert("caution", it, ()))
            .collect::<Vec<_>>()
    })
}
