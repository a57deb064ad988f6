//! Chrome's own question, whether Gloss may speak to a server.

use super::browser::ask_for;
use crate::browser::host_of;
use gloss::app::preferences::origin_of;

/// Asks for the server at `base_url` and then calls `then` with the host that was
/// refused, if it was. Call it in a click, before any await.
pub(crate) fn with_leave(base_url: &str, then: impl FnOnce(Option<String>) + 'static) {
    // What is no address is refused at its field, by the worker.
    if origin_of(base_url).is_none() {
        then(None);
        return;
    }
    let (asked, host) = (ask_for(base_url), host_of(base_url));
    wasm_bindgen_futures::spawn_local(async move {
        then((!asked.await).then_some(host));
    });
}
