//! Keeping a text as a file: the browser's own download, under the page's policy.

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
    crate::browser::after(BEGINS_MS, move || revoke_object_url(&url));
}
