//! The wasm module that reads PDF, DOCX and feeds.
//!
//! Driving example: a tab shows a PDF. `worker_boot.js` loads this module and passes it the bytes.
//! It is a module of its own because fonts and character maps make it larger than everything else,
//! and few pages need it. If a document crashes it, only this module is discarded.

use gloss_documents::{Document, DocumentKind, Fault};
use wasm_bindgen::prelude::*;

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// Reads a document of the kind that `kind` names; returns [`gloss_documents::read`]'s result as
/// JSON.
///
/// # Errors
/// If there is no such kind, or the result cannot be serialised.
#[wasm_bindgen]
pub fn document(bytes: Vec<u8>, kind: &str) -> Result<String, String> {
    let kind = DocumentKind::of(kind).ok_or("no such kind")?;
    let read: Result<Document, Fault> = gloss_documents::read(bytes, kind);
    serde_json::to_string(&read).map_err(|error| error.to_string())
}
