//! Background tabs, in which a page's scripts run so that it can be read.
//!
//! Driving example: `https://tides.example/app` is an empty frame and a script. A blank tab is
//! opened in the background, request rules for this tab are set, and only then it is navigated to
//! the address. No cookies are sent or stored, private addresses are blocked, it can't navigate to
//! another site, and images, media and fonts are not loaded. The rules are removed with the tab.
//! Deliberately absent: the decision when to read and close it (`web`).
//!
//! Rules apply only to sites that Gloss may read. If that is only the page's site, the page gets a
//! content security policy that confines it ([`CONFINED`]): scripts may come from other origins,
//! without credentials, and nothing else. The page can still navigate its tab to another site, as
//! any page can; such a tab is closed unread.
//!
//! The page's own storage, cookies that its scripts set, and its service worker work as in any tab.
//! Rules don't cover them, and `PRIVACY.md` says so.

use super::{chrome, json};
use gloss_durable::json::put;
use gloss_host::{BackgroundTab, SiteAccess, TabId, private_patterns};
use js_sys::{Promise, Reflect};
use serde_json::{Value, json};
use std::ops::Range;
use wasm_bindgen::{JsError, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The first number of the tabs' rules; those of [`super::guard`] are smaller.
const FIRST_RULE: u32 = 101;

/// The number of rule ids that are reserved for each background tab.
const RULES: u32 = 20;

/// All resource types; a rule without this list doesn't apply to the page itself.
const ALL: [&str; 15] = [
    "main_frame",
    "sub_frame",
    "stylesheet",
    "script",
    "image",
    "font",
    "object",
    "xmlhttprequest",
    "ping",
    "csp_report",
    "media",
    "websocket",
    "webtransport",
    "webbundle",
    "other",
];

/// The resource types that the page's text doesn't need.
const NEEDLESS: [&str; 6] = ["image", "font", "object", "ping", "csp_report", "media"];

/// The content security policy added to a page where rules reach no other site. It allows the
/// page's own site and scripts from any origin, which are requested without cookies.
const CONFINED: &str = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; \
    script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: https:; frame-src 'none'; \
    form-action 'none'";

/// Opens a blank background tab.
pub(super) async fn open() -> Result<TabId, JsValue> {
    let blank = json::write(&json!({ "url": "about:blank", "active": false }))?;
    let tab = settled(chrome::create_tab(&blank)).await?;
    let id = Reflect::get(&tab, &"id".into())?.as_f64();
    Ok(TabId(
        id.ok_or_else(|| JsError::new("the tab has no number"))? as i32,
    ))
}

/// Navigates the tab to an address; fails without navigating if the rules can't be set.
pub(super) async fn send(
    beside: BackgroundTab,
    url: &str,
    reach: SiteAccess,
) -> Result<(), JsValue> {
    let host = web_sys::Url::new(url)?.hostname();
    let BackgroundTab { tab, place } = beside;
    let changes = json!({
        "removeRuleIds": numbers(place).collect::<Vec<_>>(),
        "addRules": rules(tab, numbers(place), &host, reach),
    });
    settled(chrome::set_request_rules(&json::write(&changes)?)).await?;
    let sent = json::write(&json!({ "url": url, "muted": true }))?;
    settled(chrome::update_tab(tab.0, &sent)).await?;
    Ok(())
}

/// Closes the tab and removes its rules. Both calls are issued before this returns, and nothing
/// waits for them; the rejection for a tab that is already gone is handled.
pub(super) fn close(beside: BackgroundTab) {
    let changes = json!({ "removeRuleIds": numbers(beside.place).collect::<Vec<_>>() });
    let closed = [
        chrome::remove_tab(beside.tab.0),
        json::write(&changes).and_then(|changes| chrome::set_request_rules(&changes)),
    ];
    for promise in closed.into_iter().flatten() {
        drop(JsFuture::from(promise));
    }
}

/// The rule ids of the tab in this slot.
fn numbers(place: u8) -> Range<u32> {
    let first = FIRST_RULE + RULES * u32::from(place);
    first..first + RULES
}

fn rules(tab: TabId, numbers: Range<u32>, host: &str, reach: SiteAccess) -> Vec<Value> {
    let block = || json!({ "type": "block" });
    let private = private_patterns().into_iter().map(|pattern| {
        let condition = json!({ "resourceTypes": ALL, "regexFilter": pattern });
        (block(), condition)
    });
    let without = |header| json!([{ "header": header, "operation": "remove" }]);
    let cookies = json!({
        "type": "modifyHeaders",
        "requestHeaders": without("cookie"),
        "responseHeaders": without("set-cookie"),
    });
    let site = host.strip_prefix("www.").unwrap_or(host);
    let main = json!({ "resourceTypes": ["main_frame"] });
    let elsewhere = json!({ "resourceTypes": ["main_frame"], "excludedRequestDomains": [site] });
    let others = [
        (cookies, json!({ "resourceTypes": ALL })),
        (block(), elsewhere),
        (block(), json!({ "resourceTypes": NEEDLESS })),
    ];
    let confined = json!({
        "type": "modifyHeaders",
        "responseHeaders": [
            { "header": "content-security-policy", "operation": "append", "value": CONFINED },
            {
                "header": "cross-origin-embedder-policy",
                "operation": "set",
                "value": "credentialless",
            },
        ],
    });
    let confined = Some((confined, main)).filter(|_| reach == SiteAccess::ItsSite);
    let rule = |(id, (action, mut condition)): (u32, (Value, Value))| {
        put(&mut condition, "tabIds", json!([tab.0]));
        json!({ "id": id, "action": action, "condition": condition })
    };
    let all = private.chain(others).chain(confined);
    numbers.zip(all).map(rule).collect()
}

async fn settled(promise: Result<Promise, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(promise?).await
}
