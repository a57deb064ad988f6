//! [`Documents`]: the module of what reads documents (`bin/documents` of `crates/documents`), which
//! `worker_boot.js` loads when one is first met and throws away when it fails.

use super::super::{DocumentKind, Documents, Fut};
use super::chrome::{self, words};
use crate::json;
use crate::page::{Document, ReadError};
use gloss_documents::Fault;
use js_sys::Uint8Array;
use std::rc::Rc;
use wasm_bindgen_futures::JsFuture;

/// `documents.wasm`.
pub(super) struct Library;

impl Documents for Library {
    fn read(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>> {
        Box::pin(async move {
            let bytes = Uint8Array::from(bytes.as_slice());
            let read = JsFuture::from(chrome::document(
                "documents",
                "document",
                &bytes,
                kind.word(),
            ));
            let read = read.await.map_err(|error| failed(words(&error)))?;
            let json = read.as_string().unwrap_or_default();
            let read: Result<gloss_documents::Document, Fault> =
                json::parse(&json).map_err(|error| failed(error.to_string()))?;
            Ok(Rc::new(Document::of_document(read?, &url)))
        })
    }
}

fn failed(message: String) -> ReadError {
    ReadError::Failed { message }
}
