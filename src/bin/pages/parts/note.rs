//! Boxes for notes and failures, and lines of text about an outcome.

use super::element::{IntoView, Tag, fragment, tag};
use crate::icon::icon;
use crate::words::phrase_text;
use gloss::agent::Failure;
use gloss::ui::figures::days_in;
use sycamore::prelude::*;

/// A box with an icon and a heading. `class` sets its style.
pub(crate) fn note(class: &'static str, sign: &'static str, title: String, body: View) -> Tag {
    let heading = tag("h2", (icon(sign), title));
    tag("div", (heading, body)).class(format!("note {class}"))
}

/// A failure with its remedy and `more`; a screen reader announces it at once.
pub(crate) fn alert(class: &'static str, failure: &Failure, more: impl IntoView) -> View {
    let remedy = tag("p", phrase_text(&failure.remedy));
    let body = fragment((remedy, more));
    note(class, "alert", phrase_text(&failure.title), body)
        .role("alert")
        .into()
}

/// A line of small text.
pub(crate) fn meta(words: impl IntoView) -> View {
    tag("p.meta", words).into()
}

/// A line of small text that a screen reader announces when it changes.
pub(crate) fn status_meta(words: impl IntoView) -> Tag {
    tag("p.meta", words).role("status")
}

/// A small label in a box, such as "main".
pub(crate) fn tag_label(class: &'static str, words: String) -> View {
    tag("span", words)
        .class(format!("tag {class}").trim().to_owned())
        .into()
}

/// A text with a tick, for a success.
pub(crate) fn done_text(words: String) -> View {
    tag("span.ok-text", (icon("check"), words)).into()
}

/// A text with a warning icon, for a failure or a refusal.
pub(crate) fn error_text(words: String) -> View {
    tag("span.danger-text", (icon("alert"), words)).into()
}

/// A text in which dates, as in 2026-11-21, don't break at a hyphen.
pub(crate) fn days_whole(words: &str) -> View {
    let mut views: Vec<_> = Vec::new();
    let mut from = 0;
    for day in days_in(words) {
        let before = words.get(from..day.start).unwrap_or_default();
        let text = words.get(day.clone()).unwrap_or_default();
        views.push((before.to_owned(), tag("span.day", text.to_owned())).into());
        from = day.end;
    }
    views.push(words.get(from..).unwrap_or_default().to_owned().into());
    views.into()
}
