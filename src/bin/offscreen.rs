//! The offscreen page's entry point: the one page without a window that Chrome allows.
//!
//! Driving example: the service worker has no `LanguageModel`; it opens this page, which
//! has, and is asked by a port. It decides nothing.

use gloss::host::browser::built_in::page;

fn main() -> Result<(), wasm_bindgen::JsValue> {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        page::close();
    }));
    page::serve()
}
