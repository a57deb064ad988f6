//! Background tabs. Some pages can be read only after their scripts have run in a tab.
//!
//! Example: the HTML of `https://tides.example/app` contains only a script. Gloss opens a blank tab
//! in the background, sets request rules for this tab, and then navigates the tab to the address.
//! With these rules, the tab's requests send no cookies, their responses set none, and private
//! addresses are blocked. The page can't navigate to another site, and images, media and fonts are
//! not loaded. The rules are removed when the tab is closed. The crate `web` decides when the page
//! is read and when the tab is closed.
//!
//! Chrome applies the rules only to requests to sites that Gloss may read. If Gloss may read only
//! the page's own site, a content security policy ([`CONFINED`]) is added to the page. The policy
//! blocks requests to other origins, except for scripts, which are requested without credentials.
//! The policy doesn't prevent the page from navigating to another site; the tab is then closed
//! without being read.
//!
//! The rules don't affect the page's storage, its service worker, and the cookies that its scripts
//! set. These work as in any other tab, as `PRIVACY.md` says.

use super::chrome::{self, settled};
use super::json;
use super::object::field;
use gloss_durable::json::put;
use gloss_host::{BackgroundTab, SiteAccess, TabId, private_patterns};
use serde_json::{Value, json};
use std::ops::Range;
use wasm_bindgen::{JsError, JsValue};
use wasm_bindgen_futures::JsFuture;

/// The first rule id for background tabs. The rules in [`super::redirect_guard`] have smaller ids.
const FIRST_RULE: u32 = 101;

/// The number of rule ids for each background tab.
const RULES: u32 = 20;

/// All resource types. Without this list, a rule wouldn't apply to the request for the page itself.
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

/// The resource types that aren't needed to read the page's text.
const NEEDLESS: [&str; 6] = ["image", "font", "object", "ping", "csp_report", "media"];

/// The content security policy for a page if Gloss may read no other site. The policy allows
/// requests to the page's own origin, and scripts from any HTTPS origin without cookies.
const CONFINED: &str = "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; \
    script-src 'self' 'unsafe-inline' 'unsafe-eval' blob: https:; frame-src 'none'; \
    form-action 'none'";

pub(super) async fn open() -> Result<TabId, JsValue> {
    let blank = json::write(&json!({ "url": "about:blank", "active": false }))?;
    let tab = settled(chrome::create_tab(&blank)).await?;
    let id = field(&tab, "id").as_f64();
    let id = id.ok_or_else(|| JsError::new("the tab has no number"))?;
    Ok(TabId(id as i32))
}

/// Sets the tab's rules, then navigates the tab to an address. If the rules can't be set, the tab
/// is not navigated.
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

/// Closes the tab and removes its rules. Both calls are issued before this function returns. Their
/// results are ignored, because the user may have closed the tab before.
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

/// Returns the rule ids for the background tab with the slot number `place`, from 0.
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
