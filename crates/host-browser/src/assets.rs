//! [`Assets`]: loads files of the package with `fetch`.

use super::chrome::{self, error_message};
use gloss_durable::Fut;
use gloss_host::{AssetError, Assets};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

pub(super) struct Package;

impl Assets for Package {
    fn load(&self, name: &'static str) -> Fut<Result<Vec<u8>, AssetError>> {
        Box::pin(async move {
            let buffer = buffer(name).await.map_err(|error| AssetError {
                name: name.to_owned(),
                message: error_message(&error),
            })?;
            Ok(Uint8Array::new(&buffer).to_vec())
        })
    }
}

/// Loads a file of the package. If the file is missing, `fetch` rejects.
pub(super) async fn buffer(name: &str) -> Result<JsValue, JsValue> {
    fetched(&chrome::address(name)).await
}

/// Fetches the bytes of a file of the package, or of a `file:` address. `fetch` rejects if the file
/// is missing, so the status of the response need not be checked.
pub(super) async fn fetched(address: &str) -> Result<JsValue, JsValue> {
    let response = JsFuture::from(chrome::fetch(address)).await?;
    let response: Response = response.unchecked_into();
    JsFuture::from(response.array_buffer()?).await
}
