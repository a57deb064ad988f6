//! Site permissions. They must be requested while the user's click is handled, or Chrome doesn't
//! show its dialog.

use crate::chrome;
use gloss::host::ALL_SITES;
use gloss::host_browser::object::{object, text_of};
use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Returns the origin of a tab, as in `https://news.example`. `None` if Chrome hides the tab's
/// address, because the extension has no permission to read the tab yet.
pub(crate) async fn origin_of(tab: i32) -> Option<String> {
    let tab = JsFuture::from(chrome::get_tab(tab)).await.ok()?;
    let origin = web_sys::Url::new(&text_of(&tab, "url")).ok()?.origin();
    origin.starts_with("http").then_some(origin)
}

/// Asks Chrome for permission for these origins; `then` gets true if all are granted. Chrome shows
/// its dialog only while a click is handled.
pub(crate) fn request_all(origins: &[String], then: impl FnOnce(bool) + 'static) {
    let asked = chrome::request_permissions(&of(origins));
    wasm_bindgen_futures::spawn_local(async move {
        let given = JsFuture::from(asked).await;
        then(given.is_ok_and(|given| given.is_truthy()));
    });
}

/// Returns true if the extension has permission for all these origins.
pub(crate) async fn has_all(origins: &[String]) -> bool {
    let asked = chrome::has_permissions(&of(origins));
    JsFuture::from(asked).await.is_ok_and(|has| has.is_truthy())
}

/// Asks for the `tabs` permission, which the extension needs to know a tab's address. Then calls
/// `then` with the tab's origin, or with `None` if the user refuses.
pub(crate) fn request_origin_of(tab: i32, then: impl FnOnce(Option<String>) + 'static) {
    let addresses = Array::of1(&JsValue::from_str("tabs"));
    let asked = chrome::request_permissions(&object(&[("permissions", addresses.into())]));
    wasm_bindgen_futures::spawn_local(async move {
        let given = JsFuture::from(asked).await;
        let given = given.is_ok_and(|given| given.is_truthy());
        then(if given { origin_of(tab).await } else { None });
    });
}

/// Calls `then` whenever a permission is granted, on this page or elsewhere in Chrome.
pub(crate) fn on_added(then: impl Fn() + 'static) {
    let listener = Closure::<dyn Fn(JsValue)>::new(move |_: JsValue| then());
    chrome::PERMISSION_ADDED.with(|event| event.add(listener.as_ref().unchecked_ref()));
    listener.forget();
}

fn of(origins: &[String]) -> Object {
    let pattern = |origin: &String| match origin.as_str() {
        ALL_SITES => ALL_SITES.to_owned(),
        origin => format!("{origin}/*"),
    };
    let patterns = origins.iter().map(pattern);
    let origins: Array = patterns.map(|it| JsValue::from_str(&it)).collect();
    object(&[("origins", origins.into())])
}
