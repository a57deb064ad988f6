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
use gloss_host::{Beside, Reach, TabId, private_patterns};
use js_sys::{Promise, Reflect};
use serde::Serialize;
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
const CONFINED: [Header; 2] = [
    Header {
        name: "content-security-policy",
        operation: "append",
        value: Some(
            "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; script-src 'self' \
             'unsafe-inline' 'unsafe-eval' blob: https:; frame-src 'none'; form-action 'none'",
        ),
    },
    Header {
        name: "cross-origin-embedder-policy",
        operation: "set",
        value: Some("credentialless"),
    },
];

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Changes {
    remove_rule_ids: Vec<u32>,
    add_rules: Vec<Rule>,
}

#[derive(Serialize)]
struct Rule {
    id: u32,
    action: Action,
    condition: Condition,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Action {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    request_headers: Option<Vec<Header>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_headers: Option<Vec<Header>>,
}

#[derive(Serialize)]
struct Header {
    #[serde(rename = "header")]
    name: &'static str,
    operation: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Condition {
    tab_ids: [i32; 1],
    resource_types: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regex_filter: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    excluded_request_domains: Option<[String; 1]>,
}

#[derive(Serialize)]
struct Blank {
    url: &'static str,
    active: bool,
}

#[derive(Serialize)]
struct Sent<'u> {
    url: &'u str,
    muted: bool,
}

/// Opens it, blank.
pub(super) async fn open() -> Result<TabId, JsValue> {
    let blank = json::write(&Blank {
        url: "about:blank",
        active: false,
    })?;
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
    let changes = Changes {
        remove_rule_ids: numbers(place).collect(),
        add_rules: rules(tab, numbers(place), &host, reach),
    };
    settled(chrome::set_request_rules(&json::write(&changes)?)).await?;
    let sent = json::write(&Sent { url, muted: true })?;
    settled(chrome::update_tab(tab.0, &sent)).await?;
    Ok(())
}

/// Closes it and takes its rules down, issued before this returns: one that is gone already
/// is closed, its rejection is handled, and nobody waits.
pub(super) fn close(beside: Beside) {
    let changes = Changes {
        remove_rule_ids: numbers(beside.place).collect(),
        add_rules: Vec::new(),
    };
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

fn rules(tab: TabId, numbers: Range<u32>, host: &str, reach: Reach) -> Vec<Rule> {
    let condition = |types: &[&'static str]| Condition {
        tab_ids: [tab.0],
        resource_types: types.to_vec(),
        regex_filter: None,
        excluded_request_domains: None,
    };
    let block = |condition| {
        let action = Action {
            r#type: "block",
            request_headers: None,
            response_headers: None,
        };
        (action, condition)
    };
    let without = |header| {
        Some(vec![Header {
            name: header,
            operation: "remove",
            value: None,
        }])
    };
    let confined = Action {
        r#type: "modifyHeaders",
        request_headers: None,
        response_headers: Some(CONFINED.into()),
    };
    let confined = (confined, condition(&["main_frame"]));
    let confined = Some(confined).filter(|_| reach == Reach::ItsSite);
    let cookies = Action {
        r#type: "modifyHeaders",
        request_headers: without("cookie"),
        response_headers: without("set-cookie"),
    };
    let site = host.strip_prefix("www.").unwrap_or(host).to_owned();
    let elsewhere = Condition {
        excluded_request_domains: Some([site]),
        ..condition(&["main_frame"])
    };
    let private = private_patterns().into_iter().map(|pattern| {
        block(Condition {
            regex_filter: Some(pattern),
            ..condition(&ALL)
        })
    });
    let others = [
        (cookies, condition(&ALL)),
        block(elsewhere),
        block(condition(&NEEDLESS)),
    ];
    numbers
        .zip(private.chain(others).chain(confined))
        .map(|(id, (action, condition))| Rule {
            id,
            action,
            condition,
        })
        .collect()
}

async fn settled(promise: Result<Promise, JsValue>) -> Result<JsValue, JsValue> {
    JsFuture::from(promise?).await
}
