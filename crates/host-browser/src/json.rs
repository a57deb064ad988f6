//! Converts between JavaScript values and Rust types, through JSON.
//!
//! Example: a surface's message arrives as a JavaScript object. The browser converts the
//! object to a JSON text, and this module parses the text into a command. The journal needs that
//! parser anyway. A direct conversion would add code for each type to the worker's module, which
//! Chrome loads at each wake-up. Values that JSON can't represent (bytes, maps, `undefined`) are
//! not supported.

use gloss_durable::json;
use js_sys::JSON;
use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};
use wasm_bindgen::JsValue;

/// Reads a Rust value from a JavaScript value.
///
/// # Errors
/// The value can't be written as JSON, or doesn't have the form of the type.
pub fn read<T: DeserializeOwned>(value: &JsValue) -> Result<T, serde_json::Error> {
    json::parse(&text(value)?)
}

/// Returns a JavaScript value as a JSON text.
///
/// # Errors
/// The value can't be written as JSON.
pub fn text(value: &JsValue) -> Result<String, serde_json::Error> {
    let text = JSON::stringify(value).ok();
    let text = text.and_then(|text| text.as_string());
    text.ok_or_else(|| serde_json::Error::custom("not a JSON value"))
}

/// Converts a Rust value to a JavaScript value.
///
/// # Errors
/// A map's key is not a string.
pub fn write<T: Serialize>(value: &T) -> Result<JsValue, JsValue> {
    let text = json::text(value).map_err(|error| JsValue::from(error.to_string()))?;
    JSON::parse(&text)
}
