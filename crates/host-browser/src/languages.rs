//! [`Languages`] on `chrome.i18n`.

use super::{chrome, json};
use gloss_durable::Fut;
use gloss_host::Languages;
use js_sys::Array;
use serde::Deserialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

#[wasm_bindgen]
extern "C" {
    /// Returns the canonical form of a language tag. Throws if the tag is invalid.
    #[wasm_bindgen(catch, js_namespace = Intl, js_name = getCanonicalLocales)]
    fn canonical(tag: &str) -> Result<Array, JsValue>;
}

pub(super) struct I18n;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detected {
    is_reliable: bool,
    /// The languages of the text, the most frequent one first.
    languages: Vec<Share>,
}

#[derive(Deserialize)]
struct Share {
    language: String,
}

impl Languages for I18n {
    fn interface(&self) -> String {
        chrome::interface_language()
    }

    fn detect(&self, text: &str) -> Fut<Option<String>> {
        let detected = chrome::detect_language(text);
        Box::pin(async move {
            let detected = JsFuture::from(detected.ok()?).await.ok()?;
            let detected: Detected = json::read(&detected).ok()?;
            let most = detected.languages.first();
            let most = most.filter(|_| detected.is_reliable)?;
            // Chrome returns `iw`, an older code, for Hebrew. The canonical code is `he`.
            canonical(&most.language).ok()?.get(0).as_string()
        })
    }
}
