//! A fact that is being written, in its row.

use super::super::browser::value;
use super::table::Table;
use super::{kind_of, name_of};
use crate::icon::icon;
use crate::live::handler;
use crate::words::msg;
use gloss::app::options::TypedFact;
use gloss::memory::{Category, FactId, Tier};
use sycamore::prelude::*;

/// The field of the words, of which there is one at a time.
pub(super) const CONTENT: &str = "fact-content";

/// The row of the fact that is being written, with fields that say what is typed so far.
pub(super) fn edit(table: &Table, id: &FactId) -> View {
    let Some(first) = table.typed().filter(|typed| typed.id == *id) else {
        return View::new();
    };
    let (tier, category) = (tiers(&first, table), categories(&first, table));
    let [content_name, save, save_tip, cancel, cancel_tip] = [
        msg("options_fact"),
        msg("options_fact_save"),
        msg("options_save"),
        msg("cancel"),
        msg("cancel"),
    ];
    let [typing, keys, saving, closing] = [(); 4].map(|()| table.clone());
    let (check, close) = (icon("check"), icon("close"));
    view! {
        tr(role="row", class="edit", on:keydown=handler(move |event: web_sys::KeyboardEvent| {
            match event.key().as_str() {
                "Enter" if in_field(&event) => {
                    event.prevent_default();
                    keys.save();
                }
                "Escape" => {
                    event.prevent_default();
                    keys.shut();
                }
                _ => {}
            }
        })) {
            td(role="cell") {
                input(
                    id=CONTENT,
                    aria-label=content_name,
                    aria-describedby="facts-d",
                    autocomplete="off",
                    maxlength="300",
                    prop:value=first.content,
                    on:input=handler(move |event: web_sys::Event| {
                        typing.retype(|typed| typed.content = value(&event));
                    }),
                )
            }
            td(role="cell") { (tier) }
            td(role="cell") { (category) }
            td(role="cell") { }
            td(role="cell") { }
            td(role="cell", class="n") {
                button(
                    r#type="button",
                    class="icon-btn tiny",
                    aria-label=save,
                    title=save_tip,
                    on:click=handler(move |_| saving.save()),
                ) { (check) }
                button(
                    r#type="button",
                    class="icon-btn tiny",
                    aria-label=cancel,
                    title=cancel_tip,
                    on:click=handler(move |_| closing.shut()),
                ) { (close) }
            }
        }
    }
}

fn tiers(first: &TypedFact, table: &Table) -> View {
    let table = table.clone();
    let name = msg("options_tier");
    let options: Vec<View> = Tier::ALL
        .into_iter()
        .map(|tier| option(tier.name(), name_of(tier), tier == first.tier))
        .collect();
    let chosen = move |event: web_sys::Event| {
        let chosen = value(&event);
        let tier = Tier::ALL.into_iter().find(|it| it.name() == chosen);
        table.retype(|typed| typed.tier = tier.unwrap_or_default());
    };
    view! { select(aria-label=name, on:change=handler(chosen)) { (options) } }
}

fn categories(first: &TypedFact, table: &Table) -> View {
    let table = table.clone();
    let name = msg("options_category");
    let options: Vec<View> = Category::ALL
        .into_iter()
        .map(|it| option(it.name(), kind_of(it), it == first.category))
        .collect();
    let chosen = move |event: web_sys::Event| {
        let chosen = value(&event);
        let category = Category::ALL.into_iter().find(|it| it.name() == chosen);
        table.retype(|typed| typed.category = category.unwrap_or_default());
    };
    view! { select(aria-label=name, on:change=handler(chosen)) { (options) } }
}

fn option(value: &'static str, words: String, selected: bool) -> View {
    view! { option(value=value, selected=selected) { (words) } }
}

/// Enter on a button presses it, and in a list chooses; composing, it is the input method's.
fn in_field(event: &web_sys::KeyboardEvent) -> bool {
    use wasm_bindgen::JsCast;
    let target = event
        .target()
        .and_then(|it| it.dyn_into::<web_sys::Element>().ok());
    !event.is_composing() && target.is_some_and(|it| it.tag_name() == "INPUT")
}
