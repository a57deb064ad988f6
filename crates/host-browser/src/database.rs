//! The `IndexedDB` database of [`super::blobs`] and [`super::archive`].
//!
//! Every transaction is committed explicitly, since the library rolls back others. Within a
//! transaction only its own requests are awaited, because the browser would otherwise commit it.

use gloss_durable::StoreError;
use indexed_db_futures::database::Database as Connection;
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

const NAME: &str = "gloss";
/// The schema's version. Version 1 had only the bodies.
const VERSION: u8 = 2;

/// The store of large bodies, under their hashes.
pub(super) const BODIES: &str = "blobs";
/// The store of batches, under `<run>/<number>`.
pub(super) const BATCHES: &str = "batches";
/// The store of digests, under the id of the run.
pub(super) const DIGESTS: &str = "digests";
/// The store of batches that can't be read.
pub(super) const DAMAGED: &str = "damaged";

/// The database, opened on first use.
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
        // Two concurrent first uses open two connections; the later one is kept.
        self.0.replace(Some(opened.clone()));
        Ok(opened)
    }
}

fn unopened(error: &OpenDbError) -> StoreError {
    StoreError::Denied {
        message: error.to_string(),
    }
}

/// Converts the database's error.
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
