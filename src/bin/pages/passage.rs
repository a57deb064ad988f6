//! A press on a link to a passage: where its page is open in a tab, that tab comes to the front
//! and shows the passage (DETAILS §6), and no second one is opened.
//!
//! Chrome scrolls to a text fragment that a page's own script goes to, and highlights it, while a
//! press of the person's counts for that script: for one that is injected within a click it does.
//! `tabs.update` was measured and does not scroll. Where Gloss may not look into tabs, none
//! shows the passage (an error stands at the address, or other words by now), or the one that
//! should does not answer (it hangs, or an alert is open), the link opens in a tab of its own, as
//! every link does.

use crate::tabs::{number, object};
use crate::{browser, chrome};
use gloss::ui::figures::routed;
use js_sys::{Array, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// What begins a directive in an address.
const DIRECTIVE: &str = ":~:";

/// So long a tab is waited for, in milliseconds: a page that is at work answers in some, and a
/// press still counts after it.
const ANSWERS_MS: i32 = 800;

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

/// Shows the passage in the tab that shows its page; `None` if there is none, none that Gloss
/// may look into, the passage does not stand there, or the tab does not say so in time.
async fn show(url: &str) -> Option<()> {
    let (page, directive) = url.split_once(DIRECTIVE)?;
    let tab = showing(page).await?;
    let target = object(&[("tabId", tab.id.into())]);
    // What answers later is not to scroll a page that nobody is brought to.
    let until = JsValue::from_f64(browser::now_ms() as f64 + f64::from(ANSWERS_MS));
    let injection = object(&[
        ("target", target),
        ("func", chrome::SHOW_PASSAGE.with(Clone::clone)),
        ("args", Array::of2(&directive.into(), &until).into()),
        // A page that never ends loading is shown, too.
        ("injectImmediately", JsValue::TRUE),
    ]);
    let went = chrome::inject(&injection).ok()?;
    let told = Promise::race(&Array::of2(&went, &silence()));
    if !stands(&JsFuture::from(told).await.ok()?) {
        return None;
    }
    // Both at once: a popup closes with the first. A tab that is gone by now needs neither.
    let _ = chrome::change_tab(tab.id, &object(&[("active", JsValue::TRUE)]));
    let _ = chrome::change_window(tab.window, &object(&[("focused", JsValue::TRUE)]));
    Some(())
}

/// Resolves to nothing once a tab was waited for long enough.
fn silence() -> Promise {
    Promise::new(&mut |resolve, _| {
        // Fails for no function of a promise.
        let over = move || drop(resolve.call0(&JsValue::UNDEFINED));
        browser::after(ANSWERS_MS, over);
    })
}

/// Whether the passage stands in the tab, by what an injection gave.
fn stands(told: &JsValue) -> bool {
    let first = told.dyn_ref::<Array>().map(|results| results.get(0));
    let stands = first.and_then(|first| Reflect::get(&first, &"result".into()).ok());
    stands.is_some_and(|stands| stands.is_truthy())
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
