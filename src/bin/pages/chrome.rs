//! The functions of `chrome.*` that the pages use.

use gloss::app::surface::Command;
use gloss::host_browser::json;
use gloss::host_browser::object::object;
use js_sys::{Array, Function, Promise};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    /// A connection to the worker.
    #[derive(Clone)]
    pub type Port;

    /// An event that can be listened to.
    pub type Listeners;

    /// Opens a connection; wakes the worker.
    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], catch)]
    pub fn connect(info: &JsValue) -> Result<Port, JsValue>;

    /// Sends a message; throws once the connection is gone.
    #[wasm_bindgen(method, catch, js_name = postMessage)]
    pub fn post(this: &Port, message: &JsValue) -> Result<(), JsValue>;

    /// Closes the connection.
    #[wasm_bindgen(method)]
    pub fn disconnect(this: &Port);

    /// Fires when a message arrives.
    #[wasm_bindgen(method, getter, js_name = onMessage)]
    pub fn on_message(this: &Port) -> Listeners;

    /// Fires when the other end closes the connection.
    #[wasm_bindgen(method, getter, js_name = onDisconnect)]
    pub fn on_disconnect(this: &Port) -> Listeners;

    /// Adds a listener.
    #[wasm_bindgen(method, js_name = addListener)]
    pub fn add(this: &Listeners, listener: &Function);

    /// Returns a message of `_locales`; empty if the key has none.
    #[wasm_bindgen(js_namespace = ["chrome", "i18n"], js_name = getMessage)]
    pub fn message(key: &str, arguments: &Array) -> String;

    /// Resolves to the tabs that match a query.
    #[wasm_bindgen(js_namespace = ["chrome", "tabs"], js_name = query)]
    pub fn query_tabs(query: &JsValue) -> Promise;

    /// Fires when another tab of a window becomes active.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "tabs"], js_name = onActivated)]
    pub static TAB_ACTIVATED: Listeners;

    /// Fires when a tab's state or address changes.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "tabs"], js_name = onUpdated)]
    pub static TAB_UPDATED: Listeners;

    /// Resolves to the tab with this id; rejects if the tab is closed.
    #[wasm_bindgen(js_namespace = ["chrome", "tabs"], js_name = get)]
    pub fn get_tab(tab: i32) -> Promise;

    /// A function that scrolls to the text of a text directive. It returns true if the page
    /// contains that text. The function is injected into pages (`pages_boot.js`), and never called
    /// in this page.
    #[wasm_bindgen(thread_local_v2, js_name = showPassage)]
    pub static SHOW_PASSAGE: JsValue;

    /// Runs a function in a tab. During a click on this page, the function has the click's user
    /// activation.
    #[wasm_bindgen(js_namespace = ["chrome", "scripting"], js_name = executeScript, catch)]
    pub fn inject(injection: &JsValue) -> Result<Promise, JsValue>;

    /// Changes a tab, for example activates it.
    #[wasm_bindgen(js_namespace = ["chrome", "tabs"], js_name = update)]
    pub fn change_tab(tab: i32, change: &JsValue) -> Promise;

    /// Changes a window, for example focuses it.
    #[wasm_bindgen(js_namespace = ["chrome", "windows"], js_name = update)]
    pub fn change_window(window: i32, change: &JsValue) -> Promise;

    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = openOptionsPage)]
    pub fn open_options() -> Promise;

    /// Asks the user for permissions. Chrome allows the call only while a click is handled.
    #[wasm_bindgen(js_namespace = ["chrome", "permissions"], js_name = request)]
    pub fn request_permissions(wanted: &JsValue) -> Promise;

    /// Resolves to true if these permissions are granted.
    #[wasm_bindgen(js_namespace = ["chrome", "permissions"], js_name = contains)]
    pub fn has_permissions(wanted: &JsValue) -> Promise;

    /// Fires when a permission is granted.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "permissions"], js_name = onAdded)]
    pub static PERMISSION_ADDED: Listeners;
}

/// Opens a port of this name, which wakes the worker. Returns `None` if the extension was updated
/// or removed.
pub(crate) fn open_port(name: &str) -> Option<Port> {
    connect(&object(&[("name", JsValue::from_str(name))])).ok()
}

/// Sends a command; returns false if the port is closed.
pub(crate) fn post(port: &Port, command: &Command) -> bool {
    json::write(command).is_ok_and(|message| port.post(&message).is_ok())
}

impl Port {
    /// Calls `heard` with each message, and `lost` when the port is closed.
    pub(crate) fn listen(&self, heard: impl Fn(JsValue) + 'static, lost: impl Fn() + 'static) {
        let heard = Closure::<dyn Fn(JsValue)>::new(heard);
        self.on_message().add(heard.as_ref().unchecked_ref());
        let lost = Closure::<dyn Fn()>::new(lost);
        self.on_disconnect().add(lost.as_ref().unchecked_ref());
        // Both closures must live as long as the port. Only the browser knows when the port is
        // freed, so the closures are never freed.
        heard.forget();
        lost.forget();
    }
}
