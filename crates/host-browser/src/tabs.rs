//! [`Tabs`] on `chrome.tabs` and `chrome.scripting`: injects `capture.js` into a tab, and
//! classifies Chrome's errors.
//!
//! Example: the user opened Gloss on a tab. The script's result becomes a [`Capture`] with
//! the id of the tab's document. In the Web Store, Chrome refuses the injection with a message, and
//! [`refusal`] converts the message to [`CaptureError::Forbidden`].

use super::chrome::{self, error_message, settled};
use super::object::{field, object, set};
use super::{assets, background_tab, json};
use gloss_durable::Fut;
use gloss_host::{BackgroundTab, Capture, CaptureError, Shot, ShotError, SiteAccess, TabId, Tabs};
use js_sys::{Array, Uint8Array};
use serde_json::json;
use wasm_bindgen::prelude::*;

pub(super) struct ChromeTabs;

impl Tabs for ChromeTabs {
    fn capture(&self, tab: TabId) -> Fut<Result<Capture, CaptureError>> {
        Box::pin(async move {
            // The script is injected while the page is still loading, because some pages never
            // finish loading.
            let injection = json::write(&json!({
                "target": { "tabId": tab },
                "files": ["capture.js"],
                "injectImmediately": true,
            }))
            .map_err(|error| failed(&error_message(&error)))?;
            let results = match settled(chrome::execute_script(&injection)).await {
                Ok(results) => results,
                Err(error) => return Err(refused(tab, &error_message(&error)).await),
            };
            let shown = capture(&results.unchecked_into())?;
            let is_bare = || shown.pdf_bytes().is_some_and(|bytes| bytes.is_empty());
            if !shown.url.starts_with("file:") || !is_bare() {
                return Ok(shown);
            }
            // A script in a `file:` page can't read the PDF's bytes. The extension can, if the user
            // allows it access to files.
            let file = assets::fetched(&shown.url).await;
            let file = file.map_err(|_| CaptureError::Files)?;
            Ok(shown.with_pdf(&Uint8Array::new(&file).to_vec()))
        })
    }

    fn address(&self, tab: TabId) -> Fut<Option<String>> {
        Box::pin(async move {
            let found = settled(chrome::tab(tab.0)).await.ok()?;
            field(&found, "url").as_string()
        })
    }

    fn shows(&self, tab: TabId, document: &str) -> Fut<bool> {
        let document = document.to_owned();
        Box::pin(async move { put_style(tab, document).await.is_ok() })
    }

    fn screenshot(&self, tab: TabId, document: Option<String>) -> Fut<Result<Shot, ShotError>> {
        Box::pin(async move {
            let shown = in_front(tab).await?;
            // The document is checked first. A permission error of the screenshot is then about
            // this document, not about another one in the same tab.
            stands(tab, document.as_ref()).await?;
            let window = field(&shown, "windowId").as_f64().unwrap_or_default();
            let options = object(&[("format", "png".into())]);
            let taken = settled(chrome::capture_visible_tab(window as i32, &options)).await;
            let taken = taken.map_err(|error| untaken(&error_message(&error)))?;
            // During the await, another tab may have become active, or this tab may have navigated.
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
            let opened = background_tab::open().await;
            opened.map_err(|error| failed(&error_message(&error)))
        })
    }

    fn send(
        &self,
        beside: BackgroundTab,
        url: &str,
        reach: SiteAccess,
    ) -> Fut<Result<(), CaptureError>> {
        let url = url.to_owned();
        Box::pin(async move {
            let sent = background_tab::send(beside, &url, reach).await;
            sent.map_err(|error| failed(&error_message(&error)))
        })
    }

    fn close(&self, beside: BackgroundTab) {
        background_tab::close(beside);
    }
}

/// Returns the tab if it is the active one in its window.
async fn in_front(tab: TabId) -> Result<JsValue, ShotError> {
    let found = settled(chrome::tab(tab.0)).await;
    let found = found.map_err(|_| ShotError::Gone)?;
    match field(&found, "active").as_bool() {
        Some(true) => Ok(found),
        _ => Err(ShotError::Hidden),
    }
}

/// Fails if a document is given and the tab no longer shows it.
async fn stands(tab: TabId, document: Option<&String>) -> Result<(), ShotError> {
    let Some(document) = document else {
        return Ok(());
    };
    match put_style(tab, document.clone()).await {
        Err(error) if error_message(&error).contains("No document with id") => {
            Err(ShotError::Moved)
        }
        // Every other error is ignored. If Gloss has no permission for the tab, the screenshot
        // fails with the same error.
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Inserts an empty style sheet into a document. Chrome refuses if the tab no longer shows that
/// document.
async fn put_style(tab: TabId, document: String) -> Result<(), JsValue> {
    let target = json!({ "tabId": tab, "documentIds": [document] });
    let style = json::write(&json!({ "target": target, "css": "" }));
    settled(chrome::insert_css(&style?)).await.map(drop)
}

fn untaken(message: &str) -> ShotError {
    if message.contains("permission is required") || message.contains("Cannot access contents of") {
        return ShotError::NoAccess;
    }
    ShotError::Failed {
        message: message.to_owned(),
    }
}

/// Returns the result of the script in the main frame. If the script threw an exception, Chrome
/// returns neither a result nor a reason.
fn capture(results: &Array) -> Result<Capture, CaptureError> {
    let first = results.get(0);
    let page = field(&first, "result");
    if !page.is_object() {
        return Err(failed("the page gave no result"));
    }
    set(
        page.unchecked_ref(),
        "document",
        &field(&first, "documentId"),
    );
    json::read(&page).map_err(|error| failed(&error.to_string()))
}

fn failed(message: &str) -> CaptureError {
    CaptureError::Failed {
        message: message.to_owned(),
    }
}

/// Classifies Chrome's refusal to inject the script. Chrome uses one message for two cases: a site
/// without permission, and a page on which no extension is allowed, such as a blank page. The tab's
/// address distinguishes the two cases. Chrome 148 may withhold the address. Gloss then looks for
/// the tab among its own pages.
async fn refused(tab: TabId, message: &str) -> CaptureError {
    match refusal(message) {
        CaptureError::NoAccess if is_shut(tab).await || is_own(tab).await.unwrap_or_default() => {
            CaptureError::Forbidden
        }
        refusal => refusal,
    }
}

/// Returns true if Chrome allows no extension on the tab's page.
async fn is_shut(tab: TabId) -> bool {
    let address = ChromeTabs.address(tab).await;
    address.is_some_and(|address| CaptureError::is_of(&address))
}

/// Returns true if the tab shows a page of this extension; `None` if Chrome doesn't answer.
async fn is_own(tab: TabId) -> Option<bool> {
    let filter = json::write(&json!({ "contextTypes": ["TAB"], "tabIds": [tab] }));
    let found = settled(chrome::contexts(&filter.ok()?)).await.ok()?;
    Some(Array::from(&found).length() > 0)
}

/// Classifies an error by its message, because Chrome gives no error code. If Chrome forbids
/// extensions on the page and the permission is missing too, returns `Forbidden`.
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
    // Some messages contain the page's address, as in `url "chrome://settings"`.
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
