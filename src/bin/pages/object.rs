//! Plain JavaScript objects, as Chrome's functions take and return them.

use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

/// Creates a plain JavaScript object with these entries.
pub(crate) fn object(entries: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (key, value) in entries {
        // Setting a property of a fresh object can't fail.
        let _ = Reflect::set(&object, &JsValue::from_str(key), value);
    }
    object.into()
}

/// Returns a text property of a JavaScript object; empty if there is none.
pub(crate) fn text_of(object: &JsValue, key: &str) -> String {
    let value = Reflect::get(object, &JsValue::from_str(key)).unwrap_or_default();
    value.as_string().unwrap_or_default()
}

/// Returns true if a property of a JavaScript object is truthy.
pub(crate) fn is_truthy(object: &JsValue, key: &str) -> bool {
    let value = Reflect::get(object, &JsValue::from_str(key));
    value.is_ok_and(|value| value.is_truthy())
}
