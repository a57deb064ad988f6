//! [`PageModules`]: the wasm module that reads pages (`bin/reader`), and the one that reads
//! documents (`bin/documents` of `crates/documents`). `worker_boot.js` loads each module when it is
//! first used, and discards a module that fails.

use super::assets;
use super::chrome::{self, error_message};
use gloss_documents::{DocumentKind, Fault};
use gloss_durable::{Fut, json};
use gloss_page::{Document, ReadError};
use gloss_reader::PageModules;
use js_sys::{Array, Uint8Array};
use std::cell::RefCell;
use std::rc::{Rc, Weak};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// A page, and the name under which `reader.wasm` stores the page.
type Known = (Weak<Document>, String);

/// The boot script's name for the module that reads pages.
const MODULE: &str = "reader";

/// The package's file with the embeddings for `reader.wasm`.
const EMBEDDINGS: &str = "embeddings.bin";

/// The modules `reader.wasm` and `documents.wasm`, and the pages that `reader.wasm` has stored.
#[derive(Clone, Default)]
pub struct Modules {
    known: Rc<RefCell<Vec<Known>>>,
}

impl PageModules for Modules {
    fn read(&self, html: String, url: String) -> Fut<Result<Rc<Document>, ReadError>> {
        let module = self.clone();
        Box::pin(async move {
            let read = called(chrome::read(MODULE, "read", &html, &url)).await?;
            let json = text(&read, 0).unwrap_or_default();
            let document: Result<Document, ReadError> =
                json::parse(&json).map_err(|error| failed(error.to_string()))?;
            let document = Rc::new(document?);
            if let Some(name) = text(&read, 1) {
                module.learn(&document, name);
            }
            Ok(document)
        })
    }

    fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>> {
        Box::pin(async move {
            let bytes = Uint8Array::from(bytes.as_slice());
            let read = chrome::document("documents", "document", &bytes, kind.word());
            let read = JsFuture::from(read).await;
            let read = read.map_err(|error| failed(error_message(&error)))?;
            let json = read.as_string().unwrap_or_default();
            let read: Result<gloss_documents::Document, Fault> =
                serde_json::from_str(&json).map_err(|error| failed(error.to_string()))?;
            Ok(Rc::new(Document::from_document(read?, &url)))
        })
    }

    fn perform(&self, page: Option<Rc<Document>>, task: String) -> Fut<Result<String, ReadError>> {
        let module = self.clone();
        Box::pin(async move {
            let name = page.as_ref().map(|page| module.name(page));
            let name = name.unwrap_or_default();
            let mut json = JsValue::UNDEFINED;
            loop {
                let done = called(chrome::perform(MODULE, "perform", &name, &json, &task)).await?;
                match (text(&done, 0).as_deref(), &page) {
                    (Some("done"), _) => return Ok(text(&done, 1).unwrap_or_default()),
                    (Some("page"), Some(page)) if json.is_undefined() => {
                        json = written(page)?;
                    }
                    (Some("meaning"), _) => {
                        called(chrome::give(MODULE, "give", &embeddings().await)).await?;
                    }
                    (lacks, _) => return Err(failed(format!("it lacks {lacks:?}"))),
                }
            }
        })
    }
}

impl Modules {
    fn learn(&self, document: &Rc<Document>, name: String) {
        let mut known = self.known.borrow_mut();
        known.retain(|(page, _)| page.strong_count() > 0);
        known.push((Rc::downgrade(document), name));
    }

    fn name(&self, document: &Rc<Document>) -> String {
        let is_it = |(page, _): &&Known| page.as_ptr() == Rc::as_ptr(document);
        if let Some((_, name)) = self.known.borrow().iter().find(is_it) {
            return name.clone();
        }
        // The module hasn't stored this page: the page was fetched, or an earlier worker read it.
        let name = chrome::random_uuid();
        self.learn(document, name.clone());
        name
    }
}

/// Writes a page as JSON, for a new instance of the module that hasn't stored the page.
fn written(page: &Document) -> Result<JsValue, ReadError> {
    let json = json::text(page).map_err(|error| failed(error.to_string()))?;
    Ok(JsValue::from(json))
}

/// Loads the embeddings. If they can't be loaded, the result is empty, and ranking compares words
/// only.
async fn embeddings() -> Uint8Array {
    match assets::buffer(EMBEDDINGS).await {
        Ok(buffer) => Uint8Array::new(&buffer),
        Err(_) => Uint8Array::new_with_length(0),
    }
}

async fn called(call: js_sys::Promise) -> Result<Array, ReadError> {
    let outcome = JsFuture::from(call).await;
    Ok(outcome
        .map_err(|error| failed(error_message(&error)))?
        .unchecked_into())
}

fn text(outcome: &Array, at: u32) -> Option<String> {
    outcome.get(at).as_string()
}

fn failed(message: String) -> ReadError {
    ReadError::Failed { message }
}
