//! [`Tabs`]: `capture.js` injected into a tab, and Chrome's refusals sorted.
//!
//! Driving example: on a tab where the user opened Gloss the script's result comes
//! back as a [`Capture`] with the document's id; on the Web Store Chrome rejects
//! the call with words, which [`refusal`] turns into [`CaptureError::Forbidden`].

use super::super::{Capture, CaptureError, Fut, TabId, Tabs};
use super::chrome::{self, words};
use super::json;
use js_sys::{Array, Reflect};
use serde::Serialize;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// `chrome.scripting`.
pub(super) struct ChromeTabs;

impl Tabs for ChromeTabs {
    fn capture(&self, tab: TabId) -> Fut<Result<Capture, CaptureError>> {
        Box::pin(async move {
            let injection = json::write(&Injection {
                target: Target { tab_id: tab },
                files: ["capture.js"],
                inject_immediately: true,
            })
            .map_err(|error| failed(&words(&error)))?;
            let results = match chrome::execute_script(&injection) {
                Ok(promise) => JsFuture::from(promise).await,
                Err(thrown) => Err(thrown),
            };
            results
                .map_err(|error| refusal(&words(&error)))
                .and_then(|results| capture(&results.unchecked_into()))
        })
    }
}

#[derive(Serialize)]
struct Injection {
    target: Target,
    files: [&'static str; 1],
    /// Not when the page has loaded: some never do.
    #[serde(rename = "injectImmediately")]
    inject_immediately: bool,
}

#[derive(Serialize)]
struct Target {
    #[serde(rename = "tabId")]
    tab_id: TabId,
}

/// The main frame's result. A script that threw has none: Chrome tells nobody why.
fn capture(results: &Array) -> Result<Capture, CaptureError> {
    let first = results.get(0);
    let page = field(&first, "result");
    if !page.is_object() {
        return Err(failed("the page gave no result"));
    }
    Reflect::set(&page, &"document".into(), &field(&first, "documentId"))
        .map_err(|error| failed(&words(&error)))?;
    json::read(&page).map_err(|error| failed(&error.to_string()))
}

fn field(object: &JsValue, name: &str) -> JsValue {
    Reflect::get(object, &name.into()).unwrap_or(JsValue::UNDEFINED)
}

fn failed(message: &str) -> CaptureError {
    CaptureError::Failed {
        message: message.to_owned(),
    }
}

/// Chrome has words only. Where a page is both out of bounds and without
/// permission, the bounds are what the person must hear of.
fn refusal(message: &str) -> CaptureError {
    const GONE: [&str; 3] = ["No tab with id", "The tab was closed", "was removed"];
    const FORBIDDEN: [&str; 4] = [
        "cannot be scripted",
        "Cannot access a chrome",
        "extensions gallery",
        "error page",
    ];
    const NO_ACCESS: [&str; 3] = [
        "Cannot access contents of",
        "must request permission",
        "Missing host permission",
    ];
    let says = |any: &[&str]| any.iter().any(|words| message.contains(words));
    if says(&GONE) {
        CaptureError::Gone
    } else if says(&FORBIDDEN) {
        CaptureError::Forbidden
    } else if says(&NO_ACCESS) {
        CaptureError::NoAccess
    } else {
        failed(message)
    }
}
