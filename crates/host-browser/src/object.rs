//! JavaScript objects: their fields, and base64 texts.

use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(catch)]
    fn atob(base64: &str) -> Result<String, JsValue>;
}

/// Creates a plain object.
pub fn object(fields: &[(&str, JsValue)]) -> Object {
    let object = Object::new();
    for (name, value) in fields {
        set(&object, name, value);
    }
    object
}

/// Sets a field of a plain object. This can't fail.
pub fn set(object: &Object, name: &str, value: &JsValue) {
    let _ = Reflect::set(object, &name.into(), value);
}

/// Returns a field; `undefined` if there is none.
pub fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or_default()
}

/// Returns a field as text; empty if the field isn't a text.
pub fn text_of(object: &JsValue, name: &str) -> String {
    field(object, name).as_string().unwrap_or_default()
}

/// Returns true if a field is truthy.
pub fn is_truthy(object: &JsValue, name: &str) -> bool {
    field(object, name).is_truthy()
}

/// Decodes base64.
///
/// # Errors
/// The text isn't base64.
pub fn bytes_of_base64(base64: &str) -> Result<Vec<u8>, JsValue> {
    // Each character of the decoded text is one byte.
    let text = atob(base64)?;
    Ok(text.chars().map(|byte| byte as u32 as u8).collect())
}
