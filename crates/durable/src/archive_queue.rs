//! Copies batches of records from session storage to the archive (`IndexedDB`), and then removes
//! them from session storage. Copying a batch to the archive is called *filing*.
//!
//! Batches are filed in order, and only one request of a journal to the archive runs at a time. The
//! archive therefore contains a journal's first batches without gaps. The newest batch of an
//! unfinished run stays in session storage. If session storage contains no batch of such a run, the
//! browser session in which the run was active has ended.

use super::batch_write::StorageTier;
use super::database_timeout::{DATABASE_TIMEOUT_MS, timeout_error};
use super::{Archive, Class, Ctx, Fut, Halt, Journal, StoreError, StoredBatch, within};
use crate::sorted::{SortedMap, SortedSet};
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Context, Poll};

/// The batches that are not filed yet, and the request to the archive that is running.
#[derive(Default)]
pub(super) struct ArchiveQueue {
    archive: Option<Rc<dyn Archive>>,
    /// The texts of the batches that are not filed yet, by number.
    unfiled: SortedMap<u64, String>,
    in_flight: Option<InFlight>,
    /// The numbers of the batches that are in session storage.
    hot: SortedSet<u64>,
    /// The number of batches that must be written before the next filing starts. `None` if no
    /// filing is requested.
    due: Option<u64>,
    /// True if the archive exceeded its time limit and has not answered since then.
    hangs: bool,
    /// True if the archive refused the last filing.
    refuses: bool,
    told: bool,
}

struct InFlight {
    numbers: Vec<u64>,
    filing: Fut<Result<(), StoreError>>,
}

impl ArchiveQueue {
    pub(super) fn to(archive: Option<Rc<dyn Archive>>) -> Self {
        Self {
            archive,
            ..Self::default()
        }
    }

    /// Moves the state to the journal of the next life. The old journal then has nothing left to
    /// file.
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

    /// Files every batch with a number below `end`, in as many transactions as needed.
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
    /// Registers the batches that earlier lives left in session storage (`hot`). `filed` contains
    /// the numbers of the batches that are already in the archive.
    pub fn register_stored(&self, hot: Vec<StoredBatch>, filed: &SortedSet<u64>) {
        let mut filing = self.filing.borrow_mut();
        for batch in hot {
            filing.hot.insert(batch.number);
            if filing.archive.is_some() && !filed.contains(&batch.number) {
                filing.unfiled.insert(batch.number, batch.records);
            }
        }
    }

    /// Returns true if the run has an archive.
    pub fn has_archive(&self) -> bool {
        self.filing.borrow().archive.is_some()
    }

    /// Stops copying batches to the archive. If session storage is denied too, the run continues in
    /// memory only, and performs no more effects of class External.
    pub fn stop_filing(&self) {
        self.lose_archive();
        let mut filing = self.filing.borrow_mut();
        let hot = std::mem::take(&mut filing.hot);
        *filing = ArchiveQueue {
            hot,
            ..ArchiveQueue::default()
        };
    }

    /// Returns true if at least one batch of the run is in session storage.
    pub fn is_in_session(&self) -> bool {
        !self.filing.borrow().hot.is_empty()
    }

    /// Returns true if nothing more can be filed: the run has no archive, or the archive refused
    /// the last request. Returns false while the archive has not answered, because the archive may
    /// still store the batches.
    pub fn is_refused(&self) -> bool {
        let filing = self.filing.borrow();
        filing.archive.is_none() || filing.refuses && filing.in_flight.is_none()
    }

    /// Copies everything that was recorded to the archive, and waits for the archive up to
    /// [`DATABASE_TIMEOUT_MS`].
    ///
    /// # Errors
    /// Session storage or the archive refuses. Batches that are not filed stay in session storage.
    pub async fn archive_all(&self) -> Result<(), StoreError> {
        self.flushed().await?;
        self.archive_now().await
    }

    /// Removes all filed batches from session storage. Call this only while no one calls
    /// [`super::drive()`] for the run.
    pub fn release(&self) {
        let landed = u64::MAX;
        self.release_below(landed);
    }

    /// Files all batches that were written so far, and waits up to [`DATABASE_TIMEOUT_MS`].
    pub(super) async fn archive_now(&self) -> Result<(), StoreError> {
        let end = self.landed();
        let filed = poll_fn(|cx| self.poll_filed(end, cx));
        if self.filing.borrow().hangs {
            // The archive exceeded its time limit before, so the request is polled once, without
            // waiting.
            return match futures::FutureExt::now_or_never(filed) {
                Some(filed) => filed,
                None => Err(timeout_error()),
            };
        }
        let filed = within(&*self.clock, DATABASE_TIMEOUT_MS, filed).await;
        filed.unwrap_or_else(|| {
            self.filing.borrow_mut().hangs = true;
            self.unfiled(&timeout_error());
            Err(timeout_error())
        })
    }

    /// Requests that all batches with a number below `end` are filed as soon as they are written.
    pub(super) fn file(&self, end: u64) {
        let mut filing = self.filing.borrow_mut();
        if filing.archive.is_some() {
            filing.due = Some(end);
        }
    }

    /// Starts or continues filing, if the requested batches are written.
    pub(super) fn poll_due(&self, cx: &mut Context<'_>) {
        let landed = self.landed();
        let is_due = self.filing.borrow().due.is_some_and(|due| due <= landed);
        if is_due && self.poll_filed(landed, cx).is_ready() {
            // If the archive refused the batches, the next request includes them again.
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

    /// Returns true if the archive contains the batch `number`, which did not fit into session
    /// storage. In that case the batch no longer counts as a batch in session storage.
    pub(super) fn landed_beyond(&self, number: u64) -> bool {
        let mut filing = self.filing.borrow_mut();
        let filed = filing.archive.is_some() && !filing.unfiled.contains_key(&number);
        if filed {
            filing.hot.remove(&number);
        }
        filed
    }

    /// Returns a batch that is not filed. Returns `None` if the batch is filed or unknown.
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
            // The result is ignored: if the removal fails, a later life finds and removes these
            // batches.
            drop(self.store.release(self.run(), numbers));
        }
    }

    /// Notifies the listener of the archive's error, once in a run.
    fn unfiled(&self, error: &StoreError) {
        if !std::mem::replace(&mut self.filing.borrow_mut().told, true) {
            self.listener.on_archive_failed(self.run(), error);
        }
    }
}

impl Ctx {
    /// Requests that everything recorded so far is copied to the archive, and returns without
    /// waiting. The agent calls this at the end of each step of its loop.
    pub fn file(&self) {
        self.journal.file_noted();
    }

    /// Waits until the intent of a `Keyed` or `External` effect is in session storage and in the
    /// archive. If the archive is broken, session storage is enough.
    ///
    /// # Errors
    /// [`Halt::Store`] if the effect is External, and neither session storage nor the archive
    /// works.
    pub(super) async fn recorded(&self, class: Class) -> Result<(), Halt> {
        self.durable().await?;
        match self.journal.footing() {
            StorageTier::Session => {
                // An error of the archive is ignored here: the listener was notified of it.
                let _ = self.journal.archive_now().await;
                Ok(())
            }
            StorageTier::Memory(source) if class == Class::External => Err(Halt::Store { source }),
            StorageTier::Archive | StorageTier::Memory(_) => Ok(()),
        }
    }
}
