//! [`Blobs`] on `IndexedDB`: one database, one object store, a body under its hash.
//!
//! Every transaction is committed by name (the library rolls back what is not)
//! and nothing but its own requests is awaited within it, for the browser would
//! commit it there.

use super::super::{Blobs, Fut, StoreError};
use indexed_db_futures::database::Database as Connection;
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::prelude::*;
use indexed_db_futures::transaction::TransactionMode;
use std::cell::RefCell;
use std::rc::Rc;

const DATABASE: &str = "gloss";
const BODIES: &str = "blobs";

/// The database, opened when it is first needed.
#[derive(Default, Clone)]
pub(super) struct Database(Rc<RefCell<Option<Rc<Connection>>>>);

impl Blobs for Database {
    fn put(&self, hash: &str, body: String) -> Fut<Result<(), StoreError>> {
        let (database, hash) = (self.clone(), hash.to_owned());
        Box::pin(async move {
            let connection = database.open().await?;
            put(&connection, hash, body)
                .await
                .map_err(|error| refusal(&error))
        })
    }

    fn get(&self, hash: &str) -> Fut<Result<Option<String>, StoreError>> {
        let (database, hash) = (self.clone(), hash.to_owned());
        Box::pin(async move {
            let connection = database.open().await?;
            get(&connection, hash)
                .await
                .map_err(|error| refusal(&error))
        })
    }

    fn retain(&self, hashes: Vec<String>) -> Fut<Result<(), StoreError>> {
        let database = self.clone();
        Box::pin(async move {
            let connection = database.open().await?;
            retain(&connection, &hashes)
                .await
                .map_err(|error| refusal(&error))
        })
    }
}

impl Database {
    async fn open(&self) -> Result<Rc<Connection>, StoreError> {
        if let Some(open) = self.0.borrow().clone() {
            return Ok(open);
        }
        let opened = Connection::open(DATABASE)
            .with_version(1u8)
            .with_on_upgrade_needed(|_, connection| {
                connection.create_object_store(BODIES).build()?;
                Ok(())
            })
            .build();
        let opened = match opened {
            Ok(request) => request.await,
            Err(error) => Err(error),
        };
        let opened = Rc::new(opened.map_err(|error| unopened(&error))?);
        // Two first uses at once open two connections; the later one is kept.
        self.0.replace(Some(opened.clone()));
        Ok(opened)
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
    let body = transaction
        .object_store(BODIES)?
        .get(hash)
        .primitive()?
        .await?;
    transaction.commit().await?;
    Ok(body)
}

async fn retain(connection: &Connection, kept: &[String]) -> Result<(), Error> {
    let transaction = connection
        .transaction(BODIES)
        .with_mode(TransactionMode::Readwrite)
        .build()?;
    let bodies = transaction.object_store(BODIES)?;
    let hashes: Vec<String> = bodies
        .get_all_keys()
        .primitive()?
        .await?
        .collect::<Result<_, _>>()?;
    for hash in hashes.into_iter().filter(|hash| !kept.contains(hash)) {
        bodies.delete(hash).primitive()?;
    }
    transaction.commit().await
}

fn unopened(error: &OpenDbError) -> StoreError {
    StoreError::Denied {
        message: error.to_string(),
    }
}

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
