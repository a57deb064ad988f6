//! The few names of `chrome.*` that the pages use.

use crate::tabs::object;
use gloss::app::surface::Command;
use js_sys::{Array, Function, Promise};
use serde::Serialize;
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

    /// A message came.
    #[wasm_bindgen(method, getter, js_name = onMessage)]
    pub fn on_message(this: &Port) -> Listeners;

    /// The other end is gone.
    #[wasm_bindgen(method, getter, js_name = onDisconnect)]
    pub fn on_disconnect(this: &Port) -> Listeners;

    /// Adds a listener.
    #[wasm_bindgen(method, js_name = addListener)]
    pub fn add(this: &Listeners, listener: &Function);

    /// A message of `_locales`; empty if there is none of that key.
    #[wasm_bindgen(js_namespace = ["chrome", "i18n"], js_name = getMessage)]
    pub fn message(key: &str, arguments: &Array) -> String;

    /// The tabs that answer a description.
    #[wasm_bindgen(js_namespace = ["chrome", "tabs"], js_name = query)]
    pub fn query_tabs(query: &JsValue) -> Promise;

    /// Another tab came to the front of its window.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "tabs"], js_name = onActivated)]
    pub static TAB_ACTIVATED: Listeners;

    /// A tab went to another state or address.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "tabs"], js_name = onUpdated)]
    pub static TAB_UPDATED: Listeners;

    /// A tab, by its id; rejects once it is gone.
    #[wasm_bindgen(js_namespace = ["chrome", "tabs"], js_name = get)]
    pub fn get_tab(tab: i32) -> Promise;

    /// Goes to a text directive if its words stand there, and says whether they do: made for
    /// pages (`pages_boot.js`), not to be called here.
    #[wasm_bindgen(thread_local_v2, js_name = showPassage)]
    pub static SHOW_PASSAGE: JsValue;

    /// Has a function run in a tab; within a click, as if the person had pressed there.
    #[wasm_bindgen(js_namespace = ["chrome", "scripting"], js_name = executeScript, catch)]
    pub fn inject(injection: &JsValue) -> Result<Promise, JsValue>;

    /// Changes a tab: brings it to the front of its window, for one.
    #[wasm_bindgen(js_namespace = ["chrome", "tabs"], js_name = update)]
    pub fn change_tab(tab: i32, change: &JsValue) -> Promise;

    /// Changes a window: brings it to the front, for one.
    #[wasm_bindgen(js_namespace = ["chrome", "windows"], js_name = update)]
    pub fn change_window(window: i32, change: &JsValue) -> Promise;

    /// Opens Options.
    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = openOptionsPage)]
    pub fn open_options() -> Promise;

    /// Asks the person for permissions; must be called within a click.
    #[wasm_bindgen(js_namespace = ["chrome", "permissions"], js_name = request)]
    pub fn request_permissions(wanted: &JsValue) -> Promise;

    /// Whether these permissions were given.
    #[wasm_bindgen(js_namespace = ["chrome", "permissions"], js_name = contains)]
    pub fn has_permissions(wanted: &JsValue) -> Promise;

    /// A permission was given.
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "permissions"], js_name = onAdded)]
    pub static PERMISSION_ADDED: Listeners;
}

/// Opens a port of this name, which wakes the worker; `None` once the extension was replaced.
pub(crate) fn open_port(name: &str) -> Option<Port> {
    connect(&object(&[("name", JsValue::from_str(name))])).ok()
}

/// Sends a command; false once the port is closed.
pub(crate) fn post(port: &Port, command: &Command) -> bool {
    let message = command.serialize(&serde_wasm_bindgen::Serializer::json_compatible());
    message.is_ok_and(|message| port.post(&message).is_ok())
}

impl Port {
    /// Calls `heard` with each message, and `lost` once the port is closed.
    pub(crate) fn listen(&self, heard: impl Fn(JsValue) + 'static, lost: impl Fn() + 'static) {
        let heard = Closure::<dyn Fn(JsValue)>::new(heard);
        self.on_message().add(heard.as_ref().unchecked_ref());
        let lost = Closure::<dyn Fn()>::new(lost);
        self.on_disconnect().add(lost.as_ref().unchecked_ref());
        // Both live as long as the port, which the browser drops.
        heard.forget();
        lost.forget();
    }
}
