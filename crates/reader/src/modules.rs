//! The modules that read pages and documents.

use gloss_documents::DocumentKind;
use gloss_durable::Fut;
use gloss_page::{Document, ReadError};
use std::rc::Rc;

/// Reads pages and documents and performs tasks. In the browser this code runs in wasm modules of
/// its own; natively it runs in this process ([`super::Here`]).
pub trait PageModules {
    /// Extracts the main content of `html` from `url`.
    fn read(&self, html: String, url: String) -> Fut<Result<Rc<Document>, ReadError>>;
    /// Reads the text of a PDF, DOCX or feed from `url`. A document that crashes the module is a
    /// [`ReadError::Failed`] and affects nothing else.
    fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>>;
    /// Performs a [`super::Task`] with a page; task and outcome are JSON. A task that crashes the
    /// module affects nothing else.
    fn perform(&self, page: Option<Rc<Document>>, task: String) -> Fut<Result<String, ReadError>>;
}
