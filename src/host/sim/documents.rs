//! Documents, read in this process.

use super::queue::{Kind, NotBefore, Queue};
use crate::host::{DocumentKind, Documents, Fut};
use crate::page::{Document, ReadError};
use std::rc::Rc;

pub(super) struct SimDocuments {
    pub(super) queue: Rc<Queue>,
}

impl Documents for SimDocuments {
    fn read(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>> {
        let read = move || {
            let read = gloss_documents::read(bytes, kind)?;
            Ok(Rc::new(Document::of_document(read, &url)))
        };
        self.queue.issue(Kind::Local, NotBefore::default(), read)
    }
}
