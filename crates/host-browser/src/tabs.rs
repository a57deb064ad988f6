//! [`Tabs`]: `capture.js` injected into a tab, and Chrome's refusals sorted.
//!
//! Driving example: on a tab where the user opened Gloss the script's result comes
//! back as a [`Capture`] with the document's id; on the Web Store Chrome rejects
//! the call with words, which [`refusal`] turns into [`CaptureError::Forbidden`].

use super::chrome::{self, words};
use super::{assets, beside, json};
use gloss_durable::Fut;
use gloss_host::{Beside, Capture, CaptureError, Reach, Shot, ShotError, TabId, Tabs};
use js_sys::{Array, Reflect, Uint8Array};
use serde_json::json;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// `chrome.scripting`.
pub(super) struct ChromeTabs;

impl Tabs for ChromeTabs {
    fn capture(&self, tab: TabId) -> Fut<Result<Capture, CaptureError>> {
        Box::pin(async move {
            // Not when the page has loaded: some never do.
            let injection = json::write(&json!({
                "target": { "tabId": tab },
                "files": ["capture.js"],
                "injectImmediately": true,
            }))
            .map_err(|error| failed(&words(&error)))?;
            let results = match chrome::execute_script(&injection) {
                Ok(promise) => JsFuture::from(promise).await,
                Err(thrown) => Err(thrown),
            };
            let results = match results {
                Ok(results) => results,
                Err(error) => return Err(refused(tab, &words(&error)).await),
            };
            let shown = capture(&results.unchecked_into())?;
            let is_bare = || shown.pdf_bytes().is_some_and(|bytes| bytes.is_empty());
            if !shown.url.starts_with("file:") || !is_bare() {
                return Ok(shown);
            }
            // A file may not read itself; who may see files can.
            let file = assets::fetched(&shown.url).await;
            let file = file.map_err(|_| CaptureError::Files)?;
            Ok(shown.with_pdf(&Uint8Array::new(&file).to_vec()))
        })
    }

    fn shows(&self, tab: TabId, document: &str) -> Fut<bool> {
        let document = document.to_owned();
        Box::pin(async move { put_style(tab, document).await.is_ok() })
    }

    fn screenshot(&self, tab: TabId, document: Option<String>) -> Fut<Result<Shot, ShotError>> {
        Box::pin(async move {
            let shown = in_front(tab).await?;
            // Before, so that it is this document's rights that are told of.
            stands(tab, document.as_ref()).await?;
            let window = field(&shown, "windowId").as_f64().unwrap_or_default();
            let options = js_sys::Object::new();
            // Setting a field of a plain object cannot fail.
            let _ = Reflect::set(&options, &"format".into(), &"png".into());
            let taken = match chrome::capture_visible_tab(window as i32, &options) {
                Ok(promise) => JsFuture::from(promise).await,
                Err(thrown) => Err(thrown),
            };
            let taken = taken.map_err(|error| untaken(&words(&error)))?;
            // Another may have come to the front meanwhile, or into this tab.
            in_front(tab).await?;
            stands(tab, document.as_ref()).await?;
            Ok(Shot {
                data_url: taken.as_string().unwrap_or_default(),
                width: field(&shown, "width").as_f64().map(|width| width as u32),
            })
        })
    }

    fn open(&self) -> Fut<Result<TabId, CaptureError>> {
        Box::pin(async move {
            let opened = beside::open().await;
            opened.map_err(|error| failed(&words(&error)))
        })
    }

    fn send(&self, beside: Beside, url: &str, reach: Reach) -> Fut<Result<(), CaptureError>> {
        let url = url.to_owned();
        Box::pin(async move {
            let sent = beside::send(beside, &url, reach).await;
            sent.map_err(|error| failed(&words(&error)))
        })
    }

    fn close(&self, beside: Beside) {
        beside::close(beside);
    }
}

/// The tab, if it is the one that its window shows.
async fn in_front(tab: TabId) -> Result<JsValue, ShotError> {
    let found = match chrome::tab(tab.0) {
        Ok(promise) => JsFuture::from(promise).await,
        Err(thrown) => Err(thrown),
    };
    let found = found.map_err(|_| ShotError::Gone)?;
    match field(&found, "active").as_bool() {
        Some(true) => Ok(found),
        _ => Err(ShotError::Hidden),
    }
}

/// Whether a tab still shows this document, if one is named.
async fn stands(tab: TabId, document: Option<&String>) -> Result<(), ShotError> {
    let Some(document) = document else {
        return Ok(());
    };
    match put_style(tab, document.clone()).await {
        Err(error) if words(&error).contains("No document with id") => Err(ShotError::Moved),
        // Whether there are rights to it, the picture itself will say.
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Puts a style sheet, which is empty, into a document: Chrome puts it into none that is gone.
async fn put_style(tab: TabId, document: String) -> Result<(), JsValue> {
    let target = json!({ "tabId": tab, "documentIds": [document] });
    let style = json::write(&json!({ "target": target, "css": "" }));
    let put = chrome::insert_css(&style?)?;
    JsFuture::from(put).await.map(|_| ())
}

fn untaken(message: &str) -> ShotError {
    if message.contains("permission is required") || message.contains("Cannot access contents of") {
        return ShotError::NoAccess;
    }
    ShotError::Failed {
        message: message.to_owned(),
    }
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

/// Why Chrome refused. It refuses a page that no permission opens (one of Gloss's own, a blank
/// one) in the same words as a site without permission; the address tells them apart, and where
/// Chrome withholds it (148), the list of our own pages.
async fn refused(tab: TabId, message: &str) -> CaptureError {
    match refusal(message) {
        CaptureError::NoAccess if is_shut(tab).await || is_own(tab).await.unwrap_or_default() => {
            CaptureError::Forbidden
        }
        refusal => refusal,
    }
}

/// Whether the tab's address is one that no permission opens.
async fn is_shut(tab: TabId) -> bool {
    let Ok(asked) = chrome::tab(tab.0) else {
        return false;
    };
    let found = JsFuture::from(asked).await.unwrap_or_default();
    let address = field(&found, "url").as_string();
    address.is_some_and(|address| CaptureError::is_of(&address))
}

/// Whether the tab shows a page of this extension.
async fn is_own(tab: TabId) -> Option<bool> {
    let filter = json::write(&json!({ "contextTypes": ["TAB"], "tabIds": [tab] }));
    let found = chrome::contexts(&filter.ok()?).ok()?;
    let found = JsFuture::from(found).await.ok()?;
    Some(Array::from(&found).length() > 0)
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
    // Some of its words have the address in them.
    let named = message.split_once("url \"").map(|(_, rest)| rest);
    if says(&GONE) {
        CaptureError::Gone
    } else if says(&FORBIDDEN) || named.is_some_and(CaptureError::is_of) {
        CaptureError::Forbidden
    } else if says(&NO_ACCESS) && message.contains("file:") {
        CaptureError::Files
    } else if says(&NO_ACCESS) {
        CaptureError::NoAccess
    } else {
        failed(message)
    }
}
