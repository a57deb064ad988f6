//! The offscreen page's entry point: the one page without a window that Chrome allows.
//!
//! Driving example: the service worker has no canvas, and can't start a Worker. It opens this page,
//! which can, and sends it a picture to read through a port. The page decides nothing.

use gloss::host_browser::offscreen::page;

fn main() -> Result<(), wasm_bindgen::JsValue> {
    std::panic::set_hook(Box::new(|panic| {
        console_error_panic_hook::hook(panic);
        page::close();
    }));
    page::serve()
}
