//! Buttons: with text, with an icon, and for forms.

use super::element::{IntoView, Tag, tag};
use crate::icon::icon;
use sycamore::prelude::*;

/// A button with text. `class` is added to the class `btn`.
pub(crate) fn button(
    class: &'static str,
    words: impl IntoView,
    pressed: impl FnMut() + 'static,
) -> Tag {
    plain("btn", class, words.into_view()).press(pressed)
}

/// A button with an icon only. Its accessible name is also its tooltip.
pub(crate) fn icon_button(
    class: &'static str,
    sign: &'static str,
    name: String,
    pressed: impl FnMut() + 'static,
) -> Tag {
    let button = plain("icon-btn", class, icon(sign)).name(name.clone());
    button.tip(name).press(pressed)
}

/// The button that submits the form around it.
pub(crate) fn submit(class: &'static str, words: impl IntoView) -> Tag {
    plain("btn", class, words.into_view()).attr("type", "submit")
}

/// The *Continue* button.
pub(crate) fn go_on_button(pressed: impl FnMut() + 'static) -> Tag {
    button("", (icon("play"), crate::words::msg("continue")), pressed)
}

fn plain(kind: &str, class: &str, inside: View) -> Tag {
    let class = format!("{kind} {class}");
    tag("button", inside)
        .attr("type", "button")
        .class(class.trim().to_owned())
}

/// A link that opens in a new tab.
pub(crate) fn link(name: &'static str, url: String, words: impl IntoView) -> Tag {
    tag(name, words)
        .attr("href", url)
        .attr("target", "_blank")
        .attr("rel", "noopener")
}
