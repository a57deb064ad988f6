//! [`TimeZones`] on `Intl`.

use super::object::{field, object};
use gloss_host::TimeZones;
use js_sys::{Array, Object};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type DateTimeFormat;
    /// Throws if the zone or the language is unknown.
    #[wasm_bindgen(catch, constructor, js_namespace = Intl)]
    fn new(locale: &str, options: &Object) -> Result<DateTimeFormat, JsValue>;
    /// Throws if the time is invalid.
    #[wasm_bindgen(catch, method)]
    fn format(this: &DateTimeFormat, at_ms: f64) -> Result<String, JsValue>;
    #[wasm_bindgen(method, js_name = resolvedOptions)]
    fn resolved_options(this: &DateTimeFormat) -> Object;
    #[wasm_bindgen(catch, js_namespace = Intl, js_name = supportedValuesOf)]
    fn supported_values_of(key: &str) -> Result<Array, JsValue>;
}

pub(super) struct Intl;

impl TimeZones for Intl {
    fn own(&self) -> String {
        let format = DateTimeFormat::new("en", &Object::new());
        let zone = format.map(|it| field(&it.resolved_options(), "timeZone"));
        let zone = zone.ok().and_then(|zone| zone.as_string());
        zone.unwrap_or_else(|| "UTC".to_owned())
    }

    fn names(&self) -> Vec<String> {
        let names = supported_values_of("timeZone").unwrap_or_default();
        names.iter().filter_map(|name| name.as_string()).collect()
    }

    fn offset_seconds(&self, zone: &str, at_ms: i64) -> Option<i32> {
        let options = [
            ("timeZone", zone.into()),
            ("timeZoneName", "longOffset".into()),
        ];
        let told = format("en", &options, at_ms)?;
        seconds(told.rsplit_once("GMT")?.1)
    }

    fn words(&self, zone: &str, at_ms: i64, language: &str) -> Option<String> {
        let options = [
            ("timeZone", zone.into()),
            ("dateStyle", "full".into()),
            ("timeStyle", "long".into()),
        ];
        format(language, &options, at_ms).or_else(|| format("en", &options, at_ms))
    }
}

fn format(language: &str, options: &[(&str, JsValue)], at_ms: i64) -> Option<String> {
    let format = DateTimeFormat::new(language, &object(options)).ok()?;
    format.format(at_ms as f64).ok()
}

/// Parses an offset such as `+05:30` or `-00:25:21` into seconds. An empty text is UTC.
fn seconds(offset: &str) -> Option<i32> {
    if offset.is_empty() {
        return Some(0);
    }
    let sign = if offset.starts_with(['-', '\u{2212}']) {
        -1
    } else {
        1
    };
    let parts = offset.trim_start_matches(['+', '-', '\u{2212}']).split(':');
    let mut seconds = 0;
    for (part, unit) in parts.zip([3600, 60, 1]) {
        seconds += part.parse::<i32>().ok()? * unit;
    }
    Some(sign * seconds)
}
