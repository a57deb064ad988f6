//! Chrome's permission dialog for connecting to a server.

use crate::browser::host_of;
use crate::grants::request_all;
use gloss::app::preferences::origin_of;

/// Asks Chrome for the server at `url`, if any, and then calls `then` with the host if it was
/// declined. Must be called within a click, before any await.
pub(crate) fn request_permission(url: Option<&str>, then: impl FnOnce(Option<String>) + 'static) {
    // The worker refuses an invalid address, at its field.
    let url = url.filter(|url| origin_of(url).is_some());
    let Some((url, parsed)) = url.and_then(|url| Some((url, web_sys::Url::new(url).ok()?))) else {
        then(None);
        return;
    };
    let host = host_of(url);
    request_all(&[parsed.origin()], move |given| {
        then((!given).then_some(host));
    });
}
