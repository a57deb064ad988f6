//! The operations in flight. The seed chooses which of them is performed next.
//!
//! An operation is added to the queue when it is issued, and is performed at a later tick.

use super::random::Random;
use gloss_durable::Fut;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// The time at which the simulated world starts, in milliseconds since the Unix epoch.
const EPOCH_MS: u64 = 1_700_000_000_000;
/// Each tick moves the clock forward by a random time below this number of milliseconds.
const TICK_MS: usize = 20;

/// The kind of an operation. The kind decides whether the operation is still performed if its
/// future is dropped or its life ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// A write to the named store. Writes to one store are performed in the order in which they
    /// were issued, even if their futures are dropped. At a kill, the first pending writes may
    /// still be performed.
    Write(&'static str),
    /// A request to the outside world. Dropping the future recalls the request. At a kill, the
    /// request may have arrived already.
    Sent,
    /// A local operation. Dropping the future cancels it, and a kill loses it.
    Local,
}

/// The earliest tick and time at which an operation may be performed.
#[derive(Debug, Clone, Copy, Default)]
struct NotBefore {
    tick: u64,
    at_ms: u64,
}

struct Pending {
    id: u64,
    kind: Kind,
    not_before: NotBefore,
    happen: Box<dyn FnOnce()>,
}

pub(super) struct Queue(RefCell<State>);

struct State {
    random: Random,
    pending: Vec<Pending>,
    next_id: u64,
    tick: u64,
    now_ms: u64,
    hooks: Vec<(u64, Box<dyn FnOnce()>)>,
}

impl Queue {
    pub(super) fn new(seed: u64) -> Rc<Self> {
        Rc::new(Self(RefCell::new(State {
            random: Random::new(seed),
            pending: Vec::new(),
            next_id: 0,
            tick: 0,
            now_ms: EPOCH_MS,
            hooks: Vec::new(),
        })))
    }

    /// Issues an operation; `happen` is called at the tick in which the operation is performed.
    pub(super) fn issue<T: 'static>(
        self: &Rc<Self>,
        kind: Kind,
        happen: impl FnOnce() -> T + 'static,
    ) -> Fut<T> {
        self.issue_after(kind, NotBefore::default(), happen)
    }

    /// Issues a local operation that takes at least this many ticks.
    pub(super) fn local<T: 'static>(
        self: &Rc<Self>,
        ticks: u64,
        happen: impl FnOnce() -> T + 'static,
    ) -> Fut<T> {
        let tick = self.ticks() + ticks;
        self.issue_after(Kind::Local, NotBefore { tick, at_ms: 0 }, happen)
    }

    /// Resolves after `ms` milliseconds.
    pub(super) fn sleep(self: &Rc<Self>, ms: u64) -> Fut<()> {
        self.sleep_until(self.now_ms().saturating_add(ms))
    }

    /// Resolves at a time in milliseconds since the Unix epoch.
    pub(super) fn sleep_until(self: &Rc<Self>, at_ms: u64) -> Fut<()> {
        self.issue_after(Kind::Local, NotBefore { tick: 0, at_ms }, || ())
    }

    fn issue_after<T: 'static>(
        self: &Rc<Self>,
        kind: Kind,
        not_before: NotBefore,
        happen: impl FnOnce() -> T + 'static,
    ) -> Fut<T> {
        let cell = Rc::new(RefCell::new((None, None::<Waker>)));
        let answer = cell.clone();
        let happen = Box::new(move || {
            let value = happen();
            let waker = {
                let mut cell = answer.borrow_mut();
                cell.0 = Some(value);
                cell.1.take()
            };
            if let Some(waker) = waker {
                waker.wake();
            }
        });
        let mut state = self.0.borrow_mut();
        let id = state.next_id;
        state.next_id += 1;
        state.pending.push(Pending {
            id,
            kind,
            not_before,
            happen,
        });
        Box::pin(Operation {
            cell,
            queue: self.clone(),
            id,
            recalled: !matches!(kind, Kind::Write(_)),
        })
    }

    /// Performs one of the operations that are ready. Returns false if no operation is in flight.
    pub(super) fn tick(&self) -> bool {
        let chosen = {
            let mut state = self.0.borrow_mut();
            if state.pending.is_empty() && state.hooks.is_empty() {
                return false;
            }
            state.tick += 1;
            state.now_ms += state.random.below(TICK_MS) as u64;
            state.choose()
        };
        if let Some(pending) = chosen {
            (pending.happen)();
        }
        true
    }

    /// Calls the hooks whose tick has come.
    pub(super) fn call_hooks(&self) {
        let due: Vec<_> = {
            let mut state = self.0.borrow_mut();
            let now = state.tick;
            let hooks = std::mem::take(&mut state.hooks);
            let (due, later) = hooks.into_iter().partition(|(tick, _)| *tick <= now);
            state.hooks = later;
            due
        };
        for (_, hook) in due {
            hook();
        }
    }

    pub(super) fn hook(&self, tick: u64, hook: Box<dyn FnOnce()>) {
        self.0.borrow_mut().hooks.push((tick, hook));
    }

    /// Starts a life, whose ticks count from 0.
    pub(super) fn begin_life(&self) {
        self.0.borrow_mut().tick = 0;
    }

    /// Ends a life without a kill: all its writes are performed, and its other operations are
    /// dropped.
    pub(super) fn end_life(&self) {
        self.finish(|kind, _| matches!(kind, Kind::Write(_)));
    }

    /// Ends a life with a kill. For each store, the first few of the pending writes are performed;
    /// the seed decides how many. The seed also decides whether each request in flight arrives or
    /// is lost.
    pub(super) fn kill(&self) {
        let mut torn = BTreeSet::new();
        self.finish(move |kind, random| match kind {
            Kind::Local => false,
            Kind::Sent => random.coin(),
            Kind::Write(_) => {
                let lands = !torn.contains(&kind) && random.coin();
                if !lands {
                    torn.insert(kind);
                }
                lands
            }
        });
    }

    fn finish(&self, mut lands: impl FnMut(Kind, &mut Random) -> bool) {
        let pending = {
            let mut state = self.0.borrow_mut();
            state.hooks.clear();
            std::mem::take(&mut state.pending)
        };
        for operation in pending {
            let lands = lands(operation.kind, &mut self.0.borrow_mut().random);
            if lands {
                (operation.happen)();
            }
        }
    }

    pub(super) fn ticks(&self) -> u64 {
        self.0.borrow().tick
    }

    pub(super) fn now_ms(&self) -> u64 {
        self.0.borrow().now_ms
    }

    pub(super) fn jump(&self, by_ms: i64) {
        let mut state = self.0.borrow_mut();
        state.now_ms = state.now_ms.saturating_add_signed(by_ms);
    }

    pub(super) fn shuffle<T>(&self, items: &mut [T]) {
        self.0.borrow_mut().random.shuffle(items);
    }

    fn recall(&self, id: u64) {
        let recalled = {
            let mut state = self.0.borrow_mut();
            let place = state.pending.iter().position(|pending| pending.id == id);
            place.map(|place| state.pending.remove(place))
        };
        // `recalled` is dropped after the borrow has ended: its closure may contain other
        // operations, whose drop borrows the state again.
        drop(recalled);
    }
}

impl State {
    fn choose(&mut self) -> Option<Pending> {
        let mut ready = self.ready();
        if ready.is_empty() && !self.waits_for_a_tick() {
            // All operations wait for a later time, so the clock jumps to the earliest of these
            // times.
            let wake = self.pending.iter().map(|p| p.not_before.at_ms).min();
            self.now_ms = self.now_ms.max(wake.unwrap_or_default());
            ready = self.ready();
        }
        let place = *ready.get(self.random.below(ready.len()))?;
        Some(self.pending.remove(place))
    }

    fn ready(&self) -> Vec<usize> {
        let mut writing = BTreeSet::new();
        let mut ready = Vec::new();
        for (place, pending) in self.pending.iter().enumerate() {
            let its_turn = match pending.kind {
                Kind::Write(_) => writing.insert(pending.kind),
                Kind::Sent | Kind::Local => true,
            };
            let NotBefore { tick, at_ms } = pending.not_before;
            if its_turn && tick <= self.tick && at_ms <= self.now_ms {
                ready.push(place);
            }
        }
        ready
    }

    fn waits_for_a_tick(&self) -> bool {
        let delayed = |pending: &Pending| pending.not_before.tick > self.tick;
        !self.hooks.is_empty() || self.pending.iter().any(delayed)
    }
}

type Answer<T> = Rc<RefCell<(Option<T>, Option<Waker>)>>;

struct Operation<T> {
    cell: Answer<T>,
    queue: Rc<Queue>,
    id: u64,
    recalled: bool,
}

impl<T> Future for Operation<T> {
    type Output = T;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<T> {
        let mut cell = self.cell.borrow_mut();
        if let Some(value) = cell.0.take() {
            return Poll::Ready(value);
        }
        cell.1 = Some(cx.waker().clone());
        Poll::Pending
    }
}

impl<T> Drop for Operation<T> {
    fn drop(&mut self) {
        if self.recalled {
            self.queue.recall(self.id);
        }
    }
}
