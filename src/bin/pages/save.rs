//! Saves a text or an image as a file, with the browser's own download.

use crate::browser;
use crate::words::msg_with;
use gloss::app::surface::Snapshot;
use gloss::durable::RunId;
use gloss::host_browser::object::{bytes_of_base64, object};
use gloss::ui::figures::file_name;
use js_sys::{Array, Object, Uint8Array};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type Blob;

    #[wasm_bindgen(constructor)]
    fn new(parts: &Array) -> Blob;

    #[wasm_bindgen(constructor)]
    fn typed(parts: &Array, options: &Object) -> Blob;

    #[wasm_bindgen(js_namespace = URL, js_name = createObjectURL)]
    fn create_object_url(blob: &Blob) -> String;

    #[wasm_bindgen(js_namespace = URL, js_name = revokeObjectURL)]
    fn revoke_object_url(url: &str);
}

/// An object URL for bytes in this page. It is revoked on drop.
pub(crate) struct Address(String);

impl Address {
    /// Makes an object URL for bytes in base64; `None` if the text is not base64.
    pub(crate) fn of_base64(base64: &str, media_type: &str) -> Option<Self> {
        let bytes = bytes_of_base64(base64).ok()?;
        let parts = Array::of1(&Uint8Array::from(&bytes[..]));
        let options = object(&[("type", media_type.into())]);
        Some(Self(create_object_url(&Blob::typed(&parts, &options))))
    }

    pub(crate) fn href(&self) -> &str {
        &self.0
    }
}

impl Drop for Address {
    fn drop(&mut self) {
        revoke_object_url(&self.0);
    }
}

/// The time until an object URL is revoked, in milliseconds. A download must have begun by then.
const BEGINS_MS: i32 = 60_000;

/// Downloads a text as a file.
pub(crate) fn save_as(name: &str, text: &str) {
    let parts = Array::of1(&JsValue::from_str(text));
    let address = Address(create_object_url(&Blob::new(&parts)));
    offer(name, &address);
    browser::after(BEGINS_MS, move || drop(address));
}

/// Downloads the content of an object URL as a file.
pub(crate) fn offer(name: &str, address: &Address) {
    let link = sycamore::web::document()
        .create_element("a")
        .ok()
        .and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    let Some(link) = link else {
        return;
    };
    // Both calls succeed, because the attribute names are valid.
    let _ = link.set_attribute("href", address.href());
    let _ = link.set_attribute("download", name);
    link.click();
}

/// Saves a run as a file. The file's name consists of the run's goal and the day.
pub(crate) fn run(shown: Option<&Snapshot>, run: &RunId, text: &str) {
    let mut turns = shown.into_iter().flat_map(|shown| &shown.turns);
    let turn = turns.find(|turn| turn.run == *run);
    let (goal, at_ms) = turn.map_or_else(Default::default, |turn| {
        let goal = crate::words::editable_text(&turn.goal);
        (goal.unwrap_or_default(), turn.started_at_ms)
    });
    let (goal, date) = (file_name(&goal), browser::date(at_ms));
    save_as(&msg_with("run_file", &[&goal, &date]), text);
}
