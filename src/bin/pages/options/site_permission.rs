//! Chrome's permission dialog for connecting to a server.

use crate::browser::host_of;
use crate::grants::request_all;
use gloss::app::preferences::origin_of;

/// Asks Chrome for the permission to connect to `url`. Then calls `then` with the host if the user
/// declined, and with `None` otherwise. Chrome shows its dialog only while a click is handled, so
/// there must be no await before the call.
pub(crate) fn request_permission(url: Option<&str>, then: impl FnOnce(Option<String>) + 'static) {
    // The worker refuses an invalid address, and the field shows the reason.
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
