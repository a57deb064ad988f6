//! [`Grants`] on `chrome.permissions`.

use super::object::{field, object};
use super::{chrome, json};
use gloss_durable::Fut;
use gloss_host::{ALL_SITES, Grants};
use js_sys::Array;
use serde_json::json;
use wasm_bindgen::JsValue;

pub(super) struct Permissions;

impl Grants for Permissions {
    fn covers(&self, url: &str) -> Fut<bool> {
        let pattern = match url {
            ALL_SITES => Ok(ALL_SITES.to_owned()),
            url => web_sys::Url::new(url).map(|url| format!("{}/*", url.origin())),
        };
        Box::pin(async move {
            let Ok(pattern) = pattern else { return false };
            let asked = json::write(&json!({ "origins": [pattern] }));
            let asked = asked.and_then(|asked| chrome::permitted(&asked));
            chrome::settled(asked)
                .await
                .is_ok_and(|granted| granted.is_truthy())
        })
    }

    fn revoke_all(&self) -> Fut<()> {
        Box::pin(async {
            let Ok(all) = chrome::settled(chrome::permissions()).await else {
                return;
            };
            // Chrome refuses the whole request if it names a permission that the manifest requires.
            let tabs = Array::of1(&JsValue::from_str("tabs"));
            let given = [
                ("origins", field(&all, "origins")),
                ("permissions", tabs.into()),
            ];
            let _ = chrome::settled(chrome::remove_permissions(&object(&given))).await;
        })
    }
}
