//! One of a few, each with its consequence in a line.

use super::page::Page;
use super::told::{Told, heading};
use crate::live::handler;
use crate::words::msg_of;
use gloss::app::options::Change;
use gloss::app::preferences::Preferences;
use sycamore::prelude::*;

/// A choice: its value, the keys of its name and of its consequence.
pub(crate) type Choice<T> = (T, &'static str, &'static str);

/// A group of radio buttons that applies at once.
pub(crate) fn choice<T: Copy + PartialEq + 'static, const N: usize>(
    id: &'static str,
    name: String,
    choices: [Choice<T>; N],
    of: fn(&Preferences) -> T,
    change: fn(T) -> Change,
) -> View {
    let page = Page::here();
    let set = page.preferences();
    let told = create_signal(Told::Nothing);
    let options: Vec<View> = choices
        .into_iter()
        .map(|(value, label, consequence)| {
            let page = page.clone();
            let is_set = move || set.with(|set| of(set) == value);
            let (label, consequence) = (msg_of(label), msg_of(consequence));
            view! {
                label(class="choice") {
                    input(
                        r#type="radio",
                        name=id,
                        prop:checked=is_set,
                        on:change=handler(move |_| page.change(change(value), told)),
                    )
                    span(class="opt") { (label) p { (consequence) } }
                }
            }
        })
        .collect();
    let heading = heading(id, name, told);
    view! {
        (heading)
        div(role="radiogroup", aria-labelledby=id) { (options) }
    }
}
