//! The tab beside which the surface is shown.

use crate::chrome;
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A tab and its window, by Chrome's ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TabLocation {
    pub(crate) tab: i32,
    pub(crate) window: i32,
}

/// The active tab of the surface's own window.
pub(crate) async fn current() -> Option<TabLocation> {
    let query = object(&[("active", JsValue::TRUE), ("currentWindow", JsValue::TRUE)]);
    let tabs = JsFuture::from(chrome::query_tabs(&query)).await.ok()?;
    let tab = Array::from(&tabs).get(0);
    Some(TabLocation {
        tab: number(&tab, "id")?,
        window: number(&tab, "windowId")?,
    })
}

/// Calls `then` whenever another tab becomes active in any window.
pub(crate) fn on_activated(then: impl Fn(TabLocation) + 'static) {
    let listener = Closure::<dyn Fn(JsValue)>::new(move |info: JsValue| {
        if let (Some(tab), Some(window)) = (number(&info, "tabId"), number(&info, "windowId")) {
            then(TabLocation { tab, window });
        }
    });
    chrome::TAB_ACTIVATED.with(|event| event.add(listener.as_ref().unchecked_ref()));
    listener.forget();
}

/// Calls `then` with the id of each tab that has finished loading.
pub(crate) fn on_loaded(then: impl Fn(i32) + 'static) {
    let listener = Closure::<dyn Fn(i32, JsValue)>::new(move |tab: i32, change: JsValue| {
        let status = Reflect::get(&change, &"status".into()).ok();
        if status.and_then(|status| status.as_string()).as_deref() == Some("complete") {
            then(tab);
        }
    });
    chrome::TAB_UPDATED.with(|event| event.add(listener.as_ref().unchecked_ref()));
    listener.forget();
}

/// A JavaScript object with these properties.
pub(crate) fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in entries {
        // The call can't fail for a new object.
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object.into()
}

/// The property `key` of a JavaScript object as a whole number; `None` if it isn't a number.
pub(crate) fn number(object: &JsValue, key: &str) -> Option<i32> {
    let value = Reflect::get(object, &JsValue::from_str(key)).ok()?;
    value.as_f64().map(|number| number as i32)
}
