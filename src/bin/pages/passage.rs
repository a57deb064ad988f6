//! A press on a link to a passage: where its page is open in a tab, that tab comes to the front
//! and shows the passage (DETAILS §6), and no second one is opened.
//!
//! Chrome scrolls to a text fragment that a page's own script goes to, and highlights it, while a
//! press of the person's counts for that script: for one that is injected within a click it does.
//! `tabs.update` was measured and does not scroll. Where Gloss may not look into tabs, or none
//! shows the page, the link opens in a tab of its own, as every link does.

use crate::chrome;
use crate::tabs::{number, object};
use gloss::page::without_place;
use js_sys::{Array, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// What begins a directive in an address.
const DIRECTIVE: &str = ":~:";

/// Listens to presses on links, wherever they stand.
pub(crate) fn listen() {
    let pressed = Closure::<dyn Fn(web_sys::MouseEvent)>::new(|event: web_sys::MouseEvent| {
        let asks_for_more =
            event.ctrl_key() || event.meta_key() || event.shift_key() || event.alt_key();
        if event.default_prevented() || event.button() != 0 || asks_for_more {
            return;
        }
        let target = event.target();
        let target = target.and_then(|it| it.dyn_into::<web_sys::Element>().ok());
        let link = target.and_then(|it| it.closest("a[target=_blank]").ok().flatten());
        let Some(url) = link.and_then(|link| link.get_attribute("href")) else {
            return;
        };
        if url.contains(DIRECTIVE) {
            event.prevent_default();
            spawn_local(async move {
                if show(&url).await.is_none() {
                    open(&url);
                }
            });
        }
    });
    // Fails only for an event name that is none.
    let _ = sycamore::web::document()
        .add_event_listener_with_callback("click", pressed.as_ref().unchecked_ref());
    pressed.forget();
}

/// Shows the passage in the tab that shows its page; `None` if there is none, or none that
/// Gloss may look into.
async fn show(url: &str) -> Option<()> {
    let (page, directive) = url.split_once(DIRECTIVE)?;
    let tab = showing(page).await?;
    let target = object(&[("tabId", tab.id.into())]);
    let injection = object(&[
        ("target", target),
        ("func", chrome::SHOW_PASSAGE.with(Clone::clone)),
        ("args", Array::of1(&directive.into()).into()),
        // A page that never ends loading is shown, too.
        ("injectImmediately", JsValue::TRUE),
    ]);
    let went = chrome::inject(&injection).ok()?;
    JsFuture::from(went).await.ok()?;
    // Both at once: a popup closes with the first. A tab that is gone by now needs neither.
    let _ = chrome::change_tab(tab.id, &object(&[("active", JsValue::TRUE)]));
    let _ = chrome::change_window(tab.window, &object(&[("focused", JsValue::TRUE)]));
    Some(())
}

struct Open {
    id: i32,
    window: i32,
}

/// The tab that shows a page: of several the one that was in front last. One that sleeps
/// answers nobody.
async fn showing(page: &str) -> Option<Open> {
    let tabs = JsFuture::from(chrome::query_tabs(&object(&[])))
        .await
        .ok()?;
    let field = |tab: &JsValue, name: &str| Reflect::get(tab, &name.into()).ok();
    let mut found: Option<(f64, Open)> = None;
    for tab in Array::from(&tabs).iter() {
        let url = field(&tab, "url").and_then(|url| url.as_string());
        let sleeps = ["discarded", "frozen"].iter().any(|state| {
            let state = field(&tab, state);
            state.is_some_and(|state| state.is_truthy())
        });
        if sleeps || url.is_none_or(|url| routed(&url) != routed(page)) {
            continue;
        }
        let seen = field(&tab, "lastAccessed").and_then(|at| at.as_f64());
        let seen = seen.unwrap_or_default();
        if let (Some(id), Some(window)) = (number(&tab, "id"), number(&tab, "windowId"))
            && found.as_ref().is_none_or(|(before, _)| seen > *before)
        {
            found = Some((seen, Open { id, window }));
        }
    }
    found.map(|(_, tab)| tab)
}

/// The address of a page: without its place, unless that is a route of the site's own.
fn routed(url: &str) -> &str {
    let place = url.split_once('#').map(|(_, place)| place);
    if place.is_some_and(|place| place.starts_with(['/', '!'])) {
        url
    } else {
        without_place(url)
    }
}

/// Opens it as the link would have: the press still counts.
fn open(url: &str) {
    let link = sycamore::web::document().create_element("a").ok();
    let link = link.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(link) = link {
        // Fails only for names that are none.
        for (name, value) in [("href", url), ("target", "_blank"), ("rel", "noopener")] {
            let _ = link.set_attribute(name, value);
        }
        link.click();
    }
}
