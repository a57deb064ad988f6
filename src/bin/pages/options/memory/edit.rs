//! The row of a fact that the user is editing.

use super::super::prelude::*;
use super::names::{category_name, tier_name};
use super::table::{CONTENT, Table};
use crate::browser::value;
use gloss::memory::{Category, FactId, Tier};

/// The row of the fact that is being edited, with what is typed so far.
pub(super) fn edit(table: &Table, id: &FactId) -> Option<Tag> {
    let first = table.typed().filter(|typed| typed.id == *id)?;
    let [typing, tiering, sorting, keys, leaving, saving, closing] =
        [(); 7].map(|()| table.clone());
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
    let (tier, category) = (first.tier, first.category);
    let tiers = Tier::ALL.map(|it| (it.name().to_owned(), it, tier_name(it)));
    let tiers = select_of(
        tiers,
        move || tier,
        move |tier| {
            tiering.update_typed(|typed| typed.tier = tier);
        },
    );
    let categories = Category::ALL.map(|it| (it.name().to_owned(), it, category_name(it)));
    let categories = select_of(
        categories,
        move || category,
        move |category| {
            sorting.update_typed(|typed| typed.category = category);
        },
    );
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
    Some(edit_keys(row, move || keys.save(), move || leaving.close()))
}
