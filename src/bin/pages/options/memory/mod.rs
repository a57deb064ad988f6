//! What Gloss knows of the person: see, search, change, pin, erase, take out and in.
//!
//! Driving example: a fact is wrong; its pencil opens it in its row, and what is saved holds
//! from the next run on. The table is the worker's: what a run saves meanwhile comes into it.

mod copies;
mod edit;
mod learned;
mod list;
mod row;
mod table;
mod undo;

use super::browser::{is_checked, value};
use super::page::Page;
use super::told::{Told, told};
use crate::icon::icon;
use crate::live::{handler, live, live_text};
use crate::words::{msg, msg_with};
use gloss::app::options::{Change, Switch};
use gloss::app::preferences::FieldName;
use gloss::memory::{Category, Fact, Tier};
use gloss::tools::Group;
use sycamore::prelude::*;
use table::{ADD, HEADING, Table};

/// The section.
pub(super) fn memory() -> View {
    let table = Table::new(Page::here());
    let facts = table.facts;
    let sought = create_signal(String::new());
    let any = create_selector(move || facts.with(|facts| !facts.is_empty()));
    let adding = table.adding();
    let shown = {
        let table = table.clone();
        // Not by which of both: a row that is being written stays what it is.
        let rows = create_selector(move || any.get() || adding.with(Option::is_some));
        live(move || {
            if rows.get() {
                list::list(&table, sought, adding)
            } else {
                empty()
            }
        })
    };
    let switches = switches();
    let bar = bar(&table, sought, any);
    let counts = live_text(move || facts.with(|facts| counted(facts)));
    let (wrong, said, undo) = (refused(table.told), told(table.told), table.way_back());
    let learned = learned::learned();
    let [name, means, heading] = [
        msg("options_memory"),
        msg("options_memory_means"),
        msg("options_facts"),
    ];
    view! {
        section(class="sect", id="memory", aria-labelledby="memory-h") {
            h2(id="memory-h") { (name) }
            p { (means) }
            (switches)
            h3(id=HEADING, tabindex="-1") { (heading) }
            (bar)
            (shown)
            div(class="row wrap") {
                p(role="status", id="facts-d") { (wrong) (said) }
                (undo)
            }
            p(class="meta num", style="margin-top:.5rem") { (counts) }
            (learned)
        }
    }
}

fn switches() -> View {
    let page = Page::here();
    let set = page.preferences();
    let result = create_signal(Told::Nothing);
    let is_on = move || set.with(|set| !set.groups_off.contains(&Group::Memory));
    let (words, means) = (msg("options_remember"), msg("options_remember_means"));
    let told = told(result);
    view! {
        ul(class="rows", style="margin-top:.75rem") {
            li {
                div(class="grow") {
                    label(r#for="remember") { (words) }
                    p(id="remember-d") { (means) }
                }
                input(
                    r#type="checkbox",
                    role="switch",
                    id="remember",
                    aria-describedby="remember-d",
                    prop:checked=is_on,
                    on:change=handler(move |event: web_sys::Event| {
                        let switch = Switch::of(is_checked(&event));
                        page.change(Change::Group(Group::Memory, switch), result);
                    }),
                )
            }
        }
        (told)
    }
}

/// Search, import, export, and a fact of one's own.
fn bar(table: &Table, sought: Signal<String>, any: ReadSignal<bool>) -> View {
    let [search, hint, add] = [
        msg("options_search_facts"),
        msg("options_search_facts"),
        msg("options_add_fact"),
    ];
    let sign = icon("search");
    let copies = copies::copies(table, any);
    let adding = table.clone();
    let adds = move |_| adding.begin(table::blank());
    view! {
        div(class="row wrap") {
            div(class="search grow", style="min-width:11rem") {
                (sign)
                input(
                    r#type="search",
                    aria-label=search,
                    placeholder=hint,
                    disabled=move || !any.get(),
                    on:input=handler(move |event: web_sys::Event| sought.set(value(&event))),
                )
            }
            button(r#type="button", class="btn", id=ADD, on:click=handler(adds)) { (add) }
            (copies)
        }
    }
}

fn empty() -> View {
    let (none, hint) = (msg("options_no_facts"), msg("options_no_facts_hint"));
    view! {
        div(class="note", style="margin-top:.75rem") { p { b { (none) } " " (hint) } }
    }
}

/// Why what was typed, or a file, may not stand.
fn refused(of: Signal<Told>) -> View {
    live(move || {
        let at = |field| of.with(|told| told.at(field));
        at(FieldName::Fact)
            .or_else(|| at(FieldName::File))
            .map(|words| {
                let sign = icon("alert");
                view! { span(class="danger-text") { (sign) (words) } }
            })
    })
}

/// How many there are of each tier, and how long they last.
fn counted(facts: &[Fact]) -> String {
    let tiers = Tier::ALL.map(|tier| {
        let count = facts.iter().filter(|fact| fact.tier == tier).count();
        let (count, most) = (count.to_string(), tier.most().to_string());
        let days = tier.days().map(|days| days.to_string());
        match (tier, days) {
            (_, Some(days)) => {
                msg_with("options_tier_days", &[&name_of(tier), &count, &most, &days])
            }
            (_, None) => msg_with("options_tier_lasting", &[&name_of(tier), &count, &most]),
        }
    });
    tiers.join(" · ")
}

fn name_of(tier: Tier) -> String {
    msg(match tier {
        Tier::Core => "tier_core",
        Tier::Important => "tier_important",
        Tier::Context => "tier_context",
    })
}

fn kind_of(category: Category) -> String {
    msg(match category {
        Category::Profile => "category_profile",
        Category::Preference => "category_preference",
        Category::Technical => "category_technical",
        Category::Project => "category_project",
    })
}
