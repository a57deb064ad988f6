//! The `IndexedDB` database that [`super::blobs`] and [`super::archive`] use.
//!
//! Every transaction is committed explicitly, because the library rolls back a transaction that is
//! not committed. Code must not await anything else between two requests of a transaction, because
//! the browser would then end the transaction.

use gloss_durable::{Fut, StoreError};
use indexed_db_futures::database::Database as Connection;
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::{Transaction, TransactionMode};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;

const NAME: &str = "gloss";
/// The version of the schema. Version 1 contained only the large bodies.
const VERSION: u8 = 2;

/// The object store of large bodies, by their hashes.
pub(super) const BODIES: &str = "blobs";
/// The object store of batches, with keys of the form `<run>/<number>`.
pub(super) const BATCHES: &str = "batches";
/// The object store of the runs' descriptions, by the id of the run.
pub(super) const DIGESTS: &str = "digests";
/// The object store of unreadable batches.
pub(super) const DAMAGED: &str = "damaged";

/// The database. It is opened when it is first used.
#[derive(Default, Clone)]
pub(super) struct Database(Rc<RefCell<Option<Rc<Connection>>>>);

impl Database {
    async fn open(&self) -> Result<Rc<Connection>, StoreError> {
        if let Some(open) = self.0.borrow().clone() {
            return Ok(open);
        }
        let opened = Connection::open(NAME)
            .with_version(VERSION)
            .with_on_upgrade_needed(|_, connection| {
                let there: Vec<String> = connection.object_store_names().collect();
                let stores = [BODIES, BATCHES, DIGESTS, DAMAGED];
                for name in stores
                    .into_iter()
                    .filter(|name| !there.iter().any(|it| it == name))
                {
                    connection.create_object_store(name).build()?;
                }
                Ok(())
            })
            .build();
        let opened = match opened {
            Ok(request) => request.await,
            Err(error) => Err(error),
        };
        let opened = Rc::new(opened.map_err(|error| unopened(&error))?);
        // Two requests may open the database at once. Each opens a connection, and the later
        // connection is kept.
        self.0.replace(Some(opened.clone()));
        Ok(opened)
    }

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

    /// Stores texts by their keys.
    pub(super) fn put_all(
        &self,
        store: &'static str,
        texts: Vec<(String, String)>,
    ) -> Fut<Result<(), StoreError>> {
        self.with(async move |connection| {
            let transaction = writing(&connection, &[store])?;
            let stored = transaction.object_store(store)?;
            // All requests are issued without an await. A transaction ends when it has no pending
            // request, and later requests then fail.
            for (key, text) in texts {
                stored.put(text).with_key(key).without_key_type().build()?;
            }
            transaction.commit().await
        })
    }
}

/// Begins a transaction that writes.
pub(super) fn writing<'a>(
    connection: &'a Connection,
    stores: &[&str],
) -> Result<Transaction<'a>, Error> {
    let transaction = connection.transaction(stores.to_vec());
    transaction.with_mode(TransactionMode::Readwrite).build()
}

/// Returns all keys of an object store.
pub(super) async fn names(connection: &Connection, store: &str) -> Result<Vec<String>, Error> {
    let transaction = connection.transaction(store).build()?;
    let stored = transaction.object_store(store)?;
    let names = stored.get_all_keys::<JsValue>().primitive()?.await?;
    let names: Vec<JsValue> = names.collect::<Result<_, _>>()?;
    Ok(names.iter().filter_map(JsValue::as_string).collect())
}

fn unopened(error: &OpenDbError) -> StoreError {
    StoreError::Denied {
        message: error.to_string(),
    }
}

/// Converts an error of the database.
fn refusal(error: &Error) -> StoreError {
    match error {
        Error::DomException(exception) if is_quota(exception) => StoreError::Full,
        other => StoreError::Denied {
            message: other.to_string(),
        },
    }
}

fn is_quota(exception: &DomException) -> bool {
    web_sys::DomException::from(exception.clone()).name() == "QuotaExceededError"
}
