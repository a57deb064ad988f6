//! A fact that is being written, in its row.

use super::super::browser::value;
use super::super::told::Told;
use super::{Table, kind_of, name_of};
use crate::icon::icon;
use crate::live::handler;
use crate::words::msg;
use gloss::app::options::{Ask, TypedFact};
use gloss::memory::{Category, Fact, FactId, Tier};
use sycamore::prelude::*;

/// The field of the words, of which there is one at a time.
const CONTENT: &str = "fact-content";

/// The row of a fact, new or known, with fields.
pub(super) fn edit(table: &Table, id: FactId, fact: Option<&Fact>) -> View {
    let typed = create_signal(TypedFact {
        id,
        content: fact.map(|fact| fact.content.clone()).unwrap_or_default(),
        category: fact.map(|fact| fact.category).unwrap_or_default(),
        tier: fact.map(|fact| fact.tier).unwrap_or_default(),
    });
    let first = typed.get_clone_untracked();
    let (tier, category) = (tiers(&first, typed), categories(&first, typed));
    let [content_name, save, save_tip, cancel, cancel_tip] = [
        msg("options_fact"),
        msg("options_fact_save"),
        msg("options_save"),
        msg("cancel"),
        msg("cancel"),
    ];
    let (keys, saving, closing) = (table.clone(), table.clone(), table.clone());
    let (check, close) = (icon("check"), icon("close"));
    view! {
        tr(role="row", class="edit", on:keydown=handler(move |event: web_sys::KeyboardEvent| {
            match event.key().as_str() {
                "Enter" if in_field(&event) => {
                    event.prevent_default();
                    put(&keys, typed);
                }
                "Escape" => {
                    event.prevent_default();
                    shut(&keys);
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
                        typed.update(|typed| typed.content = value(&event));
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
                    on:click=handler(move |_| put(&saving, typed)),
                ) { (check) }
                button(
                    r#type="button",
                    class="icon-btn tiny",
                    aria-label=cancel,
                    title=cancel_tip,
                    on:click=handler(move |_| shut(&closing)),
                ) { (close) }
            }
        }
    }
}

fn tiers(first: &TypedFact, typed: Signal<TypedFact>) -> View {
    let name = msg("options_tier");
    let options: Vec<View> = Tier::ALL
        .into_iter()
        .map(|tier| option(tier.name(), name_of(tier), tier == first.tier))
        .collect();
    let chosen = move |event: web_sys::Event| {
        let chosen = value(&event);
        let tier = Tier::ALL.into_iter().find(|it| it.name() == chosen);
        typed.update(|typed| typed.tier = tier.unwrap_or_default());
    };
    view! { select(aria-label=name, on:change=handler(chosen)) { (options) } }
}

fn categories(first: &TypedFact, typed: Signal<TypedFact>) -> View {
    let name = msg("options_category");
    let options: Vec<View> = Category::ALL
        .into_iter()
        .map(|it| option(it.name(), kind_of(it), it == first.category))
        .collect();
    let chosen = move |event: web_sys::Event| {
        let chosen = value(&event);
        let category = Category::ALL.into_iter().find(|it| it.name() == chosen);
        typed.update(|typed| typed.category = category.unwrap_or_default());
    };
    view! { select(aria-label=name, on:change=handler(chosen)) { (options) } }
}

fn option(value: &'static str, words: String, selected: bool) -> View {
    view! { option(value=value, selected=selected) { (words) } }
}

fn put(table: &Table, typed: Signal<TypedFact>) {
    let changed = table.changed;
    let fact = typed.get_clone_untracked();
    table.ask(Ask::WriteFact { fact }, move || changed.set(None));
}

fn shut(table: &Table) {
    table.told.set(Told::Nothing);
    table.changed.set(None);
}

/// Enter on a button presses it, and in a list chooses; composing, it is the input method's.
fn in_field(event: &web_sys::KeyboardEvent) -> bool {
    use wasm_bindgen::JsCast;
    let target = event
        .target()
        .and_then(|it| it.dyn_into::<web_sys::Element>().ok());
    !event.is_composing() && target.is_some_and(|it| it.tag_name() == "INPUT")
}

/// The field takes the focus, once it is there.
pub(super) fn focus_on_content() {
    focus_later(CONTENT.to_owned());
}

/// What has this id takes the focus, once it is there.
pub(super) fn focus_later(id: String) {
    crate::browser::next_frame(move || {
        use wasm_bindgen::JsCast;
        let element = sycamore::web::document().get_element_by_id(&id);
        if let Some(field) = element.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok()) {
            // Fails for no element that is there.
            let _ = field.focus();
        }
    });
}
