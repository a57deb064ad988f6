//! JavaScript's values to the core's types and back, as JSON.
//!
//! Driving example: a surface's message arrives as an object; the browser writes it
//! as JSON, the way from JSON's tree that the journal needs anyway makes a command of
//! it. Each further reader or writer is code per type, loaded at each wake-up.
//! What JSON does not hold (bytes, maps, `undefined`) is not carried.

use gloss_durable::json;
use js_sys::JSON;
use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};
use wasm_bindgen::JsValue;

/// A value of the core from one of JavaScript's.
///
/// # Errors
/// When it is not what JSON can say, or not of the type.
pub fn read<T: DeserializeOwned>(value: &JsValue) -> Result<T, serde_json::Error> {
    let text = JSON::stringify(value)
        .ok()
        .and_then(|text| text.as_string());
    match text {
        Some(text) => json::parse(&text),
        None => Err(serde_json::Error::custom("not a JSON value")),
    }
}

/// One of JavaScript's values from a value of the core.
///
/// # Errors
/// When a map's key is no text.
pub fn write<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let text = json::text(value).map_err(|error| JsValue::from(error.to_string()))?;
    JSON::parse(&text)
}
