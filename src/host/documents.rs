//! What reads documents that are no pages.

use super::{Capture, Fut, Reader};
use crate::page::{Document, ReadError};
use std::rc::Rc;

pub use gloss_documents::DocumentKind;

/// Extraction from PDF, DOCX and feeds: [`gloss_documents::read`], wherever it runs.
pub trait Documents {
    /// What the document says, as it was found at `url`. One that makes the reader fail is a
    /// [`ReadError::Failed`] and takes nothing else along.
    fn read(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>>;
}

/// What a tab shows, by whoever reads its kind.
pub fn extract(
    capture: &Capture,
    reader: &dyn Reader,
    documents: &dyn Documents,
) -> Fut<Result<Rc<Document>, ReadError>> {
    let url = capture.url.clone();
    match capture.pdf_bytes() {
        Some(bytes) => documents.read(bytes, DocumentKind::Pdf, url),
        None => reader.read(capture.html.clone(), url),
    }
}
