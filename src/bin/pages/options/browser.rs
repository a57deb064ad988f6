//! Chrome's functions that the options page uses: permissions, shortcuts, storage sizes and files.

use crate::browser::value;
use crate::grants::on_added;
use crate::prelude::*;
use gloss::host_browser::object::{field, is_truthy, object, set, text_of};
use js_sys::{Array, Promise};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = ["chrome", "permissions"], js_name = getAll)]
    fn all_permissions() -> Promise;
    #[wasm_bindgen(js_namespace = ["chrome", "permissions"], js_name = remove)]
    fn remove_permissions(given: &JsValue) -> Promise;
    #[wasm_bindgen(thread_local_v2, js_namespace = ["chrome", "permissions"], js_name = onRemoved)]
    static REVOKED: crate::chrome::Listeners;

    #[wasm_bindgen(js_namespace = ["chrome", "commands"], js_name = getAll)]
    fn all_commands() -> Promise;
    #[wasm_bindgen(js_namespace = ["chrome", "tabs"], js_name = create)]
    fn create_tab(properties: &JsValue) -> Promise;
    #[wasm_bindgen(js_namespace = ["chrome", "runtime"], js_name = getManifest)]
    fn manifest() -> JsValue;

    #[wasm_bindgen(js_namespace = ["chrome", "storage", "local"], js_name = getBytesInUse)]
    fn local_bytes() -> Promise;
    #[wasm_bindgen(js_namespace = ["chrome", "storage", "session"], js_name = getBytesInUse)]
    fn session_bytes() -> Promise;
    #[wasm_bindgen(js_namespace = ["navigator", "storage"], js_name = estimate)]
    fn estimate() -> Promise;

    /// A file that the user chose.
    type Picked;
    #[wasm_bindgen(method)]
    fn text(this: &Picked) -> Promise;
}

/// A keyboard shortcut, with texts in the language of the interface.
#[derive(Clone, PartialEq)]
pub(crate) struct Shortcut {
    pub(crate) does: String,
    pub(crate) keys: String,
}

/// Returns the sites that Gloss may read and connect to, as match patterns of Chrome.
pub(crate) async fn granted() -> Vec<String> {
    let all = JsFuture::from(all_permissions()).await.unwrap_or_default();
    Array::from(&field(&all, "origins"))
        .iter()
        .filter_map(|it| it.as_string())
        .collect()
}

/// Revokes the permission for a site; returns false if Chrome doesn't revoke it.
pub(crate) async fn revoke(pattern: &str) -> bool {
    let origins = Array::of1(&JsValue::from_str(pattern));
    let removed = remove_permissions(&object(&[("origins", origins.into())]));
    JsFuture::from(removed).await.is_ok_and(|it| it.is_truthy())
}

/// Calls `then` whenever a site's permission is granted or revoked, on this page or in Chrome.
pub(crate) fn on_grants(then: impl Fn() + Clone + 'static) {
    on_added(then.clone());
    let revoked = Closure::<dyn Fn()>::new(then);
    REVOKED.with(|event| event.add(revoked.as_ref().unchecked_ref()));
    revoked.forget();
}

/// Returns the shortcuts of this extension that Chrome manages.
pub(crate) async fn shortcuts() -> Vec<Shortcut> {
    let all = JsFuture::from(all_commands()).await.unwrap_or_default();
    let does = |command: &JsValue| match text_of(command, "name").as_str() {
        // Chrome returns no description for its own command.
        "_execute_action" => msg("command_open"),
        _ => text_of(command, "description"),
    };
    let shortcut = |command: JsValue| Shortcut {
        does: does(&command),
        keys: text_of(&command, "shortcut"),
    };
    Array::from(&all).iter().map(shortcut).collect()
}

/// Opens Chrome's page for shortcuts. A link can't open a `chrome:` page.
pub(crate) fn open_shortcuts() {
    let url = JsValue::from_str("chrome://extensions/shortcuts");
    let _ = create_tab(&object(&[("url", url)]));
}

pub(crate) fn version() -> String {
    text_of(&manifest(), "version")
}

/// Returns the size of everything that Gloss stores on this device, in bytes.
pub(crate) async fn stored_bytes() -> u64 {
    let (local, session, estimated) = (local_bytes(), session_bytes(), estimate());
    let mut sum = 0.0;
    for asked in [local, session] {
        let bytes = JsFuture::from(asked).await.unwrap_or_default();
        sum += bytes.as_f64().unwrap_or_default();
    }
    let estimated = JsFuture::from(estimated).await.unwrap_or_default();
    (sum + field(&estimated, "usage").as_f64().unwrap_or_default()) as u64
}

/// Reads the text of the file that the user chose. Then clears the control, so that the user can
/// choose the same file again.
pub(crate) fn picked_text(event: &web_sys::Event) -> impl Future<Output = Option<String>> + use<> {
    let input = JsValue::from(event.target());
    let file = field(&field(&input, "files"), "0");
    async move {
        if file.is_undefined() {
            return None;
        }
        let text = JsFuture::from(file.unchecked_ref::<Picked>().text()).await;
        set(input.unchecked_ref(), "value", &"".into());
        text.ok()?.as_string()
    }
}

/// Returns true if a number field contains something that is not a number. In this case the
/// browser returns an empty value.
pub(crate) fn is_no_number(event: &web_sys::Event) -> bool {
    is_truthy(&field(&event.target().into(), "validity"), "badInput")
}

/// Returns true if the browser dropped everything that the user typed into a number field. It
/// drops letters, and digits of other scripts, without an error.
pub(crate) fn has_dropped_all(event: &web_sys::Event) -> bool {
    let kind = text_of(event, "inputType");
    kind.starts_with("insert") && value(event).is_empty() && !is_no_number(event)
}
