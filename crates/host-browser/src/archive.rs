//! [`Archive`] on `IndexedDB`. The key of a batch is `<run>/<number>`; the number has eight digits.
//! Each run can have one description.

use super::database::{BATCHES, DAMAGED, DIGESTS, Database, refusal};
use futures::future::join;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Archive, ArchivedRun, Fut, RunId, StoreError, StoredBatch};
use indexed_db_futures::KeyRange;
use indexed_db_futures::database::Database as Connection;
use indexed_db_futures::error::Error;
use indexed_db_futures::object_store::ObjectStore;
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{Transaction, TransactionMode};
use std::future::Future;
use std::rc::Rc;
use wasm_bindgen::JsValue;

impl Archive for Database {
    fn list(&self) -> Fut<Result<Vec<ArchivedRun>, StoreError>> {
        self.with(list)
    }

    fn load(&self, run: &RunId) -> Fut<Result<Vec<StoredBatch>, StoreError>> {
        let keys = keys_of(run);
        self.with(async move |connection| read(&connection, BATCHES, Some(keys)).await)
    }

    fn file(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>> {
        self.with(async move |connection| file(&connection, batches).await)
    }

    fn describe(&self, run: &RunId, digest: String) -> Fut<Result<(), StoreError>> {
        let run = run.0.clone();
        self.with(async move |connection| {
            let transaction = writing(&connection, &[DIGESTS])?;
            put(&transaction.object_store(DIGESTS)?, run, digest)?;
            transaction.commit().await
        })
    }

    fn erase(&self, run: &RunId) -> Fut<Result<(), StoreError>> {
        let run = run.clone();
        self.with(async move |connection| {
            let transaction = writing(&connection, &[BATCHES, DIGESTS])?;
            let batches = transaction.object_store(BATCHES)?;
            batches.delete::<String, _>(keys_of(&run)).primitive()?;
            let digests = transaction.object_store(DIGESTS)?;
            digests.delete(run.0).primitive()?;
            transaction.commit().await
        })
    }

    fn quarantine(&self, batches: Vec<StoredBatch>) -> Fut<Result<(), StoreError>> {
        self.with(async move |connection| {
            let transaction = writing(&connection, &[DAMAGED])?;
            let damaged = transaction.object_store(DAMAGED)?;
            for batch in batches {
                put(&damaged, key(&batch), batch.records)?;
            }
            transaction.commit().await
        })
    }

    fn damaged_batches(&self) -> Fut<Result<Vec<StoredBatch>, StoreError>> {
        self.with(async move |connection| read(&connection, DAMAGED, None).await)
    }

    fn clear(&self) -> Fut<Result<(), StoreError>> {
        self.with(async move |connection| {
            let stores = [BATCHES, DIGESTS, DAMAGED];
            let transaction = writing(&connection, &stores)?;
            for store in stores {
                transaction.object_store(store)?.clear()?;
            }
            transaction.commit().await
        })
    }
}

impl Database {
    /// Runs `work` after the database was opened.
    pub(super) fn with<T, F>(
        &self,
        work: impl FnOnce(Rc<Connection>) -> F + 'static,
    ) -> Fut<Result<T, StoreError>>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let database = self.clone();
        Box::pin(async move {
            let connection = database.open().await?;
            work(connection).await.map_err(|error| refusal(&error))
        })
    }
}

async fn list(connection: Rc<Connection>) -> Result<Vec<ArchivedRun>, Error> {
    let described = pairs(&connection, DIGESTS, None).await?;
    let mut filed: SortedMap<RunId, Option<String>> = described
        .into_iter()
        .map(|(run, digest)| (RunId(run), Some(digest).filter(|digest| !digest.is_empty())))
        .collect();
    let transaction = connection.transaction(BATCHES).build()?;
    let batches = transaction.object_store(BATCHES)?;
    let names = batches.get_all_keys::<JsValue>().primitive()?.await?;
    let names: Vec<JsValue> = names.collect::<Result<_, _>>()?;
    for (run, _) in names.iter().filter_map(|key| place(&key.as_string()?)) {
        filed.or_default(run);
    }
    let filed = filed.into_iter();
    Ok(filed
        .map(|(run, digest)| ArchivedRun { run, digest })
        .collect())
}

async fn file(connection: &Connection, filed: Vec<StoredBatch>) -> Result<(), Error> {
    let transaction = writing(connection, &[BATCHES])?;
    let batches = transaction.object_store(BATCHES)?;
    // All requests are issued without an await. A transaction ends when it has no pending request,
    // and later requests then fail.
    for batch in filed {
        put(&batches, key(&batch), batch.records)?;
    }
    transaction.commit().await
}

async fn read(
    connection: &Connection,
    store: &'static str,
    keys: Option<KeyRange<String>>,
) -> Result<Vec<StoredBatch>, Error> {
    let stored = pairs(connection, store, keys).await?;
    let batches = stored.into_iter().filter_map(|(key, records)| {
        let (run, number) = place(&key)?;
        Some(StoredBatch {
            run,
            number,
            records,
        })
    });
    Ok(batches.collect())
}

/// Returns the entries whose keys are texts, in the order of the keys. A value that isn't a text
/// becomes an empty text.
async fn pairs(
    connection: &Connection,
    store: &'static str,
    keys: Option<KeyRange<String>>,
) -> Result<Vec<(String, String)>, Error> {
    let keys = keys.unwrap_or(KeyRange::LowerBound(String::new(), false));
    let transaction = connection.transaction(store).build()?;
    let stored = transaction.object_store(store)?;
    let names = stored
        .get_all_keys::<JsValue>()
        .with_query::<String, _>(keys.clone());
    let texts = stored.get_all::<JsValue>().with_query::<String, _>(keys);
    // Both requests are issued before the await, because the transaction may end during the await.
    let (names, texts) = join(names.primitive()?, texts.primitive()?).await;
    let names: Vec<JsValue> = names?.collect::<Result<_, _>>()?;
    let texts: Vec<JsValue> = texts?.collect::<Result<_, _>>()?;
    let pairs = names.iter().zip(&texts).filter_map(|(name, text)| {
        let text = text.as_string().unwrap_or_default();
        Some((name.as_string()?, text))
    });
    Ok(pairs.collect())
}

fn writing<'a>(connection: &'a Connection, stores: &[&str]) -> Result<Transaction<'a>, Error> {
    let transaction = connection.transaction(stores.to_vec());
    transaction.with_mode(TransactionMode::Readwrite).build()
}

fn put(store: &ObjectStore<'_>, key: String, text: String) -> Result<(), Error> {
    store
        .put(text)
        .with_key(key)
        .without_key_type()
        .build()
        .map(drop)
}

fn key(batch: &StoredBatch) -> String {
    format!("{}/{:08}", batch.run, batch.number)
}

/// Parses a batch's key into the run and the number; `None` if the key is not a batch's.
fn place(key: &str) -> Option<(RunId, u64)> {
    let (run, number) = key.rsplit_once('/')?;
    Some((RunId(run.to_owned()), number.parse().ok()?))
}

/// Returns the range of the keys of a run's batches. The range ends before `<run>0`, because `0` is
/// the next character after `/`.
fn keys_of(run: &RunId) -> KeyRange<String> {
    KeyRange::Bound(format!("{run}/"), false, format!("{run}0"), true)
}
