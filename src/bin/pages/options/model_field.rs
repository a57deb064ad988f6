//! The model's name: a text field, and below it the names that the server gave.

use super::profile_form::{Aim, Form, beneath, refusal};
use crate::icon::icon;
use crate::keyed::keyed;
use crate::live::{handler, live, live_text};
use crate::words::{counted, msg, msg_with};
use gloss::app::preferences::FieldName;
use sycamore::prelude::*;

/// The field.
pub(super) fn model_field(form: &Form) -> View {
    let (told, value) = (form.told, form.draft.model);
    let wrong = create_selector(move || told.with(|told| told.at(FieldName::Model)));
    let invalid = move || wrong.with(Option::is_some).then_some("true");
    let (label, fetch, fetch_tip) = (
        msg("options_model"),
        msg("options_fetch"),
        msg("options_fetch"),
    );
    let picks = picks(form);
    let fetching = form.clone();
    let sign = icon("again");
    let refusal = refusal(wrong);
    view! {
        div(class="field") {
            label(r#for="model") { (label) }
            div(class="row") {
                input(
                    id="model",
                    autocomplete="off",
                    "spellcheck"="false",
                    aria-invalid=invalid,
                    aria-describedby="model-d model-wrong",
                    bind:value=value,
                )
                button(
                    r#type="button",
                    class="icon-btn",
                    aria-label=fetch,
                    title=fetch_tip,
                    on:click=handler(move |_| fetching.test(Aim::List)),
                ) { (sign) }
            }
            (picks)
            p(class=beneath(wrong), id="model-wrong", role="status") { (refusal) }
        }
    }
}

/// The names, those that go on as what is typed; all of them once one is chosen.
fn picks(form: &Form) -> View {
    let (models, value) = (form.models, form.draft.model);
    let fitting = create_selector(move || {
        let typed = value.with(|typed| typed.trim().to_lowercase());
        models.with(|models| {
            let chosen = models.iter().any(|name| name.to_lowercase() == typed);
            let fits = |name: &&String| chosen || name.to_lowercase().contains(&typed);
            models.iter().filter(fits).cloned().collect::<Vec<String>>()
        })
    });
    let any = create_selector(move || fitting.with(|fitting| !fitting.is_empty()));
    let count = move || models.with(Vec::len);
    let name = msg("options_fetched");
    let url = form.draft.base_url;
    let picks = live(move || {
        if any.get() {
            let name = name.clone();
            let rows = keyed(
                move || fitting.get_clone(),
                String::clone,
                move |name| pick(name, value),
            );
            view! {
                div(
                    class="picks",
                    role="listbox",
                    aria-label=name,
                    tabindex="0",
                    on:keydown=handler(move |event: web_sys::KeyboardEvent| step(&event, fitting, value)),
                ) {
                    (rows)
                }
            }
        } else {
            View::new()
        }
    });
    let found = live_text(move || {
        if count() > 0 {
            let count = counted(
                ["options_models_one", "options_models_many"],
                count() as u64,
            );
            let host = url.with_untracked(|url| crate::browser::host_of(url));
            msg_with("options_fetched_from", &[&count, &host])
        } else {
            String::new()
        }
    });
    view! {
        (picks)
        p(class=move || if count() > 0 { "meta num" } else { "sr" }, id="model-d") {
            (found)
        }
    }
}

fn pick(name: String, value: Signal<String>) -> View {
    let (own, chosen) = (name.clone(), name.clone());
    let is_chosen = move || {
        let is = value.with(|value| *value == own);
        if is { "true" } else { "false" }
    };
    view! {
        span(
            role="option",
            aria-selected=is_chosen,
            on:click=handler(move |_| value.set(chosen.clone())),
        ) { (name) }
    }
}

/// Up and Down choose the name before and after the chosen one.
fn step(event: &web_sys::KeyboardEvent, fitting: ReadSignal<Vec<String>>, value: Signal<String>) {
    let names = fitting.get_clone_untracked();
    let at = value.with_untracked(|value| names.iter().position(|name| name == value));
    let next = match (event.key().as_str(), at) {
        ("ArrowDown", Some(at)) => at + 1,
        ("ArrowDown" | "ArrowUp", None) => 0,
        ("ArrowUp", Some(at)) => at.saturating_sub(1),
        _ => return,
    };
    event.prevent_default();
    if let Some(name) = names.get(next) {
        value.set(name.clone());
    }
}
