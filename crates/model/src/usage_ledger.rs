//! The usage ledger: the cost of model calls in this month, and their usage in this browser
//! session.
//!
//! Example: the user asks a model that has a price. When the question is sent, the ledger
//! is charged for the estimated prompt. When the reply arrives, the provider's count replaces the
//! estimate. After that, the reply is recorded in the journal. If the worker stops before the
//! reply, the estimate remains in the ledger, because the provider received the request. There is
//! one exception: if a worker stops in its first call while it loads the ledger, nothing is
//! charged.
//!
//! The ledger counts every call. If a conversation is deleted, its cost stays in the ledger. A fork
//! is not charged for the records that it copies. The ledger contains sums, but no data about runs
//! or pages.

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

/// The key of the costs per month in local storage.
const MONTHS: &str = "spent";
/// The key of this session's usage in session storage.
const SESSION: &str = "spent";
/// The maximum number of concurrent model calls (DETAILS §7).
const MOST_CALLS: usize = 4;
/// The number of months that the ledger stores: this month and the previous one. The previous month
/// can become current again if the time zone changes.
const MONTHS_KEPT: usize = 2;

/// The cost of each month in millionths of a dollar. Months are counted from the year 0. The map is
/// stored in this format.
type Months = SortedMap<u32, Micros>;

/// A number of tokens and their cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageTotal {
    /// The sum of input and output tokens.
    pub tokens: u64,
    /// The cost in millionths of a dollar. Calls of unknown price are not included.
    pub cost: Micros,
}

impl UsageTotal {
    fn of(usage: Usage, price: Option<Price>) -> Self {
        Self {
            tokens: u64::from(usage.input_tokens) + u64::from(usage.output_tokens),
            cost: price.map_or(0, |price| price.of(usage)),
        }
    }

    /// This total plus `more` and minus `less`.
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
    /// The totals from storage. `None` until they are needed, so that a worker starts without
    /// reading them.
    book: Mutex<Option<LedgerState>>,
    /// The writes that are in progress. A reply does not wait for them: if the worker stopped
    /// during the wait, the reply would be lost.
    pending: RefCell<Vec<Fut<Result<(), StoreError>>>>,
    /// One lock for each concurrent call. Further calls wait for a free lock.
    places: [Mutex<()>; MOST_CALLS],
}

#[derive(Default)]
struct LedgerState {
    months: Months,
    session: UsageTotal,
}

/// A provisional charge for a call, until the provider reports the real usage.
#[must_use]
pub(super) struct Charge {
    month: u32,
    price: Option<Price>,
    sum: UsageTotal,
}

impl UsageLedger {
    /// Makes a ledger that uses the host's storage and clock.
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

    /// Charges the expected usage of a call provisionally, before the call is made.
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

    /// Replaces a provisional charge by the real usage. When this function returns, the write to
    /// storage has started, but it may not be finished.
    pub(super) async fn settle(&self, charge: Charge, usage: Usage) {
        let used = UsageTotal::of(usage, charge.price);
        self.put(charge.month, used, charge.sum).await;
    }

    /// Waits for a reply and charges for it. At first, the estimated usage `prompt` is charged, in
    /// case the worker stops during the call. When the reply arrives, the real usage, which `used`
    /// returns, replaces the estimate.
    pub(crate) async fn pay_for<T>(
        &self,
        prompt: Usage,
        price: Option<Price>,
        reply: Fut<T>,
        used: impl Fn(&T) -> Usage,
    ) -> T {
        let (_place, ..) = select_all(self.places.iter().map(Mutex::lock)).await;
        let (charge, reply) = join(self.charge(prompt, price), reply).await;
        // The write must start before the reply is recorded.
        self.settle(charge, used(&reply)).await;
        reply
    }

    async fn put(&self, month: u32, more: UsageTotal, less: UsageTotal) {
        let mut book = self.book.lock().await;
        let book = self.loaded(&mut book).await;
        book.session = book.session.with(more, less);
        // The writes start while the lock is held, so that they finish in the order of the totals.
        let mut pending = self.pending.borrow_mut();
        if more.cost != less.cost {
            let spent = book.months.or_default(month);
            *spent = spent.saturating_add(more.cost).saturating_sub(less.cost);
            while book.months.len() > MONTHS_KEPT {
                book.months.pop_first();
            }
            pending.push(self.local_storage.put(MONTHS, text(&book.months)));
        }
        pending.push(self.store.put_text(SESSION, text(&book.session)));
    }

    /// Waits until all charges are stored.
    pub async fn flush(&self) {
        let pending = self.pending.take();
        // If the storage refuses a write, the total stays in memory, and the run continues.
        join_all(pending).await;
    }

    /// Returns the cost of this month in millionths of a dollar, and the usage of this browser
    /// session.
    pub async fn spent(&self) -> (Micros, UsageTotal) {
        let mut book = self.book.lock().await;
        let book = self.loaded(&mut book).await;
        let month = book.months.get(&self.clock.month());
        (month.copied().unwrap_or_default(), book.session)
    }

    /// Returns the cost of this month. Waits first until all charges are stored.
    async fn month(&self) -> Micros {
        self.flush().await;
        self.spent().await.0
    }

    /// Erases the ledger. Charges that were made while other data was being erased are erased too.
    ///
    /// # Errors
    /// If local or session storage refuses the write.
    pub async fn erase(&self) -> Result<(), StoreError> {
        let mut book = self.book.lock().await;
        book.take();
        // The erasure starts while the lock is held, so that it comes before the writes of later
        // charges.
        let erased = join(
            self.local_storage.remove(MONTHS),
            self.store.put_text(SESSION, String::new()),
        );
        let (months, session) = erased.await;
        months.and(session)
    }

    async fn loaded<'a>(&self, book: &'a mut Option<LedgerState>) -> &'a mut LedgerState {
        if book.is_none() {
            let kept = join(self.local_storage.get(MONTHS), self.store.text(SESSION)).await;
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

/// Parses a stored value. Returns the default if the value is missing or can't be read.
fn value<T: DeserializeOwned + Default>(kept: Result<Option<String>, StoreError>) -> T {
    let text = kept.ok().flatten().unwrap_or_default();
    json::parse(&text).unwrap_or_default()
}

/// Reads this month's cost in millionths of a dollar, as an effect whose outcome is recorded.
pub struct MonthSpent {
    /// The ledger to read.
    pub ledger: Rc<UsageLedger>,
}

impl Effect for MonthSpent {
    type Outcome = Micros;

    const KIND: &'static str = "month";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::default()
    }

    fn perform(self, _: Call) -> Fut<Self::Outcome> {
        async move { self.ledger.month().await }.boxed_local()
    }
}

#[cfg(test)]
mod tests;
