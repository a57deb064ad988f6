#![doc = include_str!("../README.md")]

mod assets;
mod built_in;
mod damage;
mod disk;
mod faults;
mod keys;
mod languages;
mod life;
mod local;
mod net;
mod ports;
mod queue;
mod random;
mod reader;
mod time_zones;
mod web;

use assets::Files;
use built_in::ModelState;
use disk::Disk;
use gloss_durable::{Fut, RunId};
use gloss_host::{
    Capture, CaptureError, ClosedSites, GuardedTabs, Host, HttpError, HttpRequest, Prompt,
    RecognizedText, ScreenshotRequest, Script, Shot, ShotError, TabId, Vault,
};
use languages::Spoken;
use net::Net;
use ports::{Alarms, Pages};
use queue::{Kind, Queue};
use reader::Reading;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::future::Future;
use std::rc::Rc;

pub use built_in::ScriptedAnswer;
pub use damage::Damage;
pub use net::Answer;

/// The size of Chrome's session storage, in bytes. A write that doesn't fit is refused as a whole.
pub const SESSION_BYTES: usize = 10 * 1024 * 1024;

type Body = futures::stream::LocalBoxStream<'static, Result<Vec<u8>, HttpError>>;

/// The simulated world. All clones share the same world.
#[derive(Clone)]
pub struct Sim {
    queue: Rc<Queue>,
    disk: Rc<RefCell<Disk>>,
    pages: Rc<RefCell<Pages>>,
    reading: Rc<RefCell<Reading>>,
    alarms: Rc<Alarms>,
    held: Rc<RefCell<BTreeSet<RunId>>>,
    lockless: Rc<Cell<bool>>,
    net: Rc<RefCell<Net>>,
    files: Rc<RefCell<Files>>,
    salts: Rc<Cell<u64>>,
    nano: Rc<RefCell<ModelState>>,
    spoken: Rc<RefCell<Spoken>>,
}

impl Sim {
    /// Creates a world. `seed` determines all random choices in the world.
    pub fn new(seed: u64) -> Self {
        Self {
            queue: Queue::new(seed),
            disk: Rc::default(),
            pages: Rc::default(),
            reading: Rc::default(),
            alarms: Rc::default(),
            held: Rc::default(),
            lockless: Rc::default(),
            net: Rc::default(),
            files: Rc::default(),
            salts: Rc::default(),
            nano: Rc::default(),
            spoken: Rc::default(),
        }
    }

    /// Creates the ports of a new worker.
    pub fn host(&self) -> Host {
        let sim = Rc::new(self.clone());
        let closed_sites = ClosedSites::new(sim.clone());
        Host {
            store: sim.clone(),
            archive: Some(sim.clone()),
            blobs: sim.clone(),
            local_storage: sim.clone(),
            secrets: Rc::new(Vault::new(sim.clone(), sim.clone(), sim.clone())),
            clock: sim.clone(),
            zones: sim.clone(),
            languages: sim.clone(),
            tabs: GuardedTabs::new(sim.clone(), closed_sites.clone()),
            closed_sites,
            watchdog: sim.clone(),
            locks: sim.clone(),
            http: sim.clone(),
            web: sim.clone(),
            grants: sim.clone(),
            assets: sim.clone(),
            built_in: sim.clone(),
            screenshots: sim,
        }
    }

    /// Runs `run` as one life of a worker. The simulated time passes in ticks; each tick performs
    /// at most one operation. Returns `None` if the life was killed after `kill_at` ticks; with
    /// `u64::MAX`, a life is never killed. At a kill, local operations are lost. A request may
    /// still arrive, and the first of each store's pending writes may still be performed.
    ///
    /// # Panics
    /// If no operation is in flight and `run` was not woken: `run` would wait forever.
    pub fn life<T>(&self, kill_at: u64, run: impl Future<Output = T>) -> Option<T> {
        life::live(&self.queue, kill_at, run)
    }

    /// Returns the number of ticks of the current or last life.
    pub fn ticks(&self) -> u64 {
        self.queue.ticks()
    }

    /// Calls `hook` at a tick of the next life, to simulate an action of the user. Tick 0 is before
    /// the first poll. If the life ends before the tick, the hook is dropped.
    pub fn at_tick(&self, tick: u64, hook: impl FnOnce() + 'static) {
        self.queue.hook(tick, Box::new(hook));
    }

    /// Issues an operation on the outside world. `happen` is called when the operation arrives.
    /// Dropping the future recalls the operation. At a kill, the seed decides whether the operation
    /// arrives. The effects of tests use this function.
    pub fn send<T: 'static>(&self, happen: impl FnOnce() -> T + 'static) -> Fut<T> {
        self.queue.issue(Kind::Sent, happen)
    }

    /// Moves the clock forward or back.
    pub fn jump_clock(&self, by_ms: i64) {
        self.queue.jump(by_ms);
    }

    /// Returns the clock's time, in milliseconds since the Unix epoch.
    pub fn now_ms(&self) -> u64 {
        self.queue.now_ms()
    }

    /// Sets the page that a tab shows. A tab without a page counts as closed.
    pub fn set_page(&self, tab: TabId, page: Result<Capture, CaptureError>) {
        self.pages.borrow_mut().shown.insert(tab, page);
    }

    /// Sets the screenshot of a tab. Without this call, screenshots of the tab fail.
    pub fn set_picture(&self, tab: TabId, picture: Result<Shot, ShotError>) {
        self.pages.borrow_mut().pictured.insert(tab, picture);
    }

    /// Sets the text that is recognised in every screenshot. Without this call, recognition fails.
    pub fn set_words(&self, words: RecognizedText) {
        self.set_words_in(Script::Latin, words.clone());
        self.set_words_in(Script::Chinese, words);
    }

    /// Sets the text that is recognised in every screenshot for one writing system.
    pub fn set_words_in(&self, script: Script, words: RecognizedText) {
        self.pages.borrow_mut().words.insert(script, words);
    }

    /// Returns the screenshots that were processed, over all lives.
    pub fn looks(&self) -> Vec<ScreenshotRequest> {
        self.pages.borrow().looks.clone()
    }

    /// Sets the page that a background tab shows at its address.
    pub fn set_scripted(&self, url: &str, page: Capture) {
        self.pages
            .borrow_mut()
            .scripted
            .insert(url.to_owned(), page);
    }

    /// Returns the number of background tabs that were opened, and the number of those still open.
    pub fn tabs_opened(&self) -> (usize, usize) {
        let pages = self.pages.borrow();
        (pages.opened as usize, pages.open.len())
    }

    /// Makes each capture take at least this many ticks.
    pub fn set_capture_delay(&self, ticks: u64) {
        self.pages.borrow_mut().delay_ticks = ticks;
    }

    /// Makes each extraction take at least this many ticks.
    pub fn set_reading_delay(&self, ticks: u64) {
        self.reading.borrow_mut().delay_ticks = ticks;
    }

    /// Makes the module that reads pages fail at extraction number `n`, counted from 0 over all
    /// lives.
    pub fn fail_reading(&self, n: u64) {
        self.reading.borrow_mut().fails_at = Some(n);
    }

    /// Returns the number of captures, over all lives.
    pub fn captures(&self) -> u64 {
        self.pages.borrow().captures
    }

    /// Adds a file to the package.
    pub fn lay(&self, name: &str, bytes: Vec<u8>) {
        self.files.borrow_mut().laid.insert(name.to_owned(), bytes);
    }

    /// Returns the number of requests for files of the package.
    pub fn assets_asked(&self) -> u64 {
        self.files.borrow().asked
    }

    /// Returns the number of writes of batches to session storage, including refused ones.
    pub fn writes(&self) -> u64 {
        self.disk.borrow().writes
    }

    /// Returns the number of writes to the archive, including refused ones.
    pub fn archive_writes(&self) -> u64 {
        self.disk.borrow().archive_writes
    }

    /// Returns the number of writes of bodies, including refused ones.
    pub fn blob_writes(&self) -> u64 {
        self.disk.borrow().blob_writes
    }

    /// Returns true if the watchdog is armed.
    pub fn is_armed(&self) -> bool {
        self.alarms.is_armed.get()
    }

    /// Returns the time of the timer alarm, in milliseconds since the Unix epoch; `None` if it
    /// isn't set.
    pub fn rings_at(&self) -> Option<u64> {
        self.alarms.ring_at_ms.get()
    }

    /// Resolves when the timer alarm fires, or at once if no alarm is set. A later change of the
    /// alarm has no effect on this future. The test itself decides whether and how often the worker
    /// reacts.
    pub fn alarm(&self) -> Fut<()> {
        self.queue.sleep_until(self.rings_at().unwrap_or_default())
    }

    /// Removes the timer alarm, as an update of Chrome may.
    pub fn lose_alarm(&self) {
        self.alarms.ring_at_ms.set(None);
    }

    /// Returns true if a worker holds the run's lock.
    pub fn is_locked(&self, run: &RunId) -> bool {
        self.held.borrow().contains(run)
    }

    /// Turns Web Locks on or off. While Web Locks are off, every lock is granted.
    pub fn set_lockable(&self, lockable: bool) {
        self.lockless.set(!lockable);
    }

    /// Acquires or releases the run's lock, as another worker would.
    pub fn set_locked(&self, run: &RunId, locked: bool) {
        let mut held = self.held.borrow_mut();
        if locked {
            held.insert(run.clone());
        } else {
            held.remove(run);
        }
    }
}

/// The scripted server. It records the requests that arrive.
impl Sim {
    /// Sets the script. It gets a request and the number of earlier requests, and returns the
    /// answer. Without a script, no server responds.
    pub fn serve(&self, script: impl FnMut(&HttpRequest, usize) -> Answer + 'static) {
        self.net.borrow_mut().serve = Some(Box::new(script));
    }

    /// Grants permission for an origin, such as `https://api.example`.
    pub fn grant(&self, origin: &str) {
        self.net.borrow_mut().granted.insert(origin.to_owned());
    }

    /// Returns the origins for which the user has granted permission.
    pub fn grants(&self) -> Vec<String> {
        self.net.borrow().granted.iter().cloned().collect()
    }

    /// Revokes permission for an origin.
    pub fn revoke(&self, origin: &str) {
        self.net.borrow_mut().granted.remove(origin);
    }

    /// Returns the requests that arrived, over all lives.
    pub fn requests(&self) -> Vec<HttpRequest> {
        self.net.borrow().arrived.clone()
    }

    /// Returns the number of requests that the client aborted before the response ended.
    pub fn abandoned_requests(&self) -> usize {
        self.net.borrow().abandoned
    }
}

/// The simulated built-in model of the browser. Without a script, the model is unavailable.
impl Sim {
    /// Sets the script. It gets a prompt and the number of earlier prompts, and returns the answer.
    pub fn recite(&self, script: impl FnMut(&Prompt, usize) -> ScriptedAnswer + 'static) {
        self.nano.borrow_mut().recite = Some(Box::new(script));
    }

    /// Returns the prompts that the model has received, over all lives.
    pub fn prompts(&self) -> Vec<Prompt> {
        self.nano.borrow().asked.clone()
    }

    /// Returns the number of sessions that exist.
    pub fn open_sessions(&self) -> usize {
        self.nano.borrow().open
    }

    /// Returns the number of sessions that were destroyed before their answer ended.
    pub fn abandoned_sessions(&self) -> usize {
        self.nano.borrow().abandoned
    }
}

#[cfg(test)]
mod tests;
