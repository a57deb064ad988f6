//! Request rules that stop the extension's own page requests from reaching private addresses
//! through redirects, which `fetch` doesn't reveal to an extension.
//!
//! The rules are set before the first page request and last until the browser session ends. A
//! server that the user chose may be on this machine. Requests to such a server never follow
//! redirects; they carry a mark after the `#`, which no server sees and only the rules know.
//!
//! Measured in Chromium 156: rules see the part after the `#`, and apply where the extension may
//! read the requested address. The rules from [`private_patterns`] therefore apply where that is
//! permitted, and [`LEADS_THERE`] applies at the redirecting site, as far as its target is in plain
//! form. No check relies on these rules: the text of a redirected page is judged by its final
//! address.

use super::{chrome, json};
use gloss_host::{HttpRequest, private_patterns, private_redirect_patterns};
use js_sys::Promise;
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

/// The rule against redirects that clearly lead to a private address.
const LEADS_THERE: u32 = 5;

/// The rule with the highest priority, which exempts marked requests.
const EXEMPT: u32 = 6;

/// The parts of an existing rule that are read here.
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

/// Sets the rules unless they are already set. If the browser refuses, page requests continue
/// without them.
pub(super) async fn install_rules() {
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
    let leads_there = json!([{ "header": "location", "values": private_redirect_patterns() }]);
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

/// Adds the mark that exempts a request from the rules.
pub(super) async fn exempt(mut request: HttpRequest) -> HttpRequest {
    if let Some(mark) = mark().await.filter(|_| !request.url.contains('#')) {
        request.url.push_str(&mark);
    }
    request
}

/// The mark of the existing rules; `None` if they are not set.
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
