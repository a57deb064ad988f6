//! The ports that a journal needs: a store, an archive, blobs and a clock.

mod archive;
mod clock;
mod store;

pub use archive::{Archive, Filed};
pub use clock::{Clock, within};
pub use store::{Blobs, RunId, Store, StoreError, StoredBatch};

use futures::future::LocalBoxFuture;
use std::rc::Rc;

/// A future of the single-threaded core, cancelled by being dropped.
pub type Fut<T> = LocalBoxFuture<'static, T>;

/// Where journals are stored, and the time that they are stamped with.
#[derive(Clone)]
pub struct Ports {
    /// Journals, for as long as the session lasts.
    pub store: Rc<dyn Store>,
    /// Journals on disk; `None` where nothing may outlive the session.
    pub archive: Option<Rc<dyn Archive>>,
    /// Large bodies.
    pub blobs: Rc<dyn Blobs>,
    /// Time.
    pub clock: Rc<dyn Clock>,
}
