//! Request rules that block redirects to private addresses, when the extension itself requests a
//! page. They are needed because `fetch` doesn't tell an extension where a redirect leads.
//!
//! The rules are set before the first request for a page, and last until the browser session ends.
//! A server that the user chose may run on this machine. Requests to such a server are exempt from
//! the rules, and their redirects are never followed. The address of an exempt request has a secret
//! mark after the `#`; browsers don't send this part of an address to the server.
//!
//! Measured in Chromium 156: the rules can see the part of an address after the `#`. A rule applies
//! only if the extension may read the requested address. The rules from [`private_patterns`]
//! therefore apply only to addresses that Gloss may read. For other addresses, [`LEADS_THERE`]
//! checks the `Location` header of the redirecting site, and recognises only targets that are
//! spelled out in the header.
//! No other check relies on these rules: the final address of a redirected page is always checked
//! before the page's text is used.

use super::chrome::{self, settled};
use super::json;
use gloss_host::{HttpRequest, private_patterns, private_redirect_patterns};
use serde::Deserialize;
use serde_json::{Value, json};

/// The id of the rule that blocks a redirect if its `Location` header contains a private address.
const LEADS_THERE: u32 = 5;

/// The id of the rule that exempts marked requests. It has the highest priority.
const EXEMPT: u32 = 6;

/// The fields that this file reads of an existing rule.
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

/// Sets the rules, unless they are set already. If the browser refuses, pages are requested without
/// the rules.
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

/// Returns the secret mark in the existing rules; `None` if the rules are not set.
async fn mark() -> Option<String> {
    let standing = settled(chrome::request_rules()).await.ok()?;
    let standing: Vec<Standing> = json::read(&standing).ok()?;
    let exempt = standing.into_iter().find(|rule| rule.id == EXEMPT)?;
    let mark = exempt.condition.regex_filter;
    Some(mark.trim_end_matches('$').to_owned())
}
