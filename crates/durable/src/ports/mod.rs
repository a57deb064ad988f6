//! The ports that a journal needs: a store, an archive, blobs and a clock.

mod archive;
mod clock;
mod store;

pub use archive::{Archive, ArchivedRun};
pub use clock::{Clock, within};
pub use store::{Blobs, RunId, Store, StoreError, StoredBatch};

use futures::future::LocalBoxFuture;
use std::rc::Rc;

/// A future on the worker's single thread. Dropping the future cancels the work.
pub type Fut<T> = LocalBoxFuture<'static, T>;

/// The stores of journals, and the clock that gives the time of each record.
#[derive(Clone)]
pub struct Ports {
    /// Journals in session storage.
    pub store: Rc<dyn Store>,
    /// Journals on disk; `None` if nothing may outlast the browser session.
    pub archive: Option<Rc<dyn Archive>>,
    /// Large bodies, by the hash of their content.
    pub blobs: Rc<dyn Blobs>,
    /// The machine's clock.
    pub clock: Rc<dyn Clock>,
}
