//! [`Archive`] on `IndexedDB`. The key of a batch is `<run>/<number>`; the number has eight digits.
//! Each run can have one description.

use super::database::{BATCHES, DAMAGED, DIGESTS, Database, names, writing};
use futures::future::join;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Archive, ArchivedRun, Fut, RunId, StoreError, StoredBatch};
use indexed_db_futures::KeyRange;
use indexed_db_futures::database::Database as Connection;
use indexed_db_futures::error::Error;
use indexed_db_futures::prelude::*;
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
        self.put_all(BATCHES, entries(batches))
    }

    fn describe(&self, run: &RunId, digest: String) -> Fut<Result<(), StoreError>> {
        self.put_all(DIGESTS, vec![(run.0.clone(), digest)])
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
        self.put_all(DAMAGED, entries(batches))
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

async fn list(connection: Rc<Connection>) -> Result<Vec<ArchivedRun>, Error> {
    let described = pairs(&connection, DIGESTS, None).await?;
    let mut filed: SortedMap<RunId, Option<String>> = described
        .into_iter()
        .map(|(run, digest)| (RunId(run), Some(digest).filter(|digest| !digest.is_empty())))
        .collect();
    let names = names(&connection, BATCHES).await?;
    for (run, _) in names.iter().filter_map(|key| place(key)) {
        filed.or_default(run);
    }
    let filed = filed.into_iter();
    Ok(filed
        .map(|(run, digest)| ArchivedRun { run, digest })
        .collect())
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

/// Returns the batches by their keys.
fn entries(batches: Vec<StoredBatch>) -> Vec<(String, String)> {
    let entry = |it: StoredBatch| (format!("{}/{:08}", it.run, it.number), it.records);
    batches.into_iter().map(entry).collect()
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
