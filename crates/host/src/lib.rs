#![doc = include_str!("../README.md")]

use gloss_durable::{Archive, Blobs, Clock, Fut, Ports, RunId, Store};
use std::rc::Rc;

mod assets;
mod built_in;
mod capture;
mod http;
mod languages;
mod private;
mod retry_after;
mod secrets;
mod shelf;
mod sight;
mod vault;
mod web;
mod zones;

pub use assets::{AssetError, Assets};
pub use built_in::{
    BuiltIn, BuiltInError, Prompt, PromptMessage, PromptRole, Said as BuiltInSaid, Sampling,
};
pub use capture::{Beside, Capture, CaptureError, Reach, Selection, TabId};
pub use http::{ALL_SITES, Grants, Http, HttpError, HttpRequest, HttpResponse, Method, Secret};
pub use languages::Languages;
pub use private::{is_private, leads_there, private_patterns};
pub use retry_after::MOST_MS as MOST_RETRY_AFTER_MS;
pub use retry_after::retry_after_ms;
pub use secrets::{Cipher, Drawer, KeyError, Secrets};
pub use shelf::Shelf;
pub use sight::{Aim, Look, Looked, Region, Script, Seen, Shot, ShotError, Sight, SightError};
pub use vault::{Holding, Keeping, Opened, Vault};
pub use web::{Address, Web, WebResponse};
pub use zones::Zones;

/// The user's tabs.
pub trait Tabs {
    /// Serialises what a tab shows; see [`Capture`].
    fn capture(&self, tab: TabId) -> Fut<Result<Capture, CaptureError>>;
    /// Whether a tab still shows this document; `false` also where nobody can tell.
    fn shows(&self, tab: TabId, document: &str) -> Fut<bool>;
    /// A picture of what a tab shows; of this document alone, if one is named.
    fn screenshot(&self, tab: TabId, document: Option<String>) -> Fut<Result<Shot, ShotError>>;
    /// Opens a blank tab that does not come to the front.
    fn open(&self) -> Fut<Result<TabId, CaptureError>>;
    /// Sends it to an address, with nothing of the person (`host::browser::beside`).
    fn send(&self, beside: Beside, url: &str, reach: Reach) -> Fut<Result<(), CaptureError>>;
    /// Closes a tab, if it is there, and frees its place; issued before this returns.
    fn close(&self, beside: Beside);
}

/// The alarms that wake a dead worker: the watchdog's while a run is at work, and one
/// for what waits for a time.
pub trait Watchdog {
    /// Wakes the worker every half minute until disarmed.
    fn arm(&self);
    /// Lets the worker sleep.
    fn disarm(&self);
    /// Wakes the worker once at about `at_ms`, in milliseconds since the Unix epoch, and
    /// at no other time that was asked for before; `None`: at none. It may ring late, or
    /// not at all.
    fn ring_at(&self, at_ms: Option<u64>);
}

/// One owner for each run, across workers.
pub trait Locks {
    /// The lock, held until the guard is dropped; `None` if another worker has it.
    fn acquire(&self, run: &RunId) -> Fut<Option<LockGuard>>;
}

/// Held for as long as it lives.
pub struct LockGuard(Option<Box<dyn FnOnce()>>);

impl LockGuard {
    /// A guard that calls `release` when dropped.
    pub fn new(release: impl FnOnce() + 'static) -> Self {
        Self(Some(Box::new(release)))
    }
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        if let Some(release) = self.0.take() {
            release();
        }
    }
}

/// The ports that one worker has.
#[derive(Clone)]
pub struct Host {
    /// Journals, for as long as the browser's session lasts.
    pub store: Rc<dyn Store>,
    /// Journals on disk; `None` where nothing may outlive the session.
    pub archive: Option<Rc<dyn Archive>>,
    /// Large bodies.
    pub blobs: Rc<dyn Blobs>,
    /// Settings.
    pub shelf: Rc<dyn Shelf>,
    /// Keys.
    pub secrets: Rc<Vault>,
    /// Time.
    pub clock: Rc<dyn Clock>,
    /// Time zones.
    pub zones: Rc<dyn Zones>,
    /// Language detection.
    pub languages: Rc<dyn Languages>,
    /// Pages.
    pub tabs: Rc<dyn Tabs>,
    /// The alarm.
    pub watchdog: Rc<dyn Watchdog>,
    /// Ownership.
    pub locks: Rc<dyn Locks>,
    /// The network.
    pub http: Rc<dyn Http>,
    /// Pages of the web.
    pub web: Rc<dyn Web>,
    /// What the user let us do.
    pub grants: Rc<dyn Grants>,
    /// The package's own files.
    pub assets: Rc<dyn Assets>,
    /// The browser's own model.
    pub built_in: Rc<dyn BuiltIn>,
    /// Looks at pictures.
    pub sight: Rc<dyn Sight>,
}

impl Host {
    /// The ports that a journal needs.
    pub fn ports(&self) -> Ports {
        Ports {
            store: self.store.clone(),
            archive: self.archive.clone(),
            blobs: self.blobs.clone(),
            clock: self.clock.clone(),
        }
    }
}
