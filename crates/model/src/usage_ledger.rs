//! The usage ledger: the cost of this month, and the usage of this browser session.
//!
//! Driving example: a question to a model with a price. When it is sent, the estimated prompt is
//! charged; the provider's count replaces the estimate before the reply is recorded. If the worker
//! dies in between, the estimate remains, because the provider received the request (except a
//! worker's first call, if the worker dies while the ledger loads). So the ledger counts all calls:
//! a deleted conversation refunds nothing, and a fork is not charged for copied records. The ledger
//! does not store runs or pages.

use super::{Micros, Price, Usage};
use futures::FutureExt;
use futures::future::{join, join_all, select_all};
use futures::lock::Mutex;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Call, Class, Clock, Effect, Fingerprint, Fut, Store, StoreError, json};
use gloss_host::{Host, LocalStorage};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// The key of the months in local storage.
const MONTHS: &str = "spent";
/// The key of the session's sum in session storage.
const SESSION: &str = "spent";
/// The most concurrent model calls (DETAILS §7).
const MOST_CALLS: usize = 4;
/// This month and the one before, which can be current again after a change of time zone.
const MONTHS_KEPT: usize = 2;

/// The cost per month, counted from the year 0. A persisted format.
type Months = SortedMap<u32, Micros>;

/// Tokens and their cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageTotal {
    /// Input and output tokens.
    pub tokens: u64,
    /// The cost in millionths of a dollar, as far as prices are known.
    pub cost: Micros,
}

impl UsageTotal {
    fn of(usage: Usage, price: Option<Price>) -> Self {
        Self {
            tokens: u64::from(usage.input_tokens) + u64::from(usage.output_tokens),
            cost: price.map_or(0, |price| price.of(usage)),
        }
    }

    /// The sum with the charge `less` replaced by `more`.
    fn with(self, more: Self, less: Self) -> Self {
        Self {
            tokens: (self.tokens + more.tokens).saturating_sub(less.tokens),
            cost: (self.cost + more.cost).saturating_sub(less.cost),
        }
    }
}

/// The usage ledger, in memory and in storage.
pub struct UsageLedger {
    local_storage: Rc<dyn LocalStorage>,
    store: Rc<dyn Store>,
    clock: Rc<dyn Clock>,
    /// `None` until it is needed, so that the start of a worker reads nothing.
    book: Mutex<Option<LedgerState>>,
    /// Writes in progress. A reply does not wait for them, because it would be lost if the worker
    /// stopped meanwhile.
    pending: RefCell<Vec<Fut<Result<(), StoreError>>>>,
    /// A lock for each concurrent call; further calls wait.
    places: [Mutex<()>; MOST_CALLS],
}

#[derive(Default)]
struct LedgerState {
    months: Months,
    session: UsageTotal,
}

/// A provisional charge, until the provider's count is known.
#[must_use]
pub(super) struct Charge {
    month: u32,
    price: Option<Price>,
    sum: UsageTotal,
}

impl UsageLedger {
    /// A ledger over the host's ports.
    pub fn new(host: &Host) -> Rc<Self> {
        Rc::new(Self {
            local_storage: host.local_storage.clone(),
            store: host.store.clone(),
            clock: host.clock.clone(),
            book: Mutex::default(),
            pending: RefCell::default(),
            places: Default::default(),
        })
    }

    /// Charges the expected usage of a call.
    pub(super) async fn charge(&self, usage: Usage, price: Option<Price>) -> Charge {
        let charge = Charge {
            month: self.clock.month(),
            price,
            sum: UsageTotal::of(usage, price),
        };
        self.put(charge.month, charge.sum, UsageTotal::default())
            .await;
        charge
    }

    /// Replaces a provisional charge by the real usage. The write has started when this resolves,
    /// but may not be finished.
    pub(super) async fn settle(&self, charge: Charge, usage: Usage) {
        let used = UsageTotal::of(usage, charge.price);
        self.put(charge.month, used, charge.sum).await;
    }

    /// Waits for a reply and charges for it: the estimated `prompt` when it is sent, in case the
    /// worker dies, and the real usage (`used`) when it is known.
    pub(crate) async fn pay_for<T>(
        &self,
        prompt: Usage,
        price: Option<Price>,
        reply: Fut<T>,
        used: impl Fn(&T) -> Usage,
    ) -> T {
        let (_place, ..) = select_all(self.places.iter().map(Mutex::lock)).await;
        let (charge, reply) = join(self.charge(prompt, price), reply).await;
        // Started before the reply is recorded.
        self.settle(charge, used(&reply)).await;
        reply
    }

    async fn put(&self, month: u32, more: UsageTotal, less: UsageTotal) {
        let mut book = self.book.lock().await;
        let book = self.loaded(&mut book).await;
        book.session = book.session.with(more, less);
        // Started under the lock, so that writes finish in the order of the sums.
        let mut pending = self.pending.borrow_mut();
        if more.cost != less.cost {
            let spent = book.months.or_default(month);
            *spent = spent.saturating_add(more.cost).saturating_sub(less.cost);
            while book.months.len() > MONTHS_KEPT {
                book.months.pop_first();
            }
            pending.push(self.local_storage.put(MONTHS, text(&book.months)));
        }
        pending.push(self.store.keep(SESSION, text(&book.session)));
    }

    /// Waits until all charges are stored.
    pub async fn flush(&self) {
        let pending = self.pending.take();
        // If storage refuses, the sum stays in memory; the run continues.
        join_all(pending).await;
    }

    /// The cost of this month, and the usage of this session.
    pub async fn spent(&self) -> (Micros, UsageTotal) {
        let mut book = self.book.lock().await;
        let book = self.loaded(&mut book).await;
        let month = book.months.get(&self.clock.month());
        (month.copied().unwrap_or_default(), book.session)
    }

    /// The cost of this month, after all charges are stored.
    async fn month(&self) -> Micros {
        self.flush().await;
        self.spent().await.0
    }

    /// Erases the ledger, including charges made during the erasure of other data.
    ///
    /// # Errors
    /// If session storage refuses.
    pub async fn erase(&self) -> Result<(), StoreError> {
        let mut book = self.book.lock().await;
        book.take();
        // Started under the lock: later charges are written after it.
        let erased = join(
            self.local_storage.remove(MONTHS),
            self.store.keep(SESSION, String::new()),
        );
        let (months, session) = erased.await;
        months.and(session)
    }

    async fn loaded<'a>(&self, book: &'a mut Option<LedgerState>) -> &'a mut LedgerState {
        if book.is_none() {
            let kept = join(self.local_storage.get(MONTHS), self.store.kept(SESSION)).await;
            *book = Some(LedgerState {
                months: value(kept.0),
                session: value(kept.1),
            });
        }
        book.get_or_insert_default()
    }
}

fn text<T: Serialize>(value: &T) -> String {
    json::text(value).unwrap_or_default()
}

/// The stored value of a name, or the default if it can't be read.
fn value<T: DeserializeOwned + Default>(kept: Result<Option<String>, StoreError>) -> T {
    let text = kept.ok().flatten().unwrap_or_default();
    json::parse(&text).unwrap_or_default()
}

/// Reads the cost of this month in millionths of a dollar.
pub struct MonthSpent {
    /// The ledger to read.
    pub ledger: Rc<UsageLedger>,
}

impl Effect for MonthSpent {
    type Outcome = Micros;

    const KIND: &'static str = "month";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::default()
    }

    fn perform(self, _: Call) -> Fut<Self::Outcome> {
        async move { self.ledger.month().await }.boxed_local()
    }
}

#[cfg(test)]
mod tests;
