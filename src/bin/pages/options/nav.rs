//! Links to the sections. The link to the section in view is marked.

use crate::browser::on_document;
use crate::prelude::*;
use sycamore::web::{document, window};
use wasm_bindgen::JsCast;

/// The id of each section, and the message key of its name.
const SECTIONS: [(&str, &str); 11] = [
    ("models", "msg:options_models"),
    ("search", "msg:options_search"),
    ("agent", "msg:options_agent"),
    ("tools", "msg:options_tools"),
    ("prompts", "msg:options_prompts"),
    ("memory", "msg:options_memory"),
    ("usage", "msg:options_usage"),
    ("privacy", "msg:options_privacy"),
    ("data", "msg:options_data"),
    ("shortcuts", "msg:options_shortcuts"),
    ("about", "msg:options_about"),
];
/// A section is in view if its top is at most this far below the top of the window, in CSS pixels.
const NEAR_PX: i32 = 120;

/// Builds the links to the sections.
pub(crate) fn nav() -> Tag {
    let current = create_signal("models");
    // The marked link changes while the user scrolls.
    on_document("scroll", move |_: web_sys::Event| {
        let now = in_view();
        if current.get_untracked() != now {
            current.set(now);
        }
    });
    let links = SECTIONS.map(|(id, key)| {
        let mark = move || (current.get() == id).then_some("true");
        let link = tag("a", msg_of(key)).attr("href", format!("#{id}"));
        View::from(tag("li", link.attr("aria-current", mark)))
    });
    let brand = tag("p.brand", (icon("gloss"), tag("b", msg("app_name"))));
    tag("nav.side", (brand, tag("ul", Vec::from(links)))).name(msg("options_sections"))
}

fn in_view() -> &'static str {
    let top = window().scroll_y().unwrap_or_default() as i32;
    let height = window().inner_height().ok().and_then(|it| it.as_f64());
    let whole = document()
        .document_element()
        .map_or(0, |root| root.scroll_height());
    let [(first, _), .., (last, _)] = SECTIONS;
    if top > 0 && top + height.unwrap_or_default() as i32 >= whole - 2 {
        return last;
    }
    let passed = SECTIONS.iter().rev().find(|(id, _)| {
        let section = document().get_element_by_id(id);
        let section = section.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
        section.is_some_and(|section| section.offset_top() <= top + NEAR_PX)
    });
    passed.map_or(first, |(id, _)| id)
}
