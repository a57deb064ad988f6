//! The entry point of the offscreen page, a page without a window, of which Chrome allows only
//! one.
//!
//! Example: the service worker has no canvas, and can't start a `Worker`. The offscreen
//! page can do both. The worker opens that page, and sends it a picture through a port. The page
//! returns the text in the picture.

use gloss::host_browser::offscreen::page;

fn main() -> Result<(), wasm_bindgen::JsValue> {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        page::close();
    }));
    page::serve()
}
