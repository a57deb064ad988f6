#![doc = include_str!("../README.md")]

use gloss_durable::{Archive, Blobs, Clock, Fut, Ports, RunId, Store};
use std::rc::Rc;

mod assets;
mod built_in;
mod capture;
mod closed_sites;
mod http;
mod key_storage;
mod languages;
mod local_storage;
mod private_addresses;
mod retry_after;
mod screenshots;
mod secret;
mod time_zones;
mod vault;
mod web;

pub use assets::{AssetError, Assets};
pub use built_in::{
    BuiltInError, Prompt, PromptApi, PromptEvent, PromptMessage, PromptRole, Sampling,
};
pub use capture::{BackgroundTab, Capture, CaptureError, Selection, SiteAccess, TabId};
pub use closed_sites::{ClosedSite, ClosedSites, GuardedTabs};
pub use http::{ALL_SITES, Grants, Http, HttpError, HttpRequest, HttpResponse, Method};
pub use key_storage::{Cipher, KeyError, Secrets};
pub use languages::Languages;
pub use local_storage::LocalStorage;
pub use private_addresses::{is_private, private_patterns, private_redirect_patterns};
pub use retry_after::MOST_MS as MOST_RETRY_AFTER_MS;
pub use retry_after::retry_after_ms;
pub use screenshots::{
    RecognizedText, Region, ScreenshotError, ScreenshotRequest, ScreenshotResult, ScreenshotTarget,
    Screenshots, Script, Shot, ShotError,
};
pub use secret::Secret;
pub use time_zones::TimeZones;
pub use vault::{KeyStorage, UnlockResult, Vault, VaultState};
pub use web::{Address, Web, WebResponse};

/// The user's tabs.
pub trait Tabs {
    /// Captures the document that a tab shows; see [`Capture`].
    fn capture(&self, tab: TabId) -> Fut<Result<Capture, CaptureError>>;
    /// Returns the address that a tab shows; `None` if the tab is gone, or if Chrome hides the
    /// address.
    fn address(&self, tab: TabId) -> Fut<Option<String>>;
    /// Returns true if the tab still shows this document. Returns false if the tab doesn't, or if
    /// Gloss can't find out.
    fn shows(&self, tab: TabId, document: &str) -> Fut<bool>;
    /// Takes a screenshot of a tab. If `document` is given, fails unless the tab shows that
    /// document.
    fn screenshot(&self, tab: TabId, document: Option<String>) -> Fut<Result<Shot, ShotError>>;
    /// Opens a blank tab in the background.
    fn open(&self) -> Fut<Result<TabId, CaptureError>>;
    /// Navigates a background tab to an address, without the user's cookies. `reach` gives the
    /// sites to which the page may send requests.
    fn send(
        &self,
        beside: BackgroundTab,
        url: &str,
        reach: SiteAccess,
    ) -> Fut<Result<(), CaptureError>>;
    /// Closes a background tab and frees its slot. The call is issued before this returns.
    fn close(&self, beside: BackgroundTab);
}

/// The two alarms that start the worker: the watchdog's alarm while a run is active, and the timer
/// alarm.
pub trait Watchdog {
    /// Starts the watchdog's alarm, which wakes the worker every 30 s.
    fn arm(&self);
    /// Stops the watchdog.
    fn disarm(&self);
    /// Sets the timer alarm to about `at_ms`, in milliseconds since the Unix epoch. The new alarm
    /// replaces the previous one; `None` clears the alarm. The alarm may fire late, or not at all.
    fn ring_at(&self, at_ms: Option<u64>);
}

/// Locks. They ensure that only one worker drives a run.
pub trait Locks {
    /// Acquires a run's lock. The lock is released when the guard is dropped. Returns `None` if
    /// another worker has the lock.
    fn acquire(&self, run: &RunId) -> Fut<Option<LockGuard>>;
}

/// A guard that holds a lock until it is dropped.
pub struct LockGuard(Option<Box<dyn FnOnce()>>);

impl LockGuard {
    /// Creates a guard that calls `release` when dropped.
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

/// The ports of one worker.
#[derive(Clone)]
pub struct Host {
    /// Journals in session storage.
    pub store: Rc<dyn Store>,
    /// Journals on disk; `None` if nothing may outlast the browser session.
    pub archive: Option<Rc<dyn Archive>>,
    /// Large bodies, by the hash of their content.
    pub blobs: Rc<dyn Blobs>,
    /// Settings in local storage.
    pub local_storage: Rc<dyn LocalStorage>,
    /// The user's API keys.
    pub secrets: Rc<Vault>,
    /// The machine's clock.
    pub clock: Rc<dyn Clock>,
    /// The machine's time zones.
    pub zones: Rc<dyn TimeZones>,
    /// The browser's language detection.
    pub languages: Rc<dyn Languages>,
    /// The browser's tabs, guarded by `closed_sites`.
    pub tabs: Rc<dyn Tabs>,
    /// The sites that Gloss never reads.
    pub closed_sites: Rc<ClosedSites>,
    /// The alarms that wake the worker.
    pub watchdog: Rc<dyn Watchdog>,
    /// Locks for runs.
    pub locks: Rc<dyn Locks>,
    /// Requests to the servers that the user chose.
    pub http: Rc<dyn Http>,
    /// Requests for pages of the web.
    pub web: Rc<dyn Web>,
    /// Chrome's permissions for sites.
    pub grants: Rc<dyn Grants>,
    /// The files of the extension's package.
    pub assets: Rc<dyn Assets>,
    /// The browser's own language model.
    pub built_in: Rc<dyn PromptApi>,
    /// Processing of screenshots.
    pub screenshots: Rc<dyn Screenshots>,
}

impl Host {
    /// Returns the ports that a journal needs.
    pub fn ports(&self) -> Ports {
        Ports {
            store: self.store.clone(),
            archive: self.archive.clone(),
            blobs: self.blobs.clone(),
            clock: self.clock.clone(),
        }
    }
}
