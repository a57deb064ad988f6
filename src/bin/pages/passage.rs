//! Handles a click on a link to a passage. If a tab already shows the page, that tab is activated
//! and scrolls to the passage. No second tab is opened.
//!
//! Chrome scrolls to a text fragment if a script of the page navigates there during a user
//! activation. A script that is injected while a click is handled has this activation.
//! `tabs.update` does not scroll (measured).
//!
//! The link opens a new tab, as every link does, in three cases. Either Gloss may not read tabs, or
//! no tab shows the passage, or the tab doesn't answer in time.

use crate::tabs::{TabLocation, matching};
use crate::{browser, chrome};
use gloss::host_browser::object::{is_truthy, object};
use gloss::ui::figures::without_fragment;
use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// The text that separates a URL's fragment from its text directive.
const DIRECTIVE: &str = ":~:";

/// The maximum time to wait for a tab's answer, in milliseconds. A busy page still answers in this
/// time. Afterwards the user activation is still valid.
const ANSWERS_MS: i32 = 800;

/// Listens to clicks on all links of this page.
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
    // The call fails only for an invalid event name.
    let _ = sycamore::web::document()
        .add_event_listener_with_callback("click", pressed.as_ref().unchecked_ref());
    pressed.forget();
}

/// Shows the passage in the tab of its page. Returns `None` if no tab shows the page, or Gloss may
/// not read the tab. It also returns `None` if the passage is missing, or the tab doesn't answer
/// in time.
async fn show(url: &str) -> Option<()> {
    let (page, directive) = url.split_once(DIRECTIVE)?;
    let tab = tab_showing(page).await?;
    let target = object(&[("tabId", tab.tab.into())]);
    // After this time the injected function must not scroll, because a new tab was opened instead.
    let until = JsValue::from_f64(browser::now_ms() as f64 + f64::from(ANSWERS_MS));
    let injection = object(&[
        ("target", target.into()),
        ("func", chrome::SHOW_PASSAGE.with(Clone::clone)),
        ("args", Array::of2(&directive.into(), &until).into()),
        // The function also runs in a page that never finishes loading.
        ("injectImmediately", JsValue::TRUE),
    ]);
    let went = chrome::inject(&injection).ok()?;
    let told = Promise::race(&Array::of2(&went, &timeout()));
    if !passage_found(&JsFuture::from(told).await.ok()?) {
        return None;
    }
    // Both calls are made before any await, because the first one closes a popup. A tab that is
    // closed by now needs neither.
    let _ = chrome::change_tab(tab.tab, &object(&[("active", JsValue::TRUE)]));
    let _ = chrome::change_window(tab.window, &object(&[("focused", JsValue::TRUE)]));
    Some(())
}

/// Resolves after [`ANSWERS_MS`].
fn timeout() -> Promise {
    Promise::new(&mut |resolve, _| {
        // The call doesn't fail for a promise's own function.
        let over = move || drop(resolve.call0(&JsValue::UNDEFINED));
        browser::after(ANSWERS_MS, over);
    })
}

/// Returns true if the injected function found the passage in the tab.
fn passage_found(told: &JsValue) -> bool {
    let first = told.dyn_ref::<Array>().map(|results| results.get(0));
    first.is_some_and(|first| is_truthy(&first, "result"))
}

/// Returns the tab that shows a page. If there are several, returns the one that was active last. A
/// sleeping tab can't answer and doesn't count.
async fn tab_showing(page: &str) -> Option<TabLocation> {
    let page = without_fragment(page);
    let tabs = matching(&object(&[])).await;
    tabs.filter(|tab| !tab.sleeps() && without_fragment(&tab.url) == page)
        .max_by(|one, other| one.last_accessed.total_cmp(&other.last_accessed))
        .map(|tab| tab.place())
}

/// Opens the link in a new tab. The user activation of the click is still valid.
fn open(url: &str) {
    let link = sycamore::web::document().create_element("a").ok();
    let link = link.and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    if let Some(link) = link {
        // The calls fail only for invalid attribute names.
        for (name, value) in [("href", url), ("target", "_blank"), ("rel", "noopener")] {
            let _ = link.set_attribute(name, value);
        }
        link.click();
    }
}
