//! The ports that are not storage: time, tabs, the watchdog, locks.

use super::queue::{Kind, NotBefore, Queue};
use crate::host::{
    Capture, CaptureError, Clock, Fut, LockGuard, Locks, RunId, TabId, Tabs, Watchdog,
};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

const MONTH_MS: u64 = 30 * 86_400_000;

/// The virtual clock.
pub(super) struct SimClock(pub(super) Rc<Queue>);

impl Clock for SimClock {
    fn now_ms(&self) -> u64 {
        self.0.now_ms()
    }

    /// Of thirty days each: no test needs February.
    fn month(&self) -> u32 {
        u32::try_from(self.0.now_ms() / MONTH_MS).unwrap_or(u32::MAX)
    }

    fn sleep(&self, ms: u64) -> Fut<()> {
        let not_before = NotBefore {
            tick: 0,
            at_ms: self.0.now_ms().saturating_add(ms),
        };
        self.0.issue(Kind::Local, not_before, || ())
    }
}

/// What the tabs show.
#[derive(Default)]
pub(super) struct Pages {
    pub(super) shown: BTreeMap<TabId, Result<Capture, CaptureError>>,
    pub(super) delay_ticks: u64,
    pub(super) captures: u64,
}

/// The scripted tabs; one without a script is closed.
pub(super) struct SimTabs {
    pub(super) queue: Rc<Queue>,
    pub(super) pages: Rc<RefCell<Pages>>,
}

impl Tabs for SimTabs {
    fn capture(&self, tab: TabId) -> Fut<Result<Capture, CaptureError>> {
        let pages = self.pages.clone();
        let not_before = NotBefore {
            tick: self.queue.ticks() + self.pages.borrow().delay_ticks,
            at_ms: 0,
        };
        self.queue.issue(Kind::Local, not_before, move || {
            let mut pages = pages.borrow_mut();
            pages.captures += 1;
            let shown = pages.shown.get(&tab).cloned();
            shown.unwrap_or(Err(CaptureError::Gone))
        })
    }
}

/// The alarms, which outlive their worker.
#[derive(Default)]
pub(super) struct Alarms {
    pub(super) is_armed: Cell<bool>,
    pub(super) ring_at_ms: Cell<Option<u64>>,
}

pub(super) struct SimWatchdog(pub(super) Rc<Alarms>);

impl Watchdog for SimWatchdog {
    fn arm(&self) {
        self.0.is_armed.set(true);
    }

    fn disarm(&self) {
        self.0.is_armed.set(false);
    }

    fn ring_at(&self, at_ms: Option<u64>) {
        self.0.ring_at_ms.set(at_ms);
    }
}

/// Locks, released by their guards: a killed life drops its own.
pub(super) struct SimLocks {
    pub(super) queue: Rc<Queue>,
    pub(super) held: Rc<RefCell<BTreeSet<RunId>>>,
    pub(super) lockless: Rc<Cell<bool>>,
}

impl Locks for SimLocks {
    fn acquire(&self, run: &RunId) -> Fut<Option<LockGuard>> {
        let held = self.held.clone();
        let lockless = self.lockless.get();
        let run = run.clone();
        self.queue
            .issue(Kind::Local, NotBefore::default(), move || {
                let taken = held.borrow_mut().insert(run.clone()) || lockless;
                taken.then(|| {
                    LockGuard::new(move || {
                        held.borrow_mut().remove(&run);
                    })
                })
            })
    }
}
