//! Chrome's own question: may Gloss connect to a server?

use super::browser::ask_for;
use crate::browser::host_of;
use gloss::app::preferences::origin_of;

/// Asks for the server at `url`, if there is one to ask for, and then calls `then` with the
/// host that was declined, if it was. Call it in a click, before any await.
pub(crate) fn ask_chrome(url: Option<&str>, then: impl FnOnce(Option<String>) + 'static) {
    // The worker refuses what is no address, at its field.
    let Some(url) = url.filter(|url| origin_of(url).is_some()) else {
        then(None);
        return;
    };
    let (asked, host) = (ask_for(url), host_of(url));
    wasm_bindgen_futures::spawn_local(async move {
        then((!asked.await).then_some(host));
    });
}
