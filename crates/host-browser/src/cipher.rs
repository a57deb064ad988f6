//! [`Cipher`] on `WebCrypto`. The derived key is returned as text, because session storage can't
//! store a `CryptoKey`.

use super::chrome::error_message;
use super::object::{field, object, text_of};
use gloss_durable::{Fut, StoreError};
use gloss_host::{Cipher, Secret};
use js_sys::{Array, ArrayBuffer, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Crypto, SubtleCrypto};

const SALT_BYTES: usize = 16;
/// The length of AES-GCM's initialisation vector in bytes, as NIST SP 800-38D recommends. Each
/// encryption uses a new vector.
const IV_BYTES: usize = 12;
const KEY_BITS: u32 = 256;

pub(super) struct WebCrypto;

impl Cipher for WebCrypto {
    fn salt(&self) -> Result<String, StoreError> {
        let salt = random::<SALT_BYTES>().map_err(|error| refusal(&error))?;
        Ok(hex(&salt))
    }

    fn derive(
        &self,
        passphrase: &Secret,
        salt: &str,
        rounds: u32,
    ) -> Fut<Result<Secret, StoreError>> {
        let (passphrase, salt) = (passphrase.clone(), bytes(salt));
        Box::pin(async move {
            let derived = derive(&passphrase, &salt, rounds).await;
            let derived = derived.map_err(|error| refusal(&error))?;
            Ok(Secret::new(&hex(&derived)))
        })
    }

    fn seal(&self, key: &Secret, text: &Secret, about: &str) -> Fut<Result<String, StoreError>> {
        let (key, text, about) = (key.clone(), text.clone(), about.to_owned());
        Box::pin(async move {
            let crypted = async {
                let iv = random::<IV_BYTES>()?;
                let text = text.expose().as_bytes();
                let crypted = crypt(Way::Seal, &key, &iv, text, &about).await?;
                Ok(hex(&iv) + &hex(&crypted))
            };
            crypted.await.map_err(|error: JsValue| refusal(&error))
        })
    }

    fn open(
        &self,
        key: &Secret,
        sealed: &str,
        about: &str,
    ) -> Fut<Result<Option<Secret>, StoreError>> {
        let (key, sealed, about) = (key.clone(), bytes(sealed), about.to_owned());
        Box::pin(async move {
            let Some((iv, sealed)) = sealed.split_at_checked(IV_BYTES) else {
                return Ok(None);
            };
            match crypt(Way::Open, &key, iv, sealed, &about).await {
                Ok(text) => Ok(String::from_utf8(text).ok().map(|text| Secret::new(&text))),
                // `WebCrypto` reports `OperationError` for a wrong key, and also for changed data.
                Err(error) if text_of(&error, "name") == "OperationError" => Ok(None),
                Err(error) => Err(refusal(&error)),
            }
        })
    }
}

async fn derive(passphrase: &Secret, salt: &[u8], rounds: u32) -> Result<Vec<u8>, JsValue> {
    let subtle = crypto().subtle();
    let raw = Uint8Array::from(passphrase.expose().as_bytes());
    let algorithm = JsValue::from("PBKDF2");
    let imported = import(&subtle, &raw, &algorithm, &["deriveBits"]).await?;
    let how = object(&[
        ("name", algorithm),
        ("hash", "SHA-256".into()),
        ("salt", Uint8Array::from(salt).into()),
        ("iterations", rounds.into()),
    ]);
    let bits = subtle.derive_bits_with_object(&how, &imported.unchecked_into(), KEY_BITS)?;
    settled(bits).await
}

#[derive(Clone, Copy)]
enum Way {
    Seal,
    Open,
}

async fn crypt(
    way: Way,
    key: &Secret,
    iv: &[u8],
    text: &[u8],
    about: &str,
) -> Result<Vec<u8>, JsValue> {
    let subtle = crypto().subtle();
    let raw = Uint8Array::from(&bytes(key.expose())[..]);
    let algorithm = JsValue::from("AES-GCM");
    let key = import(&subtle, &raw, &algorithm, &["encrypt", "decrypt"]).await?;
    let key = key.unchecked_into();
    let how = object(&[
        ("name", algorithm),
        ("iv", Uint8Array::from(iv).into()),
        ("additionalData", Uint8Array::from(about.as_bytes()).into()),
    ]);
    let text = Uint8Array::from(text);
    settled(match way {
        Way::Seal => subtle.encrypt_with_object_and_js_u8_array(&how, &key, &text)?,
        Way::Open => subtle.decrypt_with_object_and_js_u8_array(&how, &key, &text)?,
    })
    .await
}

async fn import(
    subtle: &SubtleCrypto,
    raw: &Uint8Array,
    algorithm: &JsValue,
    uses: &[&str],
) -> Result<JsValue, JsValue> {
    let uses: Array = uses.iter().map(|it| JsValue::from(*it)).collect();
    let algorithm = object(&[("name", algorithm.clone())]);
    let imported = subtle.import_key_with_object("raw", raw, &algorithm, false, &uses)?;
    JsFuture::from(imported).await
}

async fn settled(made: Promise) -> Result<Vec<u8>, JsValue> {
    let buffer: ArrayBuffer = JsFuture::from(made).await?.unchecked_into();
    Ok(Uint8Array::new(&buffer).to_vec())
}

fn crypto() -> Crypto {
    field(&js_sys::global(), "crypto").unchecked_into()
}

fn random<const BYTES: usize>() -> Result<[u8; BYTES], JsValue> {
    let mut bytes = [0; BYTES];
    crypto().get_random_values_with_u8_array(&mut bytes)?;
    Ok(bytes)
}

fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
    digits.collect()
}

/// Decodes pairs of hexadecimal digits, up to the first other characters.
fn bytes(hex: &str) -> Vec<u8> {
    let pairs = (0..hex.len()).step_by(2).map(|at| hex.get(at..at + 2));
    let byte = |pair: Option<&str>| u8::from_str_radix(pair?, 16).ok();
    pairs.map_while(byte).collect()
}

fn refusal(error: &JsValue) -> StoreError {
    StoreError::Denied {
        message: error_message(error),
    }
}
