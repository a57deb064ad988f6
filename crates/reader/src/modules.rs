//! The modules that read pages and documents.

use gloss_documents::DocumentKind;
use gloss_durable::Fut;
use gloss_page::{Document, ReadError};
use std::rc::Rc;

/// Reads pages and documents and works with them, wherever that code runs: in modules of
/// their own in the browser, in this process natively ([`super::Here`]).
pub trait PageModules {
    /// The main content of `html`, found at `url`.
    fn read(&self, html: String, url: String) -> Fut<Result<Rc<Document>, ReadError>>;
    /// The text of a PDF, DOCX or feed, found at `url`. A document that makes the module fail
    /// is a [`ReadError::Failed`]; nothing else is lost.
    fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>>;
    /// Does a [`super::Task`] with a page: JSON in, JSON out. A task that makes the module fail
    /// takes nothing else along.
    fn perform(&self, page: Option<Rc<Document>>, task: String) -> Fut<Result<String, ReadError>>;
}
