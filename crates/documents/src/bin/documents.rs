//! What reads documents, as a module of its own: PDF, DOCX, feeds.
//!
//! Driving example: a tab shows a PDF; `worker_boot.js` loads this module and hands the bytes
//! on. Fonts and maps of characters make it larger than all else, and few need it. A document
//! that makes it fail takes nothing else along: the module is thrown away.

use gloss_documents::{Document, DocumentKind, Fault};
use wasm_bindgen::prelude::*;

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// What [`gloss_documents::read`] makes of a document of the kind that is called so, as JSON.
///
/// # Errors
/// When there is no such kind, or it cannot be written as JSON.
#[wasm_bindgen]
pub fn document(bytes: Vec<u8>, kind: &str) -> Result<String, String> {
    let kind = DocumentKind::of(kind).ok_or("no such kind")?;
    let read: Result<Document, Fault> = gloss_documents::read(bytes, kind);
    serde_json::to_string(&read).map_err(|error| error.to_string())
}
