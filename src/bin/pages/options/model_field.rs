//! The field for a model's name, and below it the names that the server listed.

use super::prelude::*;
use super::profile_form::{Aim, Form};
use gloss::app::preferences::FieldName;

/// Builds the field for the name of a model.
pub(super) fn model_field(form: &Form) -> Tag {
    let refused = refusal_at(form.test.feedback, FieldName::Model);
    let input = text_input("model", refused).bind(form.draft.model);
    let fetching = form.clone();
    let fetch = icon_button("", "again", msg("options_fetch"), move || {
        fetching.ask(Aim::List);
    });
    let below = (picks(form), refusal_line("model", refused));
    field(
        "model",
        msg("options_model"),
        tag("div.row", (input, fetch)),
        below,
    )
}

/// The listed names that contain the typed text. Once the user has chosen a name, all names are
/// listed.
fn picks(form: &Form) -> View {
    let (models, value, url) = (form.models, form.draft.model, form.draft.base_url);
    let fitting = create_selector(move || {
        let typed = value.with(|typed| typed.trim().to_lowercase());
        models.with(|models| {
            let chosen = models.iter().any(|name| name.to_lowercase() == typed);
            let fits = |name: &&String| chosen || name.to_lowercase().contains(&typed);
            models.iter().filter(fits).cloned().collect::<Vec<String>>()
        })
    });
    let any = create_selector(move || fitting.with(|fitting| !fitting.is_empty()));
    let picks = live_if(any, move || {
        let rows = keyed(
            move || fitting.get_clone(),
            String::clone,
            move |it| pick(it, value),
        );
        let list = tag("div.picks", rows)
            .role("listbox")
            .name(msg("options_fetched"));
        let list = list.attr("tabindex", "0");
        View::from(list.on("keydown", move |event| step(&event, fitting, value)))
    });
    let count = move || models.with(Vec::len);
    let found = live_text(move || match count() {
        0 => String::new(),
        count => {
            let count = counted(["options_models_one", "options_models_many"], count as u64);
            let host = url.with_untracked(|url| crate::browser::host_of(url));
            msg_with("options_fetched_from", &[&count, &host])
        }
    });
    let class = move || if count() > 0 { "meta num" } else { "sr" };
    fragment((picks, tag("p", found).class(class).id("model-d")))
}

fn pick(name: String, value: Signal<String>) -> Tag {
    let (own, chosen) = (name.clone(), name.clone());
    let is_chosen = move || bool_text(value.with(|value| *value == own));
    let pick = tag("span", name)
        .role("option")
        .attr("aria-selected", is_chosen);
    pick.press(move || value.set(chosen.clone()))
}

/// Chooses the previous or the next name when the user presses Up or Down.
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
