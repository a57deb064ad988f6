//! What Gloss knows of the person: see, search, change, pin, erase, take out and in.
//!
//! Driving example: a fact is wrong; its pencil opens it in its row, and what is saved holds
//! from the next run on. The table is the worker's: what a run saves meanwhile comes into it.

mod copies;
mod edit;
mod learned;
mod row;

use super::browser::{is_checked, value};
use super::page::Page;
use super::told::{Told, told};
use crate::browser::{date, time_of_day};
use crate::icon::icon;
use crate::keyed::keyed;
use crate::live::{handler, live, live_text};
use crate::words::{msg, msg_with, said};
use gloss::app::options::{Ask, Change, Outcome, Switch};
use gloss::app::preferences::FieldName;
use gloss::memory::{Category, Fact, FactId, Tier};
use gloss::tools::Group;
use sycamore::prelude::*;

/// What the rows share.
#[derive(Clone)]
struct Table {
    page: Page,
    facts: ReadSignal<Vec<Fact>>,
    /// The fact that is being changed; one that is not known is new.
    changed: Signal<Option<FactId>>,
    told: Signal<Told>,
}

impl Table {
    fn ask(&self, ask: Ask, then: impl FnOnce() + 'static) {
        let of = self.told;
        self.page.ask(ask, move |outcome| {
            let is_done = outcome == Outcome::Saved;
            of.set(Told::of(outcome));
            if is_done {
                then();
            }
        });
    }
}

/// The section.
pub(super) fn memory() -> View {
    let page = Page::here();
    let state = page.state;
    let facts = create_selector(move || {
        state.with(|state| {
            state
                .as_ref()
                .map(|it| it.facts.clone())
                .unwrap_or_default()
        })
    });
    let table = Table {
        page,
        facts,
        changed: create_signal(None),
        told: create_signal(Told::Nothing),
    };
    let sought = create_signal(String::new());
    let any = create_selector(move || facts.with(|facts| !facts.is_empty()));
    let adding = {
        let changed = table.changed;
        create_selector(move || {
            let new = changed.get_clone();
            new.filter(|id| facts.with(|facts| facts.iter().all(|fact| fact.id != *id)))
        })
    };
    let shown = {
        let table = table.clone();
        let rows = move || (any.get(), adding.with(Option::is_some));
        let rows = create_selector(rows);
        live(move || match rows.get() {
            (false, false) => empty(),
            (..) => whole(&table, sought, adding),
        })
    };
    let switches = switches();
    let bar = bar(&table, sought, any);
    let counts = live_text(move || facts.with(|facts| counted(facts)));
    let (wrong, said) = (refused(table.told), told(table.told));
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
            h3(id="facts-h") { (heading) }
            (bar)
            (shown)
            p(role="status", id="facts-d") { (wrong) (said) }
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
    let is_shared = move || set.with(|set| set.sync_facts);
    let syncing = page.clone();
    let [words, means, sync, sync_means] = [
        msg("options_remember"),
        msg("options_remember_means"),
        msg("options_sync_facts"),
        msg("options_sync_facts_means"),
    ];
    let told = told(result);
    let unsynced = unsynced(&syncing);
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
            li {
                div(class="grow") {
                    label(r#for="sync-facts") { (sync) }
                    p(id="sync-facts-d") { (sync_means) }
                    p(id="sync-facts-e", role="status") { (unsynced) }
                }
                input(
                    r#type="checkbox",
                    role="switch",
                    id="sync-facts",
                    aria-describedby="sync-facts-d sync-facts-e",
                    prop:checked=is_shared,
                    on:change=handler(move |event: web_sys::Event| {
                        let switch = Switch::of(is_checked(&event));
                        syncing.change(Change::SyncFacts(switch), result);
                    }),
                )
            }
        }
        (told)
    }
}

/// Why facts could not be shared, and when that was tried last.
fn unsynced(page: &Page) -> View {
    let state = page.state;
    let unsynced = create_selector(move || {
        state.with(|state| state.as_ref().and_then(|it| it.unsynced.clone()))
    });
    live(move || match unsynced.get_clone() {
        None => View::new(),
        Some(it) => {
            let (day, clock) = (date(it.at_ms), time_of_day(it.at_ms));
            let words = msg_with("options_sync_failed", &[&day, &clock, &said(&it.why)]);
            let sign = icon("alert");
            view! { span(class="danger-text") { (sign) span { (words) } } }
        }
    })
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
    let changed = table.changed;
    let result = table.told;
    let adds = move |_| {
        result.set(Told::Nothing);
        changed.set(Some(FactId(crate::browser::unique_id())));
        edit::focus_on_content();
    };
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
            button(r#type="button", class="btn", on:click=handler(adds)) { (add) }
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

/// A row to be.
#[derive(Debug, Clone)]
struct Row {
    fact: Option<Fact>,
    id: FactId,
    is_changed: bool,
}

impl Row {
    /// One that says something else is another; one that is being written stays, whatever a run
    /// does to its fact.
    fn key(&self) -> String {
        if self.is_changed {
            self.id.0.clone()
        } else {
            format!("{self:?}")
        }
    }
}

fn whole(table: &Table, sought: Signal<String>, adding: ReadSignal<Option<FactId>>) -> View {
    let rows = {
        let (facts, changed) = (table.facts, table.changed);
        let table = table.clone();
        let items = move || {
            let at = changed.get_clone();
            let new = adding.get_clone().map(|id| Row {
                fact: None,
                id,
                is_changed: true,
            });
            let sought = sought.get_clone().to_lowercase();
            let known = facts.with(|facts| {
                let fits = |fact: &&Fact| {
                    let keywords = fact
                        .keywords
                        .iter()
                        .any(|it| it.to_lowercase().contains(&sought));
                    fact.content.to_lowercase().contains(&sought) || keywords
                };
                let rows = facts.iter().filter(fits).map(|fact| Row {
                    is_changed: at.as_ref() == Some(&fact.id),
                    id: fact.id.clone(),
                    fact: Some(fact.clone()),
                });
                rows.collect::<Vec<Row>>()
            });
            new.into_iter().chain(known).collect()
        };
        keyed(items, Row::key, move |row| {
            match (row.fact, row.is_changed) {
                (Some(fact), false) => row::row(&table, &fact),
                (fact, _) => edit::edit(&table, row.id, fact.as_ref()),
            }
        })
    };
    let [region, fact, tier, category, sure, used, acts] = [
        msg("options_facts"),
        msg("options_fact"),
        msg("options_tier"),
        msg("options_category"),
        msg("options_confidence"),
        msg("options_last_used"),
        msg("options_actions"),
    ];
    view! {
        // Its roles are said, as a narrow window shows it as a list.
        div(class="scroll-x facts", tabindex="0", role="region", aria-label=region) {
            table(role="table") {
                thead(role="rowgroup") { tr(role="row") {
                    th(role="columnheader", scope="col") { (fact) }
                    th(role="columnheader", scope="col") { (tier) }
                    th(role="columnheader", scope="col") { (category) }
                    th(role="columnheader", scope="col", class="n") { (sure) }
                    th(role="columnheader", scope="col", class="n") { (used) }
                    th(role="columnheader", scope="col") { span(class="sr") { (acts) } }
                } }
                tbody(role="rowgroup") { (rows) }
            }
        }
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
