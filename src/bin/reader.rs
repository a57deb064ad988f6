//! Extraction as a module of its own.
//!
//! Driving example: the worker is handed a page; `worker_boot.js` loads this
//! module, once in a life of the worker, and hands the page on. It is more than
//! half of all our code, and a worker that only wakes to answer a surface does
//! not pay for it. A page that makes it fail takes nothing else along: the
//! module is thrown away. It decides nothing.

use gloss::page;
use wasm_bindgen::prelude::*;

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// What [`page::read`] makes of a page, as JSON.
///
/// # Errors
/// When it cannot be written as JSON.
#[wasm_bindgen]
pub fn read(html: &str, url: &str) -> Result<String, String> {
    serde_json::to_string(&page::read(html, url)).map_err(|error| error.to_string())
}
