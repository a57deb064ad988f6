//! The sections, the one in view marked.

use crate::icon::icon;
use crate::words::{msg, msg_of};
use sycamore::prelude::*;
use sycamore::web::{document, window};
use wasm_bindgen::prelude::*;

/// Each section's id and the key of its name.
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
/// A section is in view once its top is this near to the window's, in CSS pixels.
const NEAR_PX: i32 = 120;

/// The navigation.
pub(crate) fn nav() -> View {
    let current = create_signal("models");
    follow(current);
    let (name, brand) = (msg("options_sections"), msg("app_name"));
    let links: Vec<View> = SECTIONS
        .into_iter()
        .map(|(id, key)| {
            let href = format!("#{id}");
            let words = msg_of(key);
            let mark = move || (current.get() == id).then_some("true");
            view! { li { a(href=href, aria-current=mark) { (words) } } }
        })
        .collect();
    let sign = icon("gloss");
    view! {
        nav(class="side", aria-label=name) {
            p(class="brand") { (sign) b { (brand) } }
            ul { (links) }
        }
    }
}

/// Keeps the mark on the section that is being read.
fn follow(current: Signal<&'static str>) {
    let scrolled = Closure::<dyn Fn()>::new(move || {
        let now = in_view();
        if current.get_untracked() != now {
            current.set(now);
        }
    });
    // Fails only for an event name that is none.
    let _ =
        document().add_event_listener_with_callback("scroll", scrolled.as_ref().unchecked_ref());
    scrolled.forget();
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
