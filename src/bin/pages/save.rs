//! Keeping a text as a file: the browser's own download, under the page's policy.

use crate::browser;
use crate::words::msg_with;
use gloss::app::surface::Snapshot;
use gloss::host::RunId;
use js_sys::Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type Blob;

    #[wasm_bindgen(constructor)]
    fn new(parts: &Array) -> Blob;

    #[wasm_bindgen(js_namespace = URL, js_name = createObjectURL)]
    fn create_object_url(blob: &Blob) -> String;

    #[wasm_bindgen(js_namespace = URL, js_name = revokeObjectURL)]
    fn revoke_object_url(url: &str);
}

/// How long a download has to begin, in milliseconds: after that its address is
/// given back.
const BEGINS_MS: i32 = 60_000;

/// Offers a text as a file to keep.
pub(crate) fn save_as(name: &str, text: &str) {
    let link = sycamore::web::document()
        .create_element("a")
        .ok()
        .and_then(|it| it.dyn_into::<web_sys::HtmlElement>().ok());
    let Some(link) = link else {
        return;
    };
    let url = create_object_url(&Blob::new(&Array::of1(&JsValue::from_str(text))));
    // Both names are valid.
    let _ = link.set_attribute("href", &url);
    let _ = link.set_attribute("download", name);
    link.click();
    browser::after(BEGINS_MS, move || revoke_object_url(&url));
}

/// Saves a run under what was asked, and the day.
pub(crate) fn run(shown: Option<&Snapshot>, run: &RunId, text: &str) {
    let mut turns = shown.into_iter().flat_map(|shown| &shown.turns);
    let turn = turns.find(|turn| turn.run == *run);
    let (goal, at_ms) = turn.map_or_else(Default::default, |turn| {
        let goal = crate::surface::said_by_person(&turn.goal);
        (goal.unwrap_or_default(), turn.started_at_ms)
    });
    let (goal, date) = (browser::file_name(&goal), browser::date(at_ms));
    save_as(&msg_with("run_file", &[&goal, &date]), text);
}
