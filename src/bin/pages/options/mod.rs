//! The options page: one long page, so that find-in-page works.
//!
//! Driving example: a switch is turned, the worker stores it and says so, and the
//! page shows "Saved" beside it. Switches, radios and selects apply at once; only a
//! profile and a search provider wait for *Save*, and a prompt for *Apply*. Nothing here decides what may be set: what the worker
//! refuses stands at its field, and what was typed stays.

mod about;
mod agent;
mod asking;
mod browser;
mod built_in;
mod choice;
mod connection_test;
mod counted;
mod data;
mod draft;
mod erase;
mod forget;
mod key_field;
mod keys;
mod limits;
mod link;
mod memory;
mod model_field;
mod models;
mod nav;
mod order;
mod page;
mod passphrase;
mod prices;
mod privacy;
mod profile_form;
mod prompt_cost;
mod prompt_difference;
mod prompt_reset;
mod prompts;
mod roles;
mod search;
mod search_form;
mod server_field;
mod shortcuts;
mod sites;
mod small_windows;
mod told;
mod tools;
mod trusted;
mod unreadable;
mod usage;

use crate::built_in::BuiltIn;
use crate::icon::icon;
use crate::live::{handler, live};
use crate::words::{msg, said};
use page::Page;
use sycamore::prelude::*;

/// The options page.
pub(crate) fn options() -> View {
    let page = Page::new();
    provide_context(page.clone());
    BuiltIn::provide();
    page.begin();
    let name = msg("options_title");
    sycamore::web::document().set_title(&name);
    let state = page.state;
    let known = create_selector(move || state.with(Option::is_some));
    let nav = nav::nav();
    let trouble = trouble();
    let sections = live(move || {
        if known.get() {
            // Made once: what a section reads while it is made must not make it anew.
            untrack(sections)
        } else {
            View::new()
        }
    });
    view! {
        div(class="options") {
            (nav)
            main {
                h1(class="sr") { (name) }
                (trouble)
                (sections)
            }
        }
    }
}

fn sections() -> View {
    let warnings = warnings();
    let models = models::models();
    let search = search::search();
    let agent = agent::agent();
    let tools = tools::tools();
    let prompts = prompts::prompts();
    let memory = memory::memory();
    let usage = usage::usage();
    let privacy = privacy::privacy();
    let data = data::data();
    let shortcuts = shortcuts::shortcuts();
    let about = about::about();
    view! {
        (warnings)
        (models)
        (search)
        (agent)
        (tools)
        (prompts)
        (memory)
        (usage)
        (privacy)
        (data)
        (shortcuts)
        (about)
    }
}

/// Why the worker does not answer, or what it refused.
fn trouble() -> View {
    let page = Page::here();
    live(move || {
        page.trouble.get_clone().map(|failure| {
            let page = page.clone();
            let (title, remedy) = (said(&failure.title), said(&failure.remedy));
            let again = msg("try_again");
            let sign = icon("alert");
            view! {
                div(class="note danger", role="alert") {
                    h2 { (sign) (title) }
                    p { (remedy) }
                    div(class="row wrap") {
                        button(class="btn primary", on:click=handler(move |_| page.retry())) { (again) }
                    }
                }
            }
        })
    })
}

/// What is wrong with what is stored.
fn warnings() -> View {
    let state = Page::here().state;
    let warnings = create_selector(move || {
        state.with(|state| state.as_ref().map(|state| state.warnings.clone()))
    });
    live(move || {
        warnings
            .get_clone()
            .unwrap_or_default()
            .into_iter()
            .map(|failure| {
                let (title, remedy) = (said(&failure.title), said(&failure.remedy));
                let sign = icon("alert");
                view! {
                    div(class="note caution", role="alert") {
                        h2 { (sign) (title) }
                        p { (remedy) }
                    }
                }
            })
            .collect::<Vec<View>>()
    })
}
