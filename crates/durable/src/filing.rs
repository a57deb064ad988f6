//! The second tier of a journal: what lands in the session's storage is filed in
//! the archive, and leaves the session then (DESIGN, rule 7).
//!
//! One filing is in flight at a time and takes all that is due, so that the archive
//! holds a beginning of the journal and never a piece behind a gap. The newest batch
//! of an unfinished run stays in the session: the mark that it was not wiped.

use super::landing::Footing;
use super::patience::{PATIENCE_MS, unanswered};
use super::{Archive, Class, Ctx, Fut, Halt, Journal, StoreError, StoredBatch, within};
use crate::sorted::{SortedMap, SortedSet};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll};

/// What is to be filed, and what is on its way.
#[derive(Default)]
pub(super) struct Filing {
    archive: Option<Rc<dyn Archive>>,
    /// The texts of the batches that are not filed.
    unfiled: SortedMap<u64, String>,
    in_flight: Option<InFlight>,
    /// The batches that stand in the session's storage.
    hot: SortedSet<u64>,
    /// What is due once so many batches have landed.
    due: Option<u64>,
    /// It did not answer in time, and has not since.
    hangs: bool,
    /// It refused what was last to be filed.
    refuses: bool,
    told: bool,
}

struct InFlight {
    numbers: Vec<u64>,
    filing: Fut<Result<(), StoreError>>,
}

impl Filing {
    pub(super) fn to(archive: Option<Rc<dyn Archive>>) -> Self {
        Self {
            archive,
            ..Self::default()
        }
    }

    /// All of it, for the next life; this one files nothing more.
    pub(super) fn pass_on(&mut self) -> Self {
        let archive = self.archive.clone();
        std::mem::replace(self, Self::to(archive))
    }

    pub(super) fn wrote(&mut self, number: u64, records: &str) {
        self.hot.insert(number);
        if self.archive.is_some() {
            self.unfiled.insert(number, records.to_owned());
        }
    }

    /// Files every batch below `end`, in as many turns as it takes.
    fn poll(
        &mut self,
        journal: &Journal,
        end: u64,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), StoreError>> {
        loop {
            if let Some(in_flight) = &mut self.in_flight {
                let Poll::Ready(filed) = in_flight.filing.as_mut().poll(cx) else {
                    return Poll::Pending;
                };
                self.hangs = false;
                let numbers = self.in_flight.take().map(|filed| filed.numbers);
                filed?;
                for number in numbers.into_iter().flatten() {
                    self.unfiled.remove(&number);
                }
            }
            let Some(archive) = &self.archive else {
                return Poll::Ready(Ok(()));
            };
            let due = self.unfiled.iter().take_while(|(number, _)| *number < end);
            let batches: Vec<StoredBatch> = due
                .map(|(number, records)| StoredBatch {
                    run: journal.run().clone(),
                    number: *number,
                    records: records.clone(),
                })
                .collect();
            if batches.is_empty() {
                return Poll::Ready(Ok(()));
            }
            self.in_flight = Some(InFlight {
                numbers: batches.iter().map(|batch| batch.number).collect(),
                filing: archive.file(batches),
            });
        }
    }
}

impl Journal {
    /// What earlier lives left of the run in the session's storage, and the numbers
    /// of the batches that are filed.
    pub fn stands(&self, hot: Vec<StoredBatch>, filed: &SortedSet<u64>) {
        let mut filing = self.filing.borrow_mut();
        for batch in hot {
            filing.hot.insert(batch.number);
            if filing.archive.is_some() && !filed.contains(&batch.number) {
                filing.unfiled.insert(batch.number, batch.records);
            }
        }
    }

    /// Whether the run is filed at all.
    pub fn files(&self) -> bool {
        self.filing.borrow().archive.is_some()
    }

    /// Nothing more is filed. Where the session's storage is denied too, nothing that
    /// lasts is left: the run goes on in memory, and acts no more on the world.
    pub fn stop_filing(&self) {
        self.lose_archive();
        let mut filing = self.filing.borrow_mut();
        let hot = std::mem::take(&mut filing.hot);
        *filing = Filing {
            hot,
            ..Filing::default()
        };
    }

    /// Whether anything of the run stands in the session's storage.
    pub fn is_hot(&self) -> bool {
        !self.filing.borrow().hot.is_empty()
    }

    /// Whether nothing more of it comes to be filed: there is no archive, or it refused
    /// what was last asked of it. One that only does not answer may file it yet.
    pub fn is_refused(&self) -> bool {
        let filing = self.filing.borrow();
        filing.archive.is_none() || filing.refuses && filing.in_flight.is_none()
    }

    /// Files all that was noted, and waits for it, but not for ever.
    ///
    /// # Errors
    /// When a tier refuses; what is not filed stays in the session.
    pub async fn filed(&self) -> Result<(), StoreError> {
        self.settled().await?;
        self.put_by().await
    }

    /// Takes what is filed out of the session's storage: all of it. For a run that
    /// is at rest.
    pub fn release(&self) {
        let landed = u64::MAX;
        self.release_below(landed);
    }

    /// Files what has landed, and waits for it, but not for ever.
    pub(super) async fn put_by(&self) -> Result<(), StoreError> {
        let end = self.landed();
        let filed = poll_fn(|cx| self.poll_filed(end, cx));
        if self.filing.borrow().hangs {
            // Asked once more, and not waited for.
            return match futures::FutureExt::now_or_never(filed) {
                Some(filed) => filed,
                None => Err(unanswered()),
            };
        }
        let filed = within(&*self.clock, PATIENCE_MS, filed).await;
        filed.unwrap_or_else(|| {
            self.filing.borrow_mut().hangs = true;
            self.unfiled(&unanswered());
            Err(unanswered())
        })
    }

    /// What is noted by now is to be filed as soon as it has landed.
    pub(super) fn file(&self, end: u64) {
        let mut filing = self.filing.borrow_mut();
        if filing.archive.is_some() {
            filing.due = Some(end);
        }
    }

    /// Files what is due.
    pub(super) fn poll_due(&self, cx: &mut Context<'_>) {
        let landed = self.landed();
        let is_due = self.filing.borrow().due.is_some_and(|due| due <= landed);
        if is_due && self.poll_filed(landed, cx).is_ready() {
            // What was refused is taken along by the next one.
            self.filing.borrow_mut().due = None;
        }
    }

    pub(super) fn poll_filed(
        &self,
        end: u64,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), StoreError>> {
        let polled = {
            let mut filing = self.filing.borrow_mut();
            let polled = filing.poll(self, end, cx);
            if let Poll::Ready(filed) = &polled {
                filing.refuses = filed.is_err();
            }
            polled
        };
        match &polled {
            Poll::Pending => self.wait(cx),
            Poll::Ready(Ok(())) => {
                let landed = self.landed();
                let below = |number: &&u64| **number < landed;
                let newest = self.filing.borrow().hot.iter().rfind(below).copied();
                self.release_below(newest.unwrap_or_default());
                self.wake();
            }
            Poll::Ready(Err(error)) => {
                self.unfiled(error);
                self.wake();
            }
        }
        polled
    }

    /// Whether a batch that the session had no room for is filed: it stands there alone.
    pub(super) fn landed_beyond(&self, number: u64) -> bool {
        let mut filing = self.filing.borrow_mut();
        let filed = filing.archive.is_some() && !filing.unfiled.contains_key(&number);
        if filed {
            filing.hot.remove(&number);
        }
        filed
    }

    /// A batch that is not filed.
    pub(super) fn unfiled_batch(&self, number: u64) -> Option<StoredBatch> {
        let filing = self.filing.borrow();
        let records = filing.unfiled.get(&number)?.clone();
        Some(StoredBatch {
            run: self.run().clone(),
            number,
            records,
        })
    }

    fn release_below(&self, end: u64) {
        let numbers: Vec<u64> = {
            let mut filing = self.filing.borrow_mut();
            if filing.archive.is_none() {
                return;
            }
            let filing = &mut *filing;
            let filed = |number: &u64| !filing.unfiled.contains_key(number);
            let numbers: Vec<u64> = filing
                .hot
                .iter()
                .copied()
                .take_while(|number| *number < end)
                .filter(filed)
                .collect();
            filing.hot.retain(|number| !numbers.contains(number));
            numbers
        };
        if !numbers.is_empty() {
            // What could not be taken out now is found, and taken out, in a later life.
            drop(self.store.release(self.run(), numbers));
        }
    }

    /// Tells the person once.
    fn unfiled(&self, error: &StoreError) {
        if !std::mem::replace(&mut self.filing.borrow_mut().told, true) {
            self.listener.unfiled(self.run(), error);
        }
    }
}

impl Ctx {
    /// A step of the loop is finished: what is noted by now goes to the archive, in
    /// its own time.
    pub fn file(&self) {
        self.journal.file_noted();
    }

    /// The barrier before an effect that changes something: its intent is on disk too,
    /// unless the archive is broken.
    ///
    /// # Errors
    /// [`Halt::Store`] where the intent of what must not be repeated could be recorded
    /// nowhere that lasts.
    pub(super) async fn recorded(&self, class: Class) -> Result<(), Halt> {
        self.durable().await?;
        match self.journal.footing() {
            Footing::Session => {
                // Where the archive is broken, the session suffices; the person is told.
                let _ = self.journal.put_by().await;
                Ok(())
            }
            Footing::Memory(source) if class == Class::External => Err(Halt::Store { source }),
            Footing::Archive | Footing::Memory(_) => Ok(()),
        }
    }
}
