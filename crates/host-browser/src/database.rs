//! The `IndexedDB` database that [`super::blobs`] and [`super::archive`] use.
//!
//! Every transaction is committed explicitly, because the library rolls back a transaction that is
//! not committed. Code must not await anything else between two requests of a transaction, because
//! the browser would then end the transaction.

use gloss_durable::StoreError;
use indexed_db_futures::database::Database as Connection;
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

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
    pub(super) async fn open(&self) -> Result<Rc<Connection>, StoreError> {
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
}

fn unopened(error: &OpenDbError) -> StoreError {
    StoreError::Denied {
        message: error.to_string(),
    }
}

/// Converts an error of the database.
pub(super) fn refusal(error: &Error) -> StoreError {
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
