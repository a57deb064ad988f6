//! The rules by which the browser stops our own reading of the web short of private addresses,
//! where a redirect leads: an extension's `fetch` is not told.
//!
//! They stand from the first page that is read until the browser's session ends. A server
//! that the person chose may well be on this machine: what is sent to one (never
//! followed anywhere) carries a mark behind the `#`, which no server sees and only the rules
//! know. Measured in Chromium 156: rules see what stands behind the `#`; they apply where the
//! extension may read the address that is asked for, so those of [`private_patterns`] where that is
//! granted, and [`LEADS_THERE`] at the site that sends on, as far as its words are plain. Nothing here
//! is relied on: the text of a page that came from elsewhere is judged by where it ended.

use super::{chrome, json};
use gloss_host::{HttpRequest, leads_there, private_patterns};
use js_sys::Promise;
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// Redirects that say plainly that they lead there.
const LEADS_THERE: u32 = 5;

/// Above all others.
const EXEMPT: u32 = 6;

/// What is read of the rules that stand.
#[derive(Deserialize)]
struct Standing {
    id: u32,
    condition: Marked,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Marked {
    #[serde(default)]
    regex_filter: String,
}

/// Puts the rules up, if they don't stand yet. Where the browser refuses, reading goes on
/// without them.
pub(super) async fn stand() {
    if mark().await.is_some() {
        return;
    }
    let mark = chrome::random_uuid();
    let extension = web_sys::Url::new(&chrome::address("")).map(|url| url.host());
    let Ok(extension) = extension else { return };
    let changes = json!({
        "addRules": rules(&extension, &mark),
        "removeRuleIds": [1, 2, 3, 4, LEADS_THERE, EXEMPT],
    });
    if let Ok(changes) = json::write(&changes) {
        let _ = settled(chrome::set_request_rules(&changes)).await;
    }
}

fn rules(extension: &str, mark: &str) -> Vec<Value> {
    let private = (1..).zip(private_patterns());
    let private = private.map(|(id, pattern)| (id, "regexFilter", json!(pattern)));
    let leads_there = json!([{ "header": "location", "values": leads_there() }]);
    let others = [
        (LEADS_THERE, "responseHeaders", leads_there),
        (EXEMPT, "regexFilter", json!(format!("#{mark}$"))),
    ];
    let rule = |(id, filter, value): (u32, &str, Value)| {
        json!({
            "id": id,
            "priority": id,
            "action": { "type": if id == EXEMPT { "allow" } else { "block" } },
            "condition": {
                "initiatorDomains": [extension],
                "requestMethods": ["get"],
                filter: value,
            },
        })
    };
    private.chain(others).map(rule).collect()
}

/// The request so that no rule stops it.
pub(super) async fn exempt(mut request: HttpRequest) -> HttpRequest {
    if let Some(mark) = mark().await.filter(|_| !request.url.contains('#')) {
        request.url.push_str(&mark);
    }
    request
}

/// What exempts from the rules that stand; `None` if none do.
async fn mark() -> Option<String> {
    let standing = settled(chrome::request_rules()).await?;
    let standing: Vec<Standing> = json::read(&standing).ok()?;
    let exempt = standing.into_iter().find(|rule| rule.id == EXEMPT)?;
    let mark = exempt.condition.regex_filter;
    Some(mark.trim_end_matches('$').to_owned())
}

async fn settled(call: Result<Promise, JsValue>) -> Option<JsValue> {
    JsFuture::from(call.ok()?).await.ok()
}
