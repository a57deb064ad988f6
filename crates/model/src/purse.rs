//! What models were paid: this month, and in this session of the browser.
//!
//! Driving example: a question to a model with a price. As it is sent, its prompt is
//! charged by estimate; the reply puts the provider's count in its place, before it is
//! recorded. A worker that dies in between leaves the estimate, as the provider was asked (but for a
//! life's first call, if it dies while the sum is read). So the sum is that of
//! all calls, whatever becomes of the runs that made them: an erased conversation gives
//! nothing back, and a fork is not charged what it copied. Deliberately absent: which run
//! or page it was.

mod places;

use super::{Micros, Price, Usage};
use futures::FutureExt;
use futures::future::{join, join_all};
use futures::lock::Mutex;
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Call, Class, Clock, Effect, Fingerprint, Fut, Store, StoreError, json};
use gloss_host::{Host, Shelf};
use places::{Place, Places};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::rc::Rc;

/// Under which name the shelf has the months.
const MONTHS: &str = "spent";
/// Under which name the session has its own sum.
const SESSION: &str = "spent";
/// This month, and the one before: a traveller may come back to it.
const MONTHS_KEPT: usize = 2;

/// The cost of each month, counted from the year 0. A persisted shape.
type Months = SortedMap<u32, Micros>;

/// Tokens, and what they cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sum {
    /// Read and written.
    pub tokens: u64,
    /// As far as prices are known.
    pub cost: Micros,
}

impl Sum {
    fn of(usage: Usage, price: Option<Price>) -> Self {
        Self {
            tokens: u64::from(usage.input_tokens) + u64::from(usage.output_tokens),
            cost: price.map_or(0, |price| price.of(usage)),
        }
    }

    /// This, with one charge in the place of another.
    fn with(self, more: Self, less: Self) -> Self {
        Self {
            tokens: (self.tokens + more.tokens).saturating_sub(less.tokens),
            cost: (self.cost + more.cost).saturating_sub(less.cost),
        }
    }
}

/// What was spent, in memory and where it is kept.
pub struct Purse {
    shelf: Rc<dyn Shelf>,
    store: Rc<dyn Store>,
    clock: Rc<dyn Clock>,
    /// `None` until somebody needs it: a birth reads nothing.
    book: Mutex<Option<Book>>,
    /// Writes on their way: a reply waits for none of them, as a stop meanwhile would lose it.
    pending: RefCell<Vec<Fut<Result<(), StoreError>>>>,
    places: Rc<Places>,
}

#[derive(Default)]
struct Book {
    months: Months,
    session: Sum,
}

/// A charge that waits for the provider's count.
#[must_use]
pub(super) struct Charge {
    month: u32,
    price: Option<Price>,
    sum: Sum,
}

impl Purse {
    /// Over these ports.
    pub fn new(host: &Host) -> Rc<Self> {
        Rc::new(Self {
            shelf: host.shelf.clone(),
            store: host.store.clone(),
            clock: host.clock.clone(),
            book: Mutex::default(),
            pending: RefCell::default(),
            places: Rc::default(),
        })
    }

    /// Waits until fewer than four calls are in flight (DETAILS §7).
    pub(super) async fn place(&self) -> Place {
        Places::take(&self.places).await
    }

    /// Charges what a call is expected to use.
    pub(super) async fn charge(&self, usage: Usage, price: Option<Price>) -> Charge {
        let charge = Charge {
            month: self.clock.month(),
            price,
            sum: Sum::of(usage, price),
        };
        self.put(charge.month, charge.sum, Sum::default()).await;
        charge
    }

    /// Charges what it used instead. Issued when this resolves, and not landed yet.
    pub(super) async fn settle(&self, charge: Charge, usage: Usage) {
        let used = Sum::of(usage, charge.price);
        self.put(charge.month, used, charge.sum).await;
    }

    /// Has a call answered: what it is expected to read is charged as it is sent, as a death
    /// would abandon it, and what it `used` once that is known.
    pub(crate) async fn pay_for<T>(
        &self,
        prompt: Usage,
        price: Option<Price>,
        reply: Fut<T>,
        used: impl Fn(&T) -> Usage,
    ) -> T {
        let _place = self.place().await;
        let (charge, reply) = join(self.charge(prompt, price), reply).await;
        // Issued before the reply is recorded.
        self.settle(charge, used(&reply)).await;
        reply
    }

    async fn put(&self, month: u32, more: Sum, less: Sum) {
        let mut book = self.book.lock().await;
        let book = self.loaded(&mut book).await;
        book.session = book.session.with(more, less);
        // Issued while nobody else changes it: writes land in the order of the sums.
        let mut pending = self.pending.borrow_mut();
        if more.cost != less.cost {
            let spent = book.months.or_default(month);
            *spent = spent.saturating_add(more.cost).saturating_sub(less.cost);
            while book.months.len() > MONTHS_KEPT {
                book.months.pop_first();
            }
            pending.push(self.shelf.put(MONTHS, text(&book.months)));
        }
        pending.push(self.store.keep(SESSION, text(&book.session)));
    }

    /// Resolves when what was charged is kept.
    pub async fn landed(&self) {
        let pending = self.pending.take();
        // Refused, the sum goes on in this life: a run is not stopped by that.
        join_all(pending).await;
    }

    /// What this month and this session came to.
    pub async fn spent(&self) -> (Micros, Sum) {
        let mut book = self.book.lock().await;
        let book = self.loaded(&mut book).await;
        let month = book.months.get(&self.clock.month());
        (month.copied().unwrap_or_default(), book.session)
    }

    /// What this month came to, once all that was charged is kept.
    async fn month(&self) -> Micros {
        self.landed().await;
        self.spent().await.0
    }

    /// Forgets all of it, what was charged while everything else was erased too.
    ///
    /// # Errors
    /// When the session refuses.
    pub async fn erase(&self) -> Result<(), StoreError> {
        let mut book = self.book.lock().await;
        book.take();
        // Issued while nobody charges: what is charged later comes behind it.
        let erased = join(
            self.shelf.remove(MONTHS),
            self.store.keep(SESSION, String::new()),
        );
        let (months, session) = erased.await;
        months.and(session)
    }

    async fn loaded<'a>(&self, book: &'a mut Option<Book>) -> &'a mut Book {
        if book.is_none() {
            let kept = join(self.shelf.get(MONTHS), self.store.kept(SESSION)).await;
            *book = Some(Book {
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

/// What is kept under a name; nothing, where that can't be read.
fn value<T: DeserializeOwned + Default>(kept: Result<Option<String>, StoreError>) -> T {
    let text = kept.ok().flatten().unwrap_or_default();
    json::parse(&text).unwrap_or_default()
}

/// Reads what this month came to, in millionths of a dollar.
pub struct MonthSpent {
    /// Where.
    pub purse: Rc<Purse>,
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
        async move { self.purse.month().await }.boxed_local()
    }
}

#[cfg(test)]
mod tests;
