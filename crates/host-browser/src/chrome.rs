//! Bindings for Chrome's APIs and for `worker_boot.js`.
//!
//! `glossHost` is an object of the boot script. Destructors don't run after a panic. Locks,
//! requests and the interval that keeps the worker alive are therefore registered with the boot
//! script, which releases them after a panic. The bindings in this file neither convert values nor
//! make decisions.

use js_sys::{Array, Object, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// A lock or a request that is registered with the boot script.
    pub(super) type Held;
    /// Returns a promise. For a lock, the result is true if the lock was granted; for a request,
    /// the result is the response.
    #[wasm_bindgen(method, getter)]
    pub(super) fn done(this: &Held) -> Promise;
    /// Releases the lock, or aborts the request.
    #[wasm_bindgen(method)]
    pub(super) fn release(this: &Held);

    /// Returns the URL of a file in the package.
    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = getURL)]
    pub(super) fn address(name: &str) -> String;
    #[wasm_bindgen(js_name = fetch)]
    pub(super) fn fetch(url: &str) -> Promise;

    /// Lists the extension's own pages and workers that match a filter.
    #[wasm_bindgen(catch, js_namespace = ["chrome", "runtime"], js_name = getContexts)]
    pub(super) fn contexts(filter: &JsValue) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = ["chrome", "contextMenus"], js_name = update)]
    pub(super) fn update_menu(id: &str, changes: &JsValue) -> Promise;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "contextMenus"], js_name = create)]
    pub(super) fn create_menu(item: &JsValue) -> Result<JsValue, JsValue>;
    #[wasm_bindgen(js_namespace = ["chrome", "i18n"], js_name = getMessage)]
    pub(super) fn message(key: &str) -> String;
    #[wasm_bindgen(js_namespace = ["chrome", "i18n"], js_name = getUILanguage)]
    pub(super) fn interface_language() -> String;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "i18n"], js_name = detectLanguage)]
    pub(super) fn detect_language(text: &str) -> Result<Promise, JsValue>;

    #[wasm_bindgen(js_namespace = glossHost)]
    pub(super) fn lock(name: &str) -> Held;
    #[wasm_bindgen(js_namespace = glossHost)]
    pub(super) fn watch(on: bool);
    /// Calls a function of the reader's module.
    #[wasm_bindgen(js_namespace = glossHost, js_name = module)]
    pub(super) fn read(module: &str, call: &str, html: &str, url: &str) -> Promise;
    #[wasm_bindgen(js_namespace = glossHost, js_name = module)]
    pub(super) fn perform(
        module: &str,
        call: &str,
        name: &str,
        page: &JsValue,
        task: &str,
    ) -> Promise;
    #[wasm_bindgen(js_namespace = glossHost, js_name = module)]
    pub(super) fn give(module: &str, call: &str, embeddings: &Uint8Array) -> Promise;
    /// Calls the module that reads documents.
    #[wasm_bindgen(js_namespace = glossHost, js_name = module)]
    pub(super) fn document(module: &str, call: &str, bytes: &Uint8Array, kind: &str) -> Promise;
    /// Returns the value under a key of a storage area, or all values of the area. The boot script
    /// requests some values before this module is loaded. The first call for such a value returns
    /// that result.
    #[wasm_bindgen(catch, js_namespace = glossHost)]
    pub(super) fn stored(area: &str, key: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_namespace = glossHost)]
    pub(super) fn send(url: &str, init: &JsValue) -> Held;
    /// Registers a release function with the boot script, which calls the function after a panic.
    /// Returns the function that must be called instead of `let_go`.
    #[wasm_bindgen(js_namespace = glossHost)]
    pub(super) fn hold(let_go: &js_sys::Function) -> js_sys::Function;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "alarms"], js_name = create)]
    pub(super) fn create_alarm(name: &str, when: &Object) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "alarms"], js_name = clear)]
    pub(super) fn clear_alarm(name: &str) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "declarativeNetRequest"], js_name = getSessionRules)]
    pub(super) fn request_rules() -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "declarativeNetRequest"], js_name = updateSessionRules)]
    pub(super) fn set_request_rules(changes: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(js_namespace = crypto, js_name = randomUUID)]
    pub(super) fn random_uuid() -> String;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "permissions"], js_name = contains)]
    pub(super) fn permitted(permissions: &JsValue) -> Result<Promise, JsValue>;

    pub(super) type StorageArea;
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "storage"], js_name = local)]
    pub(super) static LOCAL: StorageArea;
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "storage"], js_name = session)]
    pub(super) static SESSION: StorageArea;
    #[wasm_bindgen(method, catch, js_name = getKeys)]
    pub(super) fn keys(this: &StorageArea) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub(super) fn set(this: &StorageArea, items: &Object) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch)]
    pub(super) fn remove(this: &StorageArea, keys: &Array) -> Result<Promise, JsValue>;
    #[wasm_bindgen(method, catch, js_name = setAccessLevel)]
    pub(super) fn set_access(this: &StorageArea, level: &Object) -> Result<Promise, JsValue>;

    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = create)]
    pub(super) fn create_tab(tab: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = update)]
    pub(super) fn update_tab(tab: i32, changes: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = remove)]
    pub(super) fn remove_tab(tab: i32) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "scripting"], js_name = executeScript)]
    pub(super) fn execute_script(injection: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "scripting"], js_name = insertCSS)]
    pub(super) fn insert_css(style: &JsValue) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = get)]
    pub(super) fn tab(tab: i32) -> Result<Promise, JsValue>;
    #[wasm_bindgen(catch, js_namespace = ["chrome", "tabs"], js_name = captureVisibleTab)]
    pub(super) fn capture_visible_tab(window: i32, options: &Object) -> Result<Promise, JsValue>;
}

/// Awaits the promise that a call returned.
pub(super) async fn settled(call: Result<Promise, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(call?).await
}

/// Returns the message of an exception.
pub(super) fn error_message(error: &JsValue) -> String {
    error
        .dyn_ref::<js_sys::Error>()
        .map(|error| String::from(error.message()))
        .or_else(|| error.as_string())
        .unwrap_or_else(|| format!("{error:?}"))
}
