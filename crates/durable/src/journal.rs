//! The journal of one run: it buffers records, writes them in batches, and notifies a listener.
//!
//! A new record is first added to a buffer, without waiting. A flush writes the whole buffer as one
//! batch under one storage key. If a write fails, the journal is *poisoned*: nothing more is
//! written. The listener receives a record only after the record's batch was written.

use super::archive_queue::ArchiveQueue;
use super::batch_write::{StorageTier, Write, WriteState};
use super::index::{Index, PathRecords};
use super::record::{VERSION, write_batch};
use super::{
    Blobs, Clock, Entry, Path, Ports, Record, RunId, Stop, Store, StoreError, StoredBatch,
};
use crate::sorted::SortedSet;
use serde::Serialize;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::task::{Context, Poll, Waker};

/// An event that a journal's listener receives.
#[derive(Debug, Clone)]
pub enum JournalEvent {
    /// A record was written.
    Record(Record),
    /// A running effect streamed text.
    Delta {
        /// The number of the intent's record.
        intent: u64,
        /// The position in the streamed text at which `text` begins, in bytes.
        offset: usize,
        /// The appended text.
        text: String,
    },
}

/// The receiver of a run's events, in order.
pub trait Listener {
    /// Receives an event. The implementation must not call [`super::drive()`].
    fn on_event(&self, run: &RunId, told: &JournalEvent);

    /// Called when the archive refuses batches or doesn't answer. The run continues with session
    /// storage, whose content lasts until the browser session ends.
    fn on_archive_failed(&self, _run: &RunId, _error: &StoreError) {}

    /// Called when session storage is denied or full. If session storage is denied, the run
    /// continues with the archive or in memory. If session storage is full, the archive stores the
    /// batch.
    fn on_session_storage_failed(&self, _run: &RunId, _error: &StoreError) {}
}

/// A run's journal in one life of the worker.
pub struct Journal {
    run: RunId,
    pub(super) store: Rc<dyn Store>,
    pub(super) blobs: Rc<dyn Blobs>,
    pub(super) clock: Rc<dyn Clock>,
    pub(super) listener: Rc<dyn Listener>,
    pub(super) index: RefCell<Index>,
    pub(super) state: RefCell<State>,
    pub(super) filing: RefCell<ArchiveQueue>,
}

#[derive(Default)]
pub(super) struct State {
    pub(super) records: Vec<Record>,
    pub(super) buffered: usize,
    pub(super) written_bytes: usize,
    pub(super) next_batch: u64,
    pub(super) claimed: SortedSet<Path>,
    pub(super) writes: VecDeque<Write>,
    pub(super) landed: u64,
    pub(super) footing: StorageTier,
    /// The error with which session storage was denied.
    pub(super) denied: Option<StoreError>,
    /// True if the listener was notified that session storage is full.
    pub(super) crowded: bool,
    pub(super) poison: Option<StoreError>,
    pub(super) kept: Vec<(String, u64)>,
    pub(super) outbox: VecDeque<(u64, JournalEvent)>,
    pub(super) stop: Option<Stop>,
    pub(super) wakers: Vec<Waker>,
}

impl State {
    /// Returns the state for the next life. The code names every field, so that a new field can't
    /// be forgotten.
    fn pass_on(&mut self) -> Self {
        Self {
            records: self.records.clone(),
            buffered: std::mem::take(&mut self.buffered),
            written_bytes: self.written_bytes,
            next_batch: self.next_batch,
            claimed: SortedSet::new(),
            writes: std::mem::take(&mut self.writes),
            landed: self.landed,
            footing: self.footing.clone(),
            denied: self.denied.clone(),
            crowded: self.crowded,
            poison: self.poison.clone(),
            kept: self.kept.clone(),
            outbox: std::mem::take(&mut self.outbox),
            stop: None,
            wakers: Vec::new(),
        }
    }

    /// Registers the task's waker, unless a poll before has registered it.
    pub(super) fn wait(&mut self, cx: &Context<'_>) {
        let waker = cx.waker();
        if !self.wakers.iter().any(|known| known.will_wake(waker)) {
            self.wakers.push(waker.clone());
        }
    }
}

impl Journal {
    /// Creates the journal of a new run. The write of its first record is issued before this
    /// function returns.
    pub fn begin(
        run: RunId,
        config: &impl Serialize,
        revision: &str,
        ports: &Ports,
        listener: Rc<dyn Listener>,
    ) -> Rc<Self> {
        let journal = Self::recovered(run, 0, Vec::new(), ports, listener);
        journal.note(
            &Path::root(),
            Entry::Begun {
                config: serde_json::to_value(config).unwrap_or_default(),
                revision: revision.to_owned(),
                forked: None,
            },
        );
        journal.flush();
        journal
    }

    /// Creates the journal of a run that earlier lives recorded. The next batch gets the number
    /// `batches`. [`super::read_batches`] returns both `batches` and `records`.
    pub fn recovered(
        run: RunId,
        batches: u64,
        records: Vec<Record>,
        ports: &Ports,
        listener: Rc<dyn Listener>,
    ) -> Rc<Self> {
        Rc::new(Self {
            run,
            store: ports.store.clone(),
            blobs: ports.blobs.clone(),
            clock: ports.clock.clone(),
            listener,
            index: RefCell::new(Index::of(&records)),
            state: RefCell::new(State {
                records,
                next_batch: batches,
                landed: batches,
                ..State::default()
            }),
            filing: RefCell::new(ArchiveQueue::to(ports.archive.clone())),
        })
    }

    /// Returns the journal of the same run for a new life, which replays all records. The new
    /// journal takes over the running writes, and the events that are sent after these writes. It
    /// also takes over an error of the store, the written bytes, and the list of stored bodies.
    pub fn next_life(&self) -> Rc<Self> {
        let successor = self.state.borrow_mut().pass_on();
        let next = Self {
            run: self.run.clone(),
            store: self.store.clone(),
            blobs: self.blobs.clone(),
            clock: self.clock.clone(),
            listener: self.listener.clone(),
            index: RefCell::new(Index::of(&successor.records)),
            state: RefCell::new(successor),
            filing: RefCell::new(self.filing.borrow_mut().pass_on()),
        };
        // Tasks that wait for a write of the old journal are woken, or they would wait forever.
        self.wake();
        Rc::new(next)
    }

    /// Returns the run's id.
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// Calls `reader` with all records of the run so far, including those of this life.
    pub fn read<T>(&self, reader: impl FnOnce(&[Record]) -> T) -> T {
        reader(&self.state.borrow().records)
    }

    /// Returns the number of bytes written since the journal was begun or recovered.
    pub fn written_bytes(&self) -> usize {
        self.state.borrow().written_bytes
    }

    /// Stops the run: the step in flight is dropped, and no further step begins. If two stops are
    /// requested, a stop that ends the run takes precedence over a stop that only pauses the run.
    pub fn stop(&self, stop: Stop) {
        {
            let mut state = self.state.borrow_mut();
            state.stop = Some(stop.after(state.stop));
        }
        self.wake();
    }

    /// Records an event that happens outside of the run's steps, and writes the record. Later steps
    /// can see the event.
    pub fn mark(&self, path: &Path, entry: Entry) {
        self.record_and_index(path, entry);
        self.flush();
        // [`super::drive()`] polls the write, so its task must be woken.
        self.wake();
    }

    /// Records an entry and adds it to the index at once.
    pub(super) fn record_and_index(&self, path: &Path, entry: Entry) {
        self.note(path, entry);
        if let Some(record) = self.state.borrow().records.last() {
            self.index.borrow_mut().take(record);
        }
    }

    /// Resolves when everything recorded so far is written.
    ///
    /// # Errors
    /// The error that poisoned the journal.
    pub async fn flushed(&self) -> Result<(), StoreError> {
        self.flush();
        std::future::poll_fn(|cx| {
            self.poll_writes(cx)?;
            let mut state = self.state.borrow_mut();
            if state.writes.is_empty() {
                return Poll::Ready(Ok(()));
            }
            // A write wakes only the task that polled the write last. `wait` registers this task to
            // be woken too.
            state.wait(cx);
            Poll::Pending
        })
        .await
    }

    /// Returns true if at least one batch of the run was written, in any life.
    pub fn has_landed(&self) -> bool {
        self.state.borrow().landed > 0
    }

    /// Returns the error that poisoned the journal; `None` if batches can still be written.
    pub fn refusal(&self) -> Option<StoreError> {
        self.state.borrow().poison.clone()
    }

    pub(super) fn slot(&self, path: &Path) -> PathRecords {
        self.index.borrow().get(path)
    }

    pub(super) fn stopped(&self) -> Option<Stop> {
        self.index.borrow().stopped()
    }

    pub(super) fn panicked_twice(&self, path: &Path) -> Option<String> {
        self.index.borrow().panicked_twice(path)
    }

    /// Claims a path for a step. Returns false if another step of this life already has the path.
    pub(super) fn claim(&self, path: &Path) -> bool {
        self.state.borrow_mut().claimed.insert(path.clone())
    }

    /// Adds a record to the buffer and returns its number.
    pub(super) fn note(&self, path: &Path, entry: Entry) -> u64 {
        let at_ms = self.clock.now_ms();
        let mut state = self.state.borrow_mut();
        let seq = state.records.len() as u64;
        state.records.push(Record {
            v: VERSION,
            seq,
            path: path.clone(),
            at_ms,
            entry,
        });
        state.buffered += 1;
        seq
    }

    /// Copies the records of another run into the buffer, for the next batch.
    pub(super) fn copy_records(&self, records: Vec<Record>) {
        let mut index = self.index.borrow_mut();
        let mut state = self.state.borrow_mut();
        for record in records {
            index.take(&record);
            state.records.push(record);
            state.buffered += 1;
        }
    }

    /// Writes the buffer as one batch.
    pub(super) fn flush(&self) {
        let mut state = self.state.borrow_mut();
        if state.buffered == 0 || state.poison.is_some() {
            return;
        }
        let from = state.records.len() - state.buffered;
        let batch: Vec<Record> = state.records.get(from..).unwrap_or_default().to_vec();
        let number = state.next_batch;
        state.next_batch += 1;
        state.buffered = 0;
        match write_batch(&batch) {
            Ok(records) => {
                state.written_bytes += records.len();
                self.filing.borrow_mut().wrote(number, &records);
                let landing = match state.footing {
                    StorageTier::Session => WriteState::Session {
                        write: self.store.append(StoredBatch {
                            run: self.run.clone(),
                            number,
                            records,
                        }),
                        again: false,
                    },
                    StorageTier::Archive | StorageTier::Memory(_) => self.elsewhere(),
                };
                state.writes.push_back(Write { number, landing });
                let told = batch
                    .into_iter()
                    .map(|record| (number, JournalEvent::Record(record)));
                state.outbox.extend(told);
            }
            Err(error) => {
                state.poison = Some(StoreError::Corrupt {
                    message: error.to_string(),
                });
            }
        }
    }

    /// Fails if the journal is poisoned.
    ///
    /// # Errors
    /// The error that poisoned the journal.
    pub(super) fn check_poison(&self) -> Result<(), StoreError> {
        self.state.borrow().poison.clone().map_or(Ok(()), Err)
    }

    pub(super) fn tell_delta(&self, intent: u64, offset: usize, text: &str) {
        {
            let mut state = self.state.borrow_mut();
            let after = state.next_batch.saturating_sub(1);
            let text = text.to_owned();
            state.outbox.push_back((
                after,
                JournalEvent::Delta {
                    intent,
                    offset,
                    text,
                },
            ));
        }
        self.tell_landed();
    }

    /// Requests that everything recorded so far is copied to the archive. Records in the buffer are
    /// copied after they are written.
    pub fn file_noted(&self) {
        let end = {
            let state = self.state.borrow();
            state.next_batch + u64::from(state.buffered > 0)
        };
        self.file(end);
    }

    pub(super) fn wake(&self) {
        let wakers = std::mem::take(&mut self.state.borrow_mut().wakers);
        for waker in wakers {
            waker.wake();
        }
    }

    /// Returns `Ready` once a stop of the run has been requested.
    pub(super) fn poll_stop(&self, cx: &mut Context<'_>) -> Poll<Stop> {
        let mut state = self.state.borrow_mut();
        if let Some(stop) = state.stop {
            return Poll::Ready(stop);
        }
        state.wait(cx);
        Poll::Pending
    }

    /// Returns the stop that was requested in this life, if any.
    pub fn stop_asked(&self) -> Option<Stop> {
        self.state.borrow().stop
    }
}
