//! The row of a fact that the user is editing.

use super::super::controls::{option, select};
use super::table::Table;
use super::{category_name, tier_name};
use crate::browser::{target, value};
use crate::parts::{icon_button, tag};
use crate::words::msg;
use gloss::memory::{Category, FactId, Tier};
use sycamore::prelude::*;

/// The id of the content field. Only one fact can be edited at a time.
pub(super) const CONTENT: &str = "fact-content";

/// The row, with the text that the user has typed so far.
pub(super) fn edit(table: &Table, id: &FactId) -> View {
    let Some(first) = table.typed().filter(|typed| typed.id == *id) else {
        return View::new();
    };
    let [typing, tiering, sorting, keys, saving, closing] = [(); 6].map(|()| table.clone());
    let content = tag("input", ())
        .id(CONTENT)
        .name(msg("options_fact"))
        .attr("aria-describedby", "facts-d")
        .attr("autocomplete", "off")
        .attr("maxlength", "300")
        .value(move || first.content.clone())
        .on("input", move |event: web_sys::Event| {
            typing.update_typed(|typed| typed.content = value(&event));
        });
    let tiers =
        Tier::ALL.map(|it| View::from(option(it.name(), tier_name(it), move || it == first.tier)));
    let tiers = select(Vec::from(tiers), move |chosen| {
        let tier = Tier::ALL.into_iter().find(|it| it.name() == chosen);
        tiering.update_typed(|typed| typed.tier = tier.unwrap_or_default());
    });
    let categories = Category::ALL.map(|it| {
        View::from(option(it.name(), category_name(it), move || {
            it == first.category
        }))
    });
    let categories = select(Vec::from(categories), move |chosen| {
        let category = Category::ALL.into_iter().find(|it| it.name() == chosen);
        sorting.update_typed(|typed| typed.category = category.unwrap_or_default());
    });
    let save = icon_button("tiny", "check", msg("options_fact_save"), move || {
        saving.save();
    });
    let cancel = icon_button("tiny", "close", msg("cancel"), move || closing.close());
    let cell = |inside: View| tag("td", inside).role("cell");
    let cells = (
        cell(content.into()),
        cell(tiers.name(msg("options_tier")).into()),
        cell(categories.name(msg("options_category")).into()),
        cell(View::new()),
        cell(View::new()),
        cell((save.tip(msg("options_save")), cancel).into()).class("n"),
    );
    let row = tag("tr.edit", cells).role("row");
    row.on(
        "keydown",
        move |event: web_sys::KeyboardEvent| match event.key().as_str() {
            "Enter" if in_field(&event) => {
                event.prevent_default();
                keys.save();
            }
            "Escape" => {
                event.prevent_default();
                keys.close();
            }
            _ => {}
        },
    )
    .into()
}

/// Returns true if a key was pressed in a text field, outside an input method. On a button, Enter
/// presses the button; in a select, it chooses an option.
fn in_field(event: &web_sys::KeyboardEvent) -> bool {
    !event.is_composing() && target(event).is_some_and(|it| it.tag_name() == "INPUT")
}
