//! Boxes for notes and failures, and lines of text about an outcome.

use super::element::{Tag, tag};
use crate::icon::icon;
use crate::words::phrase_text;
use gloss::agent::Failure;
use sycamore::prelude::*;

/// A box with an icon and a heading. `class` sets its style.
pub(crate) fn note(class: &'static str, sign: &'static str, title: String, body: View) -> Tag {
    let heading = tag("h2", (icon(sign), title));
    tag("div", (heading, body)).class(format!("note {class}"))
}

/// A box for a failure, with its remedy and `more`. A screen reader announces the box at once.
pub(crate) fn alert(class: &'static str, failure: &Failure, more: impl Into<View>) -> View {
    let remedy = tag("p", phrase_text(&failure.remedy));
    let body = (remedy, more).into();
    note(class, "alert", phrase_text(&failure.title), body)
        .role("alert")
        .into()
}

pub(crate) fn meta(words: impl Into<View>) -> View {
    tag("p.meta", words).into()
}

/// A line of small text. A screen reader announces it when it changes.
pub(crate) fn status_meta(words: impl Into<View>) -> Tag {
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
