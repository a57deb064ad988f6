//! The limits of one run. Each has a number field, and applies when the user leaves the field.

use super::browser::{has_dropped_all, is_no_number};
use super::controls::field as labelled;
use super::prelude::*;
use crate::browser::value as value_of;
use gloss::app::preferences::{FieldName, Limit};

/// The text that is sent to the worker if the field contains something that is not a number.
const NO_NUMBER: &str = "?";

pub(crate) fn limits() -> View {
    // Limits for all runs together are in the usage section.
    let of_a_run = |limit: &Limit| !matches!(limit, Limit::Month | Limit::Warning);
    let fields: Vec<_> = Limit::ALL.into_iter().filter(of_a_run).map(field).collect();
    fragment((tag("h3", msg("options_limits")), fields))
}

/// The id of a limit's field, the message key of its label, and the step of the arrows.
fn field_keys(limit: Limit) -> [&'static str; 3] {
    match limit {
        Limit::Steps => ["steps", "means:options_steps", "1"],
        Limit::Tokens => ["tokens", "means:options_tokens", "1000"],
        Limit::Minutes => ["minutes", "means:options_minutes", "1"],
        Limit::ToolCalls => ["tool-calls", "means:options_tool_calls", "1"],
        Limit::Cents => ["cents", "means:options_cents", "1"],
        Limit::Month => ["month", "means:options_month", "1"],
        Limit::Warning => ["warning", "means:options_warning", "5"],
    }
}

/// The field of one limit; below it its explanation and the outcome of a change.
pub(super) fn field(limit: Limit) -> Tag {
    let [id, label, step] = field_keys(limit);
    let page = Page::from_context();
    let set = page.preferences();
    let result = create_signal(Feedback::None);
    let refused = refusal_at(result, FieldName::Limit(limit));
    let shown = stored_value(refused, result, move || {
        set.with(|set| limit.of(set).map(|it| it.to_string()).unwrap_or_default())
    });
    let ends = [limit.range().start(), limit.range().end()].map(|end| grouped(u64::from(*end)));
    let means = means_of(label, &ends.each_ref().map(String::as_str));
    let beneath = live(move || match result.get_clone() {
        Feedback::None => means.clone().into(),
        Feedback::Refused(_) => error_text(refused.get_clone().unwrap_or_default()),
        other => other.into_feedback(),
    });
    // An empty field means that there is no limit, but only if the user emptied it.
    let dropped = create_signal(false);
    let placeholder = (limit == Limit::Steps).then(|| msg("options_automatic"));
    let input = tag("input", ())
        .id(id)
        .attr("type", "number")
        .attr("min", limit.range().start().to_string())
        .attr("max", limit.range().end().to_string())
        .attr("step", step)
        .attr("placeholder", placeholder)
        .attr("aria-describedby", format!("{id}-d"))
        .attr("aria-invalid", move || {
            refused.with(Option::is_some).then_some("true")
        })
        .value(move || shown.get_clone())
        .on("input", move |event: web_sys::Event| {
            dropped.set(has_dropped_all(&event));
        })
        .on("change", move |event: web_sys::Event| {
            let is_bad = is_no_number(&event) || dropped.replace(false);
            let typed = if is_bad {
                NO_NUMBER.to_owned()
            } else {
                value_of(&event)
            };
            page.change(Change::Limit(limit, typed), result);
        });
    labelled(id, msg_of(label), input, about(id, beneath).role("status"))
}

/// Returns the text of a field. It is the stored value, or a refused text that the user can
/// correct. The stored value is set again after each answer, so that "007" becomes "7".
pub(super) fn stored_value(
    refused: ReadSignal<Option<String>>,
    result: Signal<Feedback>,
    stored: impl Fn() -> String + 'static,
) -> Signal<String> {
    let shown = create_signal(untrack(&stored));
    create_effect(move || {
        result.track();
        let stored = stored();
        if refused.with(Option::is_none) {
            shown.set(stored);
        }
    });
    shown
}
