//! The tabs of the browser, and the tab beside which the surface is shown.

use crate::chrome;
use gloss::host_browser::object::{object, text_of};
use js_sys::Array;
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A tab and its window, by Chrome's ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TabLocation {
    pub(crate) tab: i32,
    pub(crate) window: i32,
}

/// A tab, or the event of a tab, as Chrome describes it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tab {
    #[serde(alias = "tabId")]
    id: i32,
    window_id: i32,
    /// The tab's address; empty if Gloss may not read it.
    #[serde(default)]
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) last_accessed: f64,
    #[serde(default)]
    discarded: bool,
    #[serde(default)]
    frozen: bool,
}

impl Tab {
    /// Converts Chrome's value; `None` if it lacks an id.
    fn of(value: JsValue) -> Option<Self> {
        serde_wasm_bindgen::from_value(value).ok()
    }

    pub(crate) fn place(&self) -> TabLocation {
        let (tab, window) = (self.id, self.window_id);
        TabLocation { tab, window }
    }

    /// Returns true if the tab can't answer, because Chrome has discarded or frozen it.
    pub(crate) fn sleeps(&self) -> bool {
        self.discarded || self.frozen
    }
}

/// Returns the tabs that match a query.
pub(crate) async fn matching(query: &JsValue) -> impl Iterator<Item = Tab> + use<> {
    let tabs = JsFuture::from(chrome::query_tabs(query)).await;
    let tabs = Array::from(&tabs.unwrap_or_default());
    tabs.into_iter().filter_map(Tab::of)
}

/// Returns the active tab of the surface's own window.
pub(crate) async fn current() -> Option<TabLocation> {
    let query = object(&[("active", JsValue::TRUE), ("currentWindow", JsValue::TRUE)]);
    matching(&query).await.next().map(|tab| tab.place())
}

/// Calls `then` whenever another tab becomes active in any window.
pub(crate) fn on_activated(then: impl Fn(TabLocation) + 'static) {
    let listener = Closure::<dyn Fn(JsValue)>::new(move |info: JsValue| {
        if let Some(tab) = Tab::of(info) {
            then(tab.place());
        }
    });
    chrome::TAB_ACTIVATED.with(|event| event.add(listener.as_ref().unchecked_ref()));
    listener.forget();
}

/// Calls `then` with the id of each tab that has finished loading.
pub(crate) fn on_loaded(then: impl Fn(i32) + 'static) {
    let listener = Closure::<dyn Fn(i32, JsValue)>::new(move |tab: i32, change: JsValue| {
        if text_of(&change, "status") == "complete" {
            then(tab);
        }
    });
    chrome::TAB_UPDATED.with(|event| event.add(listener.as_ref().unchecked_ref()));
    listener.forget();
}
