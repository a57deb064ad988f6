//! Facts about the user. The user can see, search, change, pin, delete, export and import them.
//!
//! Driving example: a fact is wrong. The user presses the pencil, edits the fact in its row, and
//! saves it. The next run uses the new text. The table always shows the worker's facts, so that a
//! fact that a run saves appears at once.

mod edit;
mod import_export;
mod learned;
mod list;
mod row;
mod table;
mod undo;

use super::controls::{rows, section, switch_row};
use super::feedback::{Feedback, feedback_line};
use super::page::Page;
use crate::icon::icon;
use crate::live::{live, live_text};
use crate::parts::{button, error_text, tag};
use crate::words::{msg, msg_with};
use gloss::app::options::{Change, Switch};
use gloss::app::preferences::FieldName;
use gloss::memory::{Category, Fact, Tier};
use gloss::tools::Group;
use sycamore::prelude::*;
use table::{ADD, HEADING, Table};

pub(super) fn memory() -> View {
    let table = Table::new(Page::from_context());
    let (facts, result) = (table.facts, table.feedback);
    let typed = create_signal(String::new());
    let any = create_selector(move || facts.with(|facts| !facts.is_empty()));
    let adding = table.adding();
    // The table and a new row share one condition, so that a row that is being edited is not
    // rebuilt.
    let rows = create_selector(move || any.get() || adding.with(Option::is_some));
    let listed = table.clone();
    let shown = live(move || {
        if rows.get() {
            list::list(&listed, typed, adding)
        } else {
            nothing(msg("options_no_facts"), msg("options_no_facts_hint"))
        }
    });
    let refused = live(move || {
        let at = |field| result.with(|feedback| feedback.refusal_at(field));
        at(FieldName::Fact)
            .or_else(|| at(FieldName::File))
            .map(error_text)
    });
    let status = tag("p", (refused, feedback_line(result)))
        .role("status")
        .id("facts-d");
    let counts = live_text(move || facts.with(|facts| counted(facts)));
    let heading = tag("h3", msg("options_facts"))
        .id(HEADING)
        .attr("tabindex", "-1");
    let body = (
        (tag("p", msg("options_memory_means")), switch(), heading),
        (bar(&table, typed, any), shown),
        tag("div.row.wrap", (status, table.undo_button())),
        tag("p.meta.num.gap-2", counts),
        learned::learned(),
    );
    section("memory", msg("options_memory"), body)
}

fn switch() -> View {
    let page = Page::from_context();
    let set = page.preferences();
    let result = create_signal(Feedback::None);
    let switch = switch_row(
        "remember",
        msg("options_remember"),
        msg("options_remember_means"),
        move || set.with(|set| !set.groups_off.contains(&Group::Memory)),
        move |on| page.change(Change::Group(Group::Memory, Switch::of(on)), result),
    );
    View::from((rows(switch).class("rows gap-3"), feedback_line(result)))
}

/// The search field, and the buttons that add a fact, import and export.
fn bar(table: &Table, typed: Signal<String>, any: ReadSignal<bool>) -> View {
    let input = tag("input", ())
        .attr("type", "search")
        .name(msg("options_search_facts"));
    let input = input
        .attr("placeholder", msg("options_search_facts"))
        .bind(typed);
    let search = (icon("search"), input.disabled(move || !any.get()));
    let adding = table.clone();
    let add = button("", msg("options_add_fact"), move || {
        adding.begin(table::blank());
    })
    .id(ADD);
    let parts = (
        tag("div.search.grow.wide", search),
        add,
        import_export::copies(table, any),
    );
    tag("div.row.wrap", parts).into()
}

/// A note that replaces an empty list.
fn nothing(none: String, hint: String) -> View {
    tag("div.note.gap-3", tag("p", (tag("b", none), " ", hint))).into()
}

/// A text with the number of facts in each tier, the maximum, and how long facts last.
fn counted(facts: &[Fact]) -> String {
    let tiers = Tier::ALL.map(|tier| {
        let count = facts.iter().filter(|fact| fact.tier == tier).count();
        let (count, most) = (count.to_string(), tier.most().to_string());
        let days = tier.days().map(|days| days.to_string());
        match (tier, days) {
            (_, Some(days)) => msg_with(
                "options_tier_days",
                &[&tier_name(tier), &count, &most, &days],
            ),
            (_, None) => msg_with("options_tier_lasting", &[&tier_name(tier), &count, &most]),
        }
    });
    tiers.join(" · ")
}

fn tier_name(tier: Tier) -> String {
    msg(match tier {
        Tier::Core => "tier_core",
        Tier::Important => "tier_important",
        Tier::Context => "tier_context",
    })
}

fn category_name(category: Category) -> String {
    msg(match category {
        Category::Profile => "category_profile",
        Category::Preference => "category_preference",
        Category::Technical => "category_technical",
        Category::Project => "category_project",
    })
}
