//! The interface of the modules that read pages and documents.

use gloss_documents::DocumentKind;
use gloss_durable::Fut;
use gloss_page::{Document, ReadError};
use std::rc::Rc;

/// Reads pages and documents, and performs tasks on pages. In the browser, the implementation runs
/// separate wasm modules. In native programs, [`super::PageService::in_process`] does the work in
/// this process.
pub trait PageModules {
    /// Extracts the main content of `html`, a page from the address `url`.
    fn read(&self, html: String, url: String) -> Fut<Result<Rc<Document>, ReadError>>;
    /// Reads the text of a PDF, DOCX or feed from the address `url`. If a document crashes the
    /// module, the result is [`ReadError::Failed`], and no other document is affected.
    fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>>;
    /// Performs a [`super::Task`] on a page. The task and its outcome are JSON. If a task crashes
    /// the module, no other task is affected.
    fn perform(&self, page: Option<Rc<Document>>, task: String) -> Fut<Result<String, ReadError>>;
}
