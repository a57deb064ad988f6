//! A tab beside the person's, in which a page's scripts run so that it can be read.
//!
//! Driving example: `https://tides.example/app` is an empty frame and a script. A blank tab is
//! opened behind the one in front, rules for this tab alone are put up, and only then is it
//! sent to the address: no cookie goes with it and none is kept, nothing private is reached,
//! it leaves its site for no other, and pictures, sounds and fonts stay away. The rules go
//! with the tab. Deliberately absent: when it is read and closed (`web`).
//!
//! Rules act only where Gloss may read. Where that is its site alone, the page is given a policy
//! that keeps it there ([`CONFINED`]): scripts may come from elsewhere, as strangers, and nothing
//! else does. What is left is that it may send its tab to another site, as any page may; that is
//! closed unread.
//! What a site keeps in the browser by itself (its own storage, cookies that its scripts set, a
//! service worker of it) it has here as in every tab: rules do not reach that, and `PRIVACY.md`
//! says so.

use super::{chrome, json};
use gloss_durable::json::put;
use gloss_host::{Beside, Reach, TabId, private_patterns};
use js_sys::{Promise, Reflect};
use serde_json::{Value, json};
use std::ops::Range;
use wasm_bindgen::{JsError, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The numbers of a tab's rules begin here; those of [`super::guard`] are smaller.
const FIRST_RULE: u32 = 101;

/// Each of the tabs that may be open at once has so many.
const RULES: u32 = 20;

/// Everything that a page may ask for; without the list a rule is not for the page itself.
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

/// What its text does not need.
const NEEDLESS: [&str; 6] = ["image", "font", "object", "ping", "csp_report", "media"];

/// What a page is given to obey beside its own policy, where rules reach no other site: its
/// text may take its own site and anybody's scripts, and those are asked for without cookies.
const CONFINED: &str = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; \
    script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: https:; frame-src 'none'; \
    form-action 'none'";

/// Opens it, blank.
pub(super) async fn open() -> Result<TabId, JsValue> {
    let blank = json::write(&json!({ "url": "about:blank", "active": false }))?;
    let tab = settled(chrome::create_tab(&blank)).await?;
    let id = Reflect::get(&tab, &"id".into())?.as_f64();
    Ok(TabId(
        id.ok_or_else(|| JsError::new("the tab has no number"))? as i32,
    ))
}

/// Sends it to an address; without its rules it goes nowhere.
pub(super) async fn send(beside: Beside, url: &str, reach: Reach) -> Result<(), JsValue> {
    let host = web_sys::Url::new(url)?.hostname();
    let Beside { tab, place } = beside;
    let changes = json!({
        "removeRuleIds": numbers(place).collect::<Vec<_>>(),
        "addRules": rules(tab, numbers(place), &host, reach),
    });
    settled(chrome::set_request_rules(&json::write(&changes)?)).await?;
    let sent = json::write(&json!({ "url": url, "muted": true }))?;
    settled(chrome::update_tab(tab.0, &sent)).await?;
    Ok(())
}

/// Closes it and takes its rules down, issued before this returns: one that is gone already
/// is closed, its rejection is handled, and nobody waits.
pub(super) fn close(beside: Beside) {
    let changes = json!({ "removeRuleIds": numbers(beside.place).collect::<Vec<_>>() });
    let closed = [
        chrome::remove_tab(beside.tab.0),
        json::write(&changes).and_then(|changes| chrome::set_request_rules(&changes)),
    ];
    for promise in closed.into_iter().flatten() {
        drop(JsFuture::from(promise));
    }
}

/// The numbers of the rules of the tab at this place.
fn numbers(place: u8) -> Range<u32> {
    let first = FIRST_RULE + RULES * u32::from(place);
    first..first + RULES
}

fn rules(tab: TabId, numbers: Range<u32>, host: &str, reach: Reach) -> Vec<Value> {
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
    let confined = Some((confined, main)).filter(|_| reach == Reach::ItsSite);
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
