//! The wasm module that reads PDF, DOCX and feeds.
//!
//! Example: a tab shows a PDF. `worker_boot.js` loads this module and passes the file's
//! bytes to it. This code is a separate module, because few pages need it. Its fonts and character
//! maps make it larger than any other module. If a document crashes the parser, only this module is
//! discarded.

use gloss_documents::{Document, DocumentKind, Fault};
use wasm_bindgen::prelude::*;

fn main() {
    std::panic::set_hook(Box::new(console_error_panic_hook::hook));
}

/// Reads a document. `kind` is the name of a [`DocumentKind`]. Returns the result of
/// [`gloss_documents::read`] as JSON.
///
/// # Errors
/// Returns an error if no kind has this name, or if the result can't be serialised.
#[wasm_bindgen]
pub fn document(bytes: Vec<u8>, kind: &str) -> Result<String, String> {
    let kind = DocumentKind::of(kind).ok_or("no such kind")?;
    let read: Result<Document, Fault> = gloss_documents::read(bytes, kind);
    serde_json::to_string(&read).map_err(|error| error.to_string())
}
