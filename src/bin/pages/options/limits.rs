//! What one run may spend: a number field each, applied when it is left.

use super::browser::{has_dropped_all, is_no_number, value as value_of};
use super::page::Page;
use super::told::{Told, done};
use crate::icon::icon;
use crate::live::{handler, live};
use crate::words::{grouped, msg, msg_of, msg_with};
use gloss::app::options::Change;
use gloss::app::preferences::{FieldName, Limit};
use sycamore::prelude::*;

/// What is said of a text that is no number.
const NO_NUMBER: &str = "?";

/// The fields.
pub(crate) fn limits() -> View {
    // What holds for all runs together stands with what they used.
    let of_a_run = |limit: &Limit| !matches!(limit, Limit::Month | Limit::Warning);
    let of_a_run = Limit::ALL.into_iter().filter(of_a_run);
    let fields: Vec<View> = of_a_run.map(field).collect();
    let name = msg("options_limits");
    view! {
        h3 { (name) }
        (fields)
    }
}

/// One of them.
pub(super) fn field(limit: Limit) -> View {
    let (id, label, step) = match limit {
        Limit::Steps => ("steps", "msg:options_steps", "1"),
        Limit::Tokens => ("tokens", "msg:options_tokens", "1000"),
        Limit::Minutes => ("minutes", "msg:options_minutes", "1"),
        Limit::ToolCalls => ("tool-calls", "msg:options_tool_calls", "1"),
        Limit::Cents => ("cents", "msg:options_cents", "1"),
        Limit::Month => ("month", "msg:options_month", "1"),
        Limit::Warning => ("warning", "msg:options_warning", "5"),
    };
    let page = Page::here();
    let set = page.preferences();
    let told = create_signal(Told::Nothing);
    let is_wrong =
        create_selector(move || told.with(|told| told.at(FieldName::Limit(limit)).is_some()));
    let value = move || {
        // Said again after each answer, so that a value typed otherwise ("007") is put right.
        told.track();
        set.with(|set| limit.of(set).map(|it| it.to_string()).unwrap_or_default())
    };
    let shown = create_signal(untrack(value));
    create_effect(move || {
        let value = value();
        // What was refused stays, to be mended.
        if !is_wrong.get() {
            shown.set(value);
        }
    });
    let (low, high) = (
        limit.range().start().to_string(),
        limit.range().end().to_string(),
    );
    // Only a field that was emptied by hand means that nothing is set.
    let dropped = create_signal(false);
    let described = format!("{id}-d");
    let describes = described.clone();
    let placeholder = if limit == Limit::Steps {
        msg("options_automatic")
    } else {
        String::new()
    };
    let label = msg_of(label);
    let beneath = beneath(limit, told);
    view! {
        div(class="field") {
            label(r#for=id) { (label) }
            input(
                id=id,
                r#type="number",
                min=low,
                max=high,
                step=step,
                placeholder=placeholder,
                aria-describedby=described,
                aria-invalid=move || is_wrong.get().then_some("true"),
                prop:value=move || shown.get_clone(),
                on:input=handler(move |event: web_sys::Event| dropped.set(has_dropped_all(&event))),
                on:change=handler(move |event: web_sys::Event| {
                    let typed = if is_no_number(&event) || dropped.replace(false) { NO_NUMBER.to_owned() } else { value_of(&event) };
                    page.change(Change::Limit(limit, typed), told);
                }),
            )
            p(class="meta", id=describes, role="status") { (beneath) }
        }
    }
}

/// What the limit means; once it was changed, what became of that.
fn beneath(limit: Limit, told: Signal<Told>) -> View {
    let range = limit.range();
    let range = [range.start(), range.end()].map(|end| grouped(u64::from(*end)));
    let range = [range[0].as_str(), range[1].as_str()];
    let means = match limit {
        Limit::Steps => msg_with("options_steps_means", &range),
        Limit::Tokens => msg_with("options_tokens_means", &range),
        Limit::Minutes => msg_with("options_minutes_means", &range),
        Limit::ToolCalls => msg_with("options_tool_calls_means", &range),
        Limit::Cents => msg_with("options_cents_means", &range),
        Limit::Month => msg_with("options_month_means", &range),
        Limit::Warning => msg_with("options_warning_means", &range),
    };
    live(move || match told.get_clone() {
        Told::Nothing => {
            let means = means.clone();
            view! { (means) }
        }
        Told::Saved => done(msg("options_saved")),
        Told::Done(words) => done(words),
        Told::Failed(title, remedy) => {
            let words = format!(
                "{}. {}",
                crate::words::said(&title),
                crate::words::said(&remedy)
            );
            let sign = icon("alert");
            view! { span(class="danger-text") { (sign) (words) } }
        }
        refused @ Told::Refused(_) => {
            let words = refused.at(FieldName::Limit(limit)).unwrap_or_default();
            let sign = icon("alert");
            view! { span(class="danger-text") { (sign) (words) } }
        }
    })
}
