//! The controls of the options page: sections, switches, fields, selects and radio buttons.

use super::browser::picked_text;
use super::feedback::{Feedback, group_heading};
use super::page::Page;
use crate::browser::{html_element, is_checked, target, value};
use crate::prelude::*;
use gloss::app::options::Change;
use gloss::app::preferences::Preferences;
use std::rc::Rc;
use wasm_bindgen_futures::spawn_local;

/// A section with its heading.
pub(super) fn section(id: &'static str, title: String, body: impl IntoView) -> Tag {
    let heading = format!("{id}-h");
    let inside = (tag("h2", title).id(heading.clone()), body);
    tag("section.sect", inside)
        .id(id)
        .attr("aria-labelledby", heading)
}

/// A row with a switch, a label and an explanation.
pub(crate) fn switch_row(
    id: &str,
    label: String,
    about: impl IntoView,
    is_on: impl Fn() -> bool + 'static,
    turned: impl Fn(bool) + 'static,
) -> Tag {
    let switch = switch_input(id, is_on, turned);
    labelled_row(id, label, about, switch)
}

/// A switch without a row around it.
pub(crate) fn switch_input(
    id: &str,
    is_on: impl Fn() -> bool + 'static,
    turned: impl Fn(bool) + 'static,
) -> Tag {
    let switch = tag("input", ())
        .attr("type", "checkbox")
        .role("switch")
        .checked(is_on);
    let switch = switch
        .id(id.to_owned())
        .attr("aria-describedby", format!("{id}-d"));
    switch.on("change", move |event: web_sys::Event| {
        turned(is_checked(&event));
    })
}

/// A row with a label, an explanation and a control.
pub(crate) fn labelled_row(id: &str, label: String, about: impl IntoView, control: Tag) -> Tag {
    let label = tag("label", label).attr("for", id.to_owned());
    let about = tag("p", about).id(format!("{id}-d"));
    tag("li", (tag("div.grow", (label, about)), control))
}

/// A row with text, and its actions beside it.
pub(super) fn row(words: impl IntoView, actions: impl IntoView) -> Tag {
    tag("li", (tag("div.grow", words), tag("div.row", actions)))
}

/// A list of rows.
pub(super) fn rows(rows: impl IntoView) -> Tag {
    tag("ul.rows", rows)
}

/// A control with its label, and lines of text below it.
pub(super) fn field(
    id: impl Into<String>,
    label: String,
    control: impl IntoView,
    below: impl IntoView,
) -> Tag {
    let label = tag("label", label).attr("for", id.into());
    tag("div.field", (label, control, below))
}

/// Content in the column of the controls, without a label.
pub(super) fn unlabelled(inside: impl IntoView) -> Tag {
    tag("div.field", (tag("span.cap", ()), inside))
}

/// The explanation of a control, with the id that `aria-describedby` names.
pub(super) fn about(id: &str, words: impl IntoView) -> Tag {
    tag("p.meta", words).id(format!("{id}-d"))
}

/// A text field without a label. It is marked as invalid while its text is refused.
pub(super) fn text_input(id: &str, refused: ReadSignal<Option<String>>) -> Tag {
    let input = tag("input", ())
        .attr("autocomplete", "off")
        .attr("spellcheck", "false");
    let invalid = move || refused.with(Option::is_some).then_some("true");
    let described = format!("{id}-d {id}-wrong");
    input
        .id(id.to_owned())
        .attr("aria-invalid", invalid)
        .attr("aria-describedby", described)
}

/// A text field that is saved with *Save*: its label, input, explanation and error.
pub(super) fn text_field(
    id: &'static str,
    label: String,
    refused: ReadSignal<Option<String>>,
    about_it: View,
    control: impl FnOnce(Tag) -> Tag,
) -> Tag {
    let below = (about_it, refusal_line(id, refused));
    field(id, label, control(text_input(id, refused)), below)
}

/// The reason why a field was refused: a live region that takes no room while it is empty.
pub(super) fn refusal_line(id: &str, refused: ReadSignal<Option<String>>) -> Tag {
    let class = move || {
        if refused.with(Option::is_some) {
            "meta"
        } else {
            "sr"
        }
    };
    let line = tag("p", refusal(refused))
        .class(class)
        .id(format!("{id}-wrong"));
    line.role("status")
}

/// The reason why a field was refused, as one line.
pub(super) fn refusal(refused: ReadSignal<Option<String>>) -> View {
    live(move || refused.get_clone().map(error_text))
}

/// A select; `chosen` receives the option's value.
pub(super) fn select(options: impl IntoView, chosen: impl Fn(String) + 'static) -> Tag {
    let changed = move |event: web_sys::Event| chosen(value(&event));
    tag("select", options).on("change", changed)
}

pub(super) fn option(
    value: impl Into<String>,
    words: impl Into<String>,
    is_set: impl Fn() -> bool + 'static,
) -> Tag {
    let option = tag("option", words.into()).attr("value", value.into());
    option.prop("selected", move || is_set().into())
}

/// A select of values, each with its text in the page and its name; `chosen` receives the value.
pub(super) fn select_of<T: Copy + PartialEq + 'static>(
    all: impl IntoIterator<Item = (String, T, String)>,
    now: impl Fn() -> T + Clone + 'static,
    chosen: impl Fn(T) + 'static,
) -> Tag {
    let all: Vec<_> = all.into_iter().collect();
    let options = all.iter().map(|(text, it, name)| {
        let (it, now) = (*it, now.clone());
        option(text, name, move || now() == it)
    });
    select(options.collect::<Vec<_>>(), move |text| {
        if let Some((_, it, _)) = all.iter().find(|(known, ..)| *known == text) {
            chosen(*it);
        }
    })
}

/// The switch of a setting in its row; it applies at once.
pub(super) fn setting(
    id: &str,
    label: String,
    about: impl IntoView,
    feedback: Signal<Feedback>,
    is_on: impl Fn(&Preferences) -> bool + 'static,
    change: impl Fn(bool) -> Change + 'static,
) -> Tag {
    let page = Page::from_context();
    let set = page.preferences();
    let turned = move |on| page.change(change(on), feedback);
    switch_row(id, label, about, move || set.with(&is_on), turned)
}

/// Handles the keys of a row that is being edited. Enter in a field calls `save`, unless an input
/// method is composing; Escape calls `close`. On buttons and in selects, Enter keeps its default
/// action.
pub(super) fn edit_keys(row: Tag, save: impl Fn() + 'static, close: impl Fn() + 'static) -> Tag {
    row.on("keydown", move |event: web_sys::KeyboardEvent| {
        let in_field =
            !event.is_composing() && target(&event).is_some_and(|it| it.tag_name() == "INPUT");
        match event.key().as_str() {
            "Enter" if in_field => save(),
            "Escape" => close(),
            _ => return,
        }
        event.prevent_default();
    })
}

/// A group of radio buttons, each with its value and the message key of its name. The chosen option
/// applies at once.
pub(super) fn choice<T: Copy + PartialEq + 'static, const N: usize>(
    id: &'static str,
    name: String,
    choices: [(T, &'static str); N],
    of: fn(&Preferences) -> T,
    change: fn(T) -> Change,
) -> View {
    let page = Page::from_context();
    let set = page.preferences();
    let feedback = create_signal(Feedback::None);
    let options = choices.map(|(value, label)| {
        let page = page.clone();
        let is_set = move || set.with(|set| of(set) == value);
        let chosen = move || page.change(change(value), feedback);
        radio(id, label, || false, is_set, chosen)
    });
    let heading = group_heading(id, name, feedback);
    fragment((heading, radio_group(id, options)))
}

/// The radio buttons of a group, by the id of its heading.
pub(super) fn radio_group(heading: &'static str, options: impl IntoView) -> Tag {
    tag("div", options)
        .role("radiogroup")
        .attr("aria-labelledby", heading)
}

/// A radio button, with the message key of its name.
pub(super) fn radio(
    group: &'static str,
    label: &'static str,
    is_off: impl Fn() -> bool + 'static,
    is_set: impl Fn() -> bool + 'static,
    chosen: impl Fn() + 'static,
) -> Tag {
    let input = tag("input", ())
        .attr("type", "radio")
        .attr("name", group)
        .disabled(is_off);
    let input = input
        .checked(is_set)
        .on("change", move |_: web_sys::Event| chosen());
    let words = (msg_of(label), tag("p", means_of(label, &[])));
    tag("label.choice", (input, tag("span.opt", words)))
}

/// A button with which the user chooses a file, and the hidden file input that it clicks.
pub(super) fn file_button(words: String, name: String, read: impl Fn(String) + 'static) -> View {
    let node = create_node_ref();
    let read = Rc::new(read);
    let chosen = move |event: web_sys::Event| {
        let (read, text) = (read.clone(), picked_text(&event));
        spawn_local(async move {
            if let Some(text) = text.await {
                read(text);
            }
        });
    };
    let input = tag("input", ())
        .attr("type", "file")
        .attr("accept", ".json,application/json");
    let input = input
        .flag("hidden", true)
        .name(name)
        .node(node)
        .on("change", chosen);
    let open = move || {
        if let Some(input) = html_element(node) {
            input.click();
        }
    };
    fragment((input, button("", words, open)))
}
