//! [`Blobs`] on `IndexedDB`. Each body is stored under its hash.

use super::database::{BODIES, Database, names, writing};
use gloss_durable::{Blobs, Fut, StoreError};
use indexed_db_futures::database::Database as Connection;
use indexed_db_futures::error::Error;
use indexed_db_futures::prelude::*;
use wasm_bindgen::JsValue;

impl Blobs for Database {
    fn put(&self, hash: &str, body: String) -> Fut<Result<(), StoreError>> {
        self.put_all(BODIES, vec![(hash.to_owned(), body)])
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

async fn get(connection: &Connection, hash: String) -> Result<Option<String>, Error> {
    let transaction = connection.transaction(BODIES).build()?;
    let bodies = transaction.object_store(BODIES)?;
    // The transaction needs no commit here: it ends after its last request.
    let body: Option<JsValue> = bodies.get(hash).primitive()?.await?;
    // A value that isn't a text counts as missing.
    Ok(body.and_then(|body| body.as_string()))
}

async fn retain(connection: &Connection, kept: &[String]) -> Result<(), Error> {
    let mut doomed = names(connection, BODIES).await?;
    doomed.retain(|hash| !kept.contains(hash));
    if doomed.is_empty() {
        return Ok(());
    }
    // A new transaction is used, because the previous one may have ended during the await.
    remove(connection, doomed).await
}

async fn remove(connection: &Connection, doomed: Vec<String>) -> Result<(), Error> {
    let transaction = writing(connection, &[BODIES])?;
    let bodies = transaction.object_store(BODIES)?;
    for hash in doomed {
        bodies.delete(hash).primitive()?;
    }
    transaction.commit().await
}
