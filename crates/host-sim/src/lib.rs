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
mod web;
mod zones;

use assets::{Files, SimAssets};
use built_in::{Nano, SimBuiltIn};
use disk::{Disk, SimStore};
use gloss_durable::{Fut, RunId};
use gloss_host::{
    Capture, CaptureError, Host, HttpError, HttpRequest, Look, Prompt, Script, Seen, Shot,
    ShotError, TabId, Vault,
};
use keys::{Area, SimCipher, SimDrawer};
use languages::{SimLanguages, Spoken};
use net::{Net, SimNet};
use ports::{Alarms, Pages, SimClock, SimLocks, SimSight, SimTabs, SimWatchdog};
use queue::{Kind, NotBefore, Queue};
use reader::Reading;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::future::Future;
use std::rc::Rc;
use web::SimWeb;

pub use built_in::Recital;
pub use damage::Damage;
pub use net::Answer;

/// What Chrome's session storage holds, in bytes (FACTS): a write that does not fit
/// is refused as a whole.
pub const SESSION_BYTES: usize = 10 * 1024 * 1024;

/// A response's body.
type Body = futures::stream::LocalBoxStream<'static, Result<Vec<u8>, HttpError>>;

/// The simulated world. Clones are the same world.
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
    nano: Rc<RefCell<Nano>>,
    spoken: Rc<RefCell<Spoken>>,
}

impl Sim {
    /// A world in which chance is `seed`'s.
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

    /// The ports of a worker.
    pub fn host(&self) -> Host {
        let store = Rc::new(SimStore {
            queue: self.queue.clone(),
            disk: self.disk.clone(),
        });
        let net = Rc::new(SimNet {
            queue: self.queue.clone(),
            net: self.net.clone(),
        });
        let drawer = |area| {
            Rc::new(SimDrawer {
                store: store.clone(),
                area,
            })
        };
        let cipher = SimCipher {
            queue: self.queue.clone(),
            salts: self.salts.clone(),
        };
        let keys = Vault::new(drawer(Area::Local), drawer(Area::Session), Rc::new(cipher));
        Host {
            store: store.clone(),
            archive: Some(store.clone()),
            blobs: store.clone(),
            shelf: store.clone(),
            secrets: Rc::new(keys),
            clock: Rc::new(SimClock(self.queue.clone())),
            zones: Rc::new(zones::SimZones),
            languages: Rc::new(SimLanguages {
                queue: self.queue.clone(),
                spoken: self.spoken.clone(),
            }),
            tabs: Rc::new(SimTabs {
                queue: self.queue.clone(),
                pages: self.pages.clone(),
            }),
            watchdog: Rc::new(SimWatchdog(self.alarms.clone())),
            locks: Rc::new(SimLocks {
                queue: self.queue.clone(),
                held: self.held.clone(),
                lockless: self.lockless.clone(),
            }),
            http: net.clone(),
            web: Rc::new(SimWeb(net.clone())),
            grants: net,
            assets: Rc::new(SimAssets {
                queue: self.queue.clone(),
                files: self.files.clone(),
            }),
            built_in: Rc::new(SimBuiltIn {
                queue: self.queue.clone(),
                nano: self.nano.clone(),
            }),
            sight: Rc::new(SimSight {
                queue: self.queue.clone(),
                pages: self.pages.clone(),
            }),
        }
    }

    /// Runs `run` until it ends, or until `kill_at` ticks have passed (then
    /// `None`; `u64::MAX`: never). At a kill, operations in flight are lost, but
    /// of each store's writes a prefix may still land.
    ///
    /// # Panics
    /// If the run is not woken and nothing is left to happen: a lost wake-up.
    pub fn life<T>(&self, kill_at: u64, run: impl Future<Output = T>) -> Option<T> {
        life::live(&self.queue, kill_at, run)
    }

    /// How many ticks the last life took, or this one has taken.
    pub fn ticks(&self) -> u64 {
        self.queue.ticks()
    }

    /// Calls `hook` at a tick of the next life (0: before its first poll):
    /// what people do meanwhile. Hooks that did not come up end with the life.
    pub fn at_tick(&self, tick: u64, hook: impl FnOnce() + 'static) {
        self.queue.hook(tick, Box::new(hook));
    }

    /// Something asked of the outside: `happen` is called when it gets there.
    /// Dropping the future calls it back; at a kill the seed says whether it
    /// got there. For tests' own effects.
    pub fn send<T: 'static>(&self, happen: impl FnOnce() -> T + 'static) -> Fut<T> {
        self.queue.issue(Kind::Sent, NotBefore::default(), happen)
    }

    /// Makes the clock jump forward or back.
    pub fn jump_clock(&self, by_ms: i64) {
        self.queue.jump(by_ms);
    }

    /// What the clock shows, in milliseconds since the Unix epoch.
    pub fn now_ms(&self) -> u64 {
        self.queue.now_ms()
    }

    /// What a tab shows from now on. A tab never set is closed.
    pub fn set_page(&self, tab: TabId, page: Result<Capture, CaptureError>) {
        self.pages.borrow_mut().shown.insert(tab, page);
    }

    /// What a picture of a tab is from now on. Of a tab never set none can be taken.
    pub fn set_picture(&self, tab: TabId, picture: Result<Shot, ShotError>) {
        self.pages.borrow_mut().pictured.insert(tab, picture);
    }

    /// The words that are read in every picture; without any, none can be read.
    pub fn set_words(&self, words: Seen) {
        self.set_words_in(Script::Latin, words.clone());
        self.set_words_in(Script::Chinese, words);
    }

    /// What is read in every picture by who knows this script.
    pub fn set_words_in(&self, script: Script, words: Seen) {
        self.pages.borrow_mut().words.insert(script, words);
    }

    /// What pictures were looked at, over all lives.
    pub fn looks(&self) -> Vec<Look> {
        self.pages.borrow().looks.clone()
    }

    /// What a tab that is opened at this address comes to show.
    pub fn set_scripted(&self, url: &str, page: Capture) {
        self.pages
            .borrow_mut()
            .scripted
            .insert(url.to_owned(), page);
    }

    /// How many tabs were opened, and how many of them are still.
    pub fn tabs_opened(&self) -> (usize, usize) {
        let pages = self.pages.borrow();
        (pages.opened as usize, pages.open.len())
    }

    /// Makes each capture take at least so many ticks.
    pub fn set_capture_delay(&self, ticks: u64) {
        self.pages.borrow_mut().delay_ticks = ticks;
    }

    /// Makes each extraction take at least so many ticks.
    pub fn set_reading_delay(&self, ticks: u64) {
        self.reading.borrow_mut().delay_ticks = ticks;
    }

    /// Extraction `n`, counted over all lives, makes its module fail.
    pub fn fail_reading(&self, n: u64) {
        self.reading.borrow_mut().fails_at = Some(n);
    }

    /// How many captures were made.
    pub fn captures(&self) -> u64 {
        self.pages.borrow().captures
    }

    /// Lays a file into the package.
    pub fn lay(&self, name: &str, bytes: Vec<u8>) {
        self.files.borrow_mut().laid.insert(name.to_owned(), bytes);
    }

    /// How often a file of the package was asked for.
    pub fn assets_asked(&self) -> u64 {
        self.files.borrow().asked
    }

    /// How many batches were written or refused.
    pub fn writes(&self) -> u64 {
        self.disk.borrow().writes
    }

    /// How much was written to the archive or refused by it.
    pub fn archive_writes(&self) -> u64 {
        self.disk.borrow().archive_writes
    }

    /// How many bodies were written or refused.
    pub fn blob_writes(&self) -> u64 {
        self.disk.borrow().blob_writes
    }

    /// Whether the watchdog is armed.
    pub fn is_armed(&self) -> bool {
        self.alarms.is_armed.get()
    }

    /// When the alarm for what waits for a time is to ring, in milliseconds since the
    /// Unix epoch.
    pub fn rings_at(&self) -> Option<u64> {
        self.alarms.ring_at_ms.get()
    }

    /// Resolves when that alarm, as it is set now, rings; at once if it is not set.
    /// Whether it is heard, once or twice, is the test's to say.
    pub fn alarm(&self) -> Fut<()> {
        let not_before = NotBefore {
            tick: 0,
            at_ms: self.rings_at().unwrap_or_default(),
        };
        self.queue.issue(Kind::Local, not_before, || ())
    }

    /// Chrome loses that alarm, as it may with an update.
    pub fn lose_alarm(&self) {
        self.alarms.ring_at_ms.set(None);
    }

    /// Whether a worker holds the run's lock.
    pub fn is_locked(&self, run: &RunId) -> bool {
        self.held.borrow().contains(run)
    }

    /// Whether there are Web Locks; without them everybody gets every lock.
    pub fn set_lockable(&self, lockable: bool) {
        self.lockless.set(!lockable);
    }

    /// Another worker takes or leaves the run's lock.
    pub fn set_locked(&self, run: &RunId, locked: bool) {
        let mut held = self.held.borrow_mut();
        if locked {
            held.insert(run.clone());
        } else {
            held.remove(run);
        }
    }
}

/// A server out there. A request that arrives is recorded whole.
impl Sim {
    /// How requests are answered from now on: from the request, and how many came
    /// before it. Without a script nobody answers.
    pub fn serve(&self, script: impl FnMut(&HttpRequest, usize) -> Answer + 'static) {
        self.net.borrow_mut().serve = Some(Box::new(script));
    }

    /// The user lets us speak to an origin, as in `https://api.example`.
    pub fn grant(&self, origin: &str) {
        self.net.borrow_mut().granted.insert(origin.to_owned());
    }

    /// The user no longer does.
    pub fn revoke(&self, origin: &str) {
        self.net.borrow_mut().granted.remove(origin);
    }

    /// The requests that arrived, over all lives.
    pub fn requests(&self) -> Vec<HttpRequest> {
        self.net.borrow().arrived.clone()
    }

    /// How many of them were left by their sender before the response was over,
    /// as the server sees it.
    pub fn abandoned_requests(&self) -> usize {
        self.net.borrow().abandoned
    }
}

/// The browser's own model. Without a script the browser has none.
impl Sim {
    /// What it says from now on: from the prompt, and how many came before it.
    pub fn recite(&self, script: impl FnMut(&Prompt, usize) -> Recital + 'static) {
        self.nano.borrow_mut().recite = Some(Box::new(script));
    }

    /// What it was asked, over all lives.
    pub fn prompts(&self) -> Vec<Prompt> {
        self.nano.borrow().asked.clone()
    }

    /// How many of its sessions are not destroyed.
    pub fn open_sessions(&self) -> usize {
        self.nano.borrow().open
    }

    /// How many were destroyed before their answer was over.
    pub fn abandoned_sessions(&self) -> usize {
        self.nano.borrow().abandoned
    }
}

#[cfg(test)]
mod tests;
