//! The `IndexedDB` that both [`super::blobs`] and [`super::archive`] keep things in.
//!
//! Every transaction is committed by name (the library rolls back what is not)
//! and nothing but its own requests is awaited within it, for the browser would
//! commit it there.

use gloss_durable::StoreError;
use indexed_db_futures::database::Database as Connection;
use indexed_db_futures::error::{DomException, Error, OpenDbError};
use indexed_db_futures::prelude::*;
use std::cell::RefCell;
use std::rc::Rc;

const NAME: &str = "gloss";
/// Version 1 had the bodies alone.
const VERSION: u8 = 2;

/// Large bodies under their hashes.
pub(super) const BODIES: &str = "blobs";
/// Batches under `<run>/<number>`.
pub(super) const BATCHES: &str = "batches";
/// What is said of each run of which a batch is filed; empty until it is.
pub(super) const DIGESTS: &str = "digests";
/// Batches that cannot be read.
pub(super) const DAMAGED: &str = "damaged";

/// The database, opened when it is first needed.
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
        // Two first uses at once open two connections; the later one is kept.
        self.0.replace(Some(opened.clone()));
        Ok(opened)
    }
}

fn unopened(error: &OpenDbError) -> StoreError {
    StoreError::Denied {
        message: error.to_string(),
    }
}

/// Why the database did not do it.
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
