//! [`Reader`]: the extraction module, which `worker_boot.js` loads when it is needed.

use super::super::{Fut, Reader};
use super::chrome::{self, words};
use crate::page::{Document, ReadError};
use wasm_bindgen_futures::JsFuture;

/// `reader.wasm`.
pub(super) struct Module;

impl Reader for Module {
    fn read(&self, html: String, url: String) -> Fut<Result<Document, ReadError>> {
        let read = chrome::read(&html, &url);
        Box::pin(async move {
            let json = JsFuture::from(read)
                .await
                .map_err(|error| failed(words(&error)))?;
            let json = json.as_string().unwrap_or_default();
            serde_json::from_str(&json).map_err(|error| failed(error.to_string()))?
        })
    }
}

fn failed(message: String) -> ReadError {
    ReadError::Failed { message }
}
