//! [`Grants`] on `chrome.permissions`.

use super::{chrome, json};
use gloss_durable::Fut;
use gloss_host::{ALL_SITES, Grants};
use serde_json::json;

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
}
