//! [`Blobs`] on `IndexedDB`. Each body is stored under its hash.

use super::database::{BODIES, Database};
use gloss_durable::{Blobs, Fut, StoreError};
use indexed_db_futures::database::Database as Connection;
use indexed_db_futures::error::Error;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::TransactionMode;
use wasm_bindgen::JsValue;

impl Blobs for Database {
    fn put(&self, hash: &str, body: String) -> Fut<Result<(), StoreError>> {
        let hash = hash.to_owned();
        self.with(async move |connection| put(&connection, hash, body).await)
    }

    fn get(&self, hash: &str) -> Fut<Result<Option<String>, StoreError>> {
        let hash = hash.to_owned();
        self.with(async move |connection| get(&connection, hash).await)
    }

    fn remove(&self, hash: &str) -> Fut<Result<(), StoreError>> {
        let hash = hash.to_owned();
        self.with(async move |connection| remove(&connection, vec![hash]).await)
    }

    fn retain(&self, hashes: Vec<String>) -> Fut<Result<(), StoreError>> {
        self.with(async move |connection| retain(&connection, &hashes).await)
    }
}

async fn put(connection: &Connection, hash: String, body: String) -> Result<(), Error> {
    let transaction = connection
        .transaction(BODIES)
        .with_mode(TransactionMode::Readwrite)
        .build()?;
    transaction
        .object_store(BODIES)?
        .put(body)
        .with_key(hash)
        .without_key_type()
        .build()?;
    transaction.commit().await
}

async fn get(connection: &Connection, hash: String) -> Result<Option<String>, Error> {
    let transaction = connection.transaction(BODIES).build()?;
    let bodies = transaction.object_store(BODIES)?;
    // The transaction needs no commit here: it ends after its last request.
    let body: Option<JsValue> = bodies.get(hash).primitive()?.await?;
    // A value that isn't a text counts as missing.
    Ok(body.and_then(|body| body.as_string()))
}

async fn retain(connection: &Connection, kept: &[String]) -> Result<(), Error> {
    let doomed: Vec<String> = {
        let transaction = connection.transaction(BODIES).build()?;
        let bodies = transaction.object_store(BODIES)?;
        let names = bodies.get_all_keys::<JsValue>().primitive()?.await?;
        let names: Vec<JsValue> = names.collect::<Result<_, _>>()?;
        let hashes = names.iter().filter_map(JsValue::as_string);
        hashes.filter(|hash| !kept.contains(hash)).collect()
    };
    if doomed.is_empty() {
        return Ok(());
    }
    // A new transaction is used, because the previous one may have ended during the await.
    remove(connection, doomed).await
}

async fn remove(connection: &Connection, doomed: Vec<String>) -> Result<(), Error> {
    let transaction = connection
        .transaction(BODIES)
        .with_mode(TransactionMode::Readwrite)
        .build()?;
    let bodies = transaction.object_store(BODIES)?;
    for hash in doomed {
        bodies.delete(hash).primitive()?;
    }
    transaction.commit().await
}
