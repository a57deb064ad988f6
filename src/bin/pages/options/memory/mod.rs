//! Facts about the user. The user can see, search, change, pin, delete, export and import them.
//!
//! Example: a fact is wrong. The user presses the pencil, edits the fact in its row, and
//! saves it. The next run uses the new text. The table always shows the worker's facts, so a fact
//! that a run saves appears at once.

mod edit;
mod import_export;
mod learned;
mod list;
mod names;
mod row;
mod table;
mod undo;

use super::prelude::*;
use gloss::app::preferences::FieldName;
use gloss::memory::{Fact, Tier};
use gloss::tools::Group;
use names::tier_name;
use table::{ADD, HEADING, Table};

/// Builds the section *Memory*.
pub(super) fn memory() -> Tag {
    let table = Table::new(Page::from_context());
    let (facts, result) = (table.facts, table.feedback);
    let typed = create_signal(String::new());
    let any = create_selector(move || facts.with(|facts| !facts.is_empty()));
    let adding = table.adding();
    // Facts and a new row share one condition. Otherwise, saving the first fact would rebuild the
    // row that is being edited.
    let rows = create_selector(move || any.get() || adding.with(Option::is_some));
    let listed = table.clone();
    let shown = live(move || {
        if rows.get() {
            list::list(&listed, typed, adding)
        } else {
            nothing(msg("options_no_facts"), msg("options_no_facts_hint")).into()
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
    let result = create_signal(Feedback::None);
    let switch = setting(
        "remember",
        msg("options_remember"),
        msg("options_remember_means"),
        result,
        |set| !set.groups_off.contains(&Group::Memory),
        |on| Change::Group(Group::Memory, Switch::of(on)),
    );
    fragment((rows(switch).class("rows gap-3"), feedback_line(result)))
}

/// The search, the button that adds a fact, import and export.
fn bar(table: &Table, typed: Signal<String>, any: ReadSignal<bool>) -> Tag {
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
    tag("div.row.wrap", parts)
}

/// A note in place of an empty list.
fn nothing(none: String, hint: String) -> Tag {
    tag("div.note.gap-3", tag("p", (tag("b", none), " ", hint)))
}

/// Returns a text with the number of facts in each tier, the maximum, and how long facts last.
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
