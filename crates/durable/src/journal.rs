//! One run's journal: notes, batches, barriers, and who is told.
//!
//! Notes go synchronously into a buffer; a flush writes them as one batch under
//! one key, issued at once (DESIGN, rules 1, 2, 6). The first write that fails
//! poisons the journal. What is recorded is told only after its batch landed.

use super::filing::Filing;
use super::index::{Index, Slot};
use super::landing::{Footing, Landing, Write};
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

/// What a journal tells.
#[derive(Debug, Clone)]
pub enum Told {
    /// A record landed.
    Record(Record),
    /// An effect in flight streamed text.
    Delta {
        /// The record of its intent.
        intent: u64,
        /// Where in the streamed text `text` begins, in bytes.
        offset: usize,
        /// The text.
        text: String,
    },
}

/// Is told, in order, what happens in a run.
pub trait Listener {
    /// Something happened. Must not drive a run from within.
    fn told(&self, run: &RunId, told: &Told);

    /// The archive refuses what is to be filed, or does not answer: the run goes on,
    /// for as long as the session lasts.
    fn unfiled(&self, _run: &RunId, _error: &StoreError) {}

    /// The session's storage is denied, and the run goes on in the archive or in memory;
    /// or it is full, and the run goes on in the archive.
    fn unseated(&self, _run: &RunId, _error: &StoreError) {}
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
    pub(super) filing: RefCell<Filing>,
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
    pub(super) footing: Footing,
    /// Why the session's storage was given up.
    pub(super) denied: Option<StoreError>,
    /// The session's storage was full, and that was told.
    pub(super) crowded: bool,
    pub(super) poison: Option<StoreError>,
    pub(super) kept: Vec<(String, u64)>,
    pub(super) outbox: VecDeque<(u64, Told)>,
    pub(super) stop: Option<Stop>,
    pub(super) wakers: Vec<Waker>,
}

impl State {
    /// What a next life begins with. Named one by one: what is forgotten is lost.
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

    /// Remembers who waits, once: a step is polled for each piece it streams.
    pub(super) fn wait(&mut self, cx: &Context<'_>) {
        let waker = cx.waker();
        if !self.wakers.iter().any(|known| known.will_wake(waker)) {
            self.wakers.push(waker.clone());
        }
    }
}

impl Journal {
    /// The journal of a new run; its first record is issued before this returns.
    pub fn begin(
        run: RunId,
        brief: &impl Serialize,
        revision: &str,
        ports: &Ports,
        listener: Rc<dyn Listener>,
    ) -> Rc<Self> {
        let journal = Self::recovered(run, 0, Vec::new(), ports, listener);
        journal.note(
            &Path::root(),
            Entry::Begun {
                brief: serde_json::to_value(brief).unwrap_or_default(),
                revision: revision.to_owned(),
                forked: None,
            },
        );
        journal.flush();
        journal
    }

    /// The journal of a run that earlier lives recorded; its next batch is
    /// numbered `batches` (both as [`super::read_batches`] returns them).
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
            filing: RefCell::new(Filing::to(ports.archive.clone())),
        })
    }

    /// The same run in a fresh life: all that this one recorded is replayed. Writes in
    /// flight, what waits for them to be told, a refusal, and the tallies of what was
    /// written and kept pass on.
    pub fn next_life(&self) -> Rc<Self> {
        let heir = self.state.borrow_mut().pass_on();
        let next = Self {
            run: self.run.clone(),
            store: self.store.clone(),
            blobs: self.blobs.clone(),
            clock: self.clock.clone(),
            listener: self.listener.clone(),
            index: RefCell::new(Index::of(&heir.records)),
            state: RefCell::new(heir),
            filing: RefCell::new(self.filing.borrow_mut().pass_on()),
        };
        // Who waits here for a write waits for nothing now.
        self.wake();
        Rc::new(next)
    }

    /// Whose it is.
    pub fn run(&self) -> &RunId {
        &self.run
    }

    /// Lends all records of the run so far, those of this life included.
    pub fn read<T>(&self, reader: impl FnOnce(&[Record]) -> T) -> T {
        reader(&self.state.borrow().records)
    }

    /// The size of what this life wrote, in bytes.
    pub fn written_bytes(&self) -> usize {
        self.state.borrow().written_bytes
    }

    /// Stops the run: its step in flight is dropped, its next one not begun. A stop
    /// that ends it outweighs one that does not.
    pub fn stop(&self, stop: Stop) {
        {
            let mut state = self.state.borrow_mut();
            state.stop = Some(stop.after(state.stop));
        }
        self.wake();
    }

    /// Notes a fact of the run's life, outside its steps, and writes it. The
    /// steps that follow know of it.
    pub fn mark(&self, path: &Path, entry: Entry) {
        self.take_in(path, entry);
        self.flush();
        // Made from outside the drive, which must come to hear of the write.
        self.wake();
    }

    /// Notes what the index must know at once.
    pub(super) fn take_in(&self, path: &Path, entry: Entry) {
        self.note(path, entry);
        if let Some(record) = self.state.borrow().records.last() {
            self.index.borrow_mut().take(record);
        }
    }

    /// Resolves when everything noted so far has landed.
    ///
    /// # Errors
    /// The store's first refusal.
    pub async fn settled(&self) -> Result<(), StoreError> {
        self.flush();
        std::future::poll_fn(|cx| {
            self.poll_writes(cx)?;
            let mut state = self.state.borrow_mut();
            if state.writes.is_empty() {
                return Poll::Ready(Ok(()));
            }
            // A write wakes whoever polled it last: the others hear of it by this.
            state.wait(cx);
            Poll::Pending
        })
        .await
    }

    /// Whether anything of the run landed, in this life or before.
    pub fn has_landed(&self) -> bool {
        self.state.borrow().landed > 0
    }

    /// Why nothing more can be written, if so.
    pub fn refusal(&self) -> Option<StoreError> {
        self.state.borrow().poison.clone()
    }

    pub(super) fn slot(&self, path: &Path) -> Slot {
        self.index.borrow().get(path)
    }

    pub(super) fn stopped(&self) -> Option<Stop> {
        self.index.borrow().stopped()
    }

    pub(super) fn panicked_twice(&self, path: &Path) -> Option<String> {
        self.index.borrow().panicked_twice(path)
    }

    /// Takes a path for this life; false if it was taken already.
    pub(super) fn claim(&self, path: &Path) -> bool {
        self.state.borrow_mut().claimed.insert(path.clone())
    }

    /// Adds a record to the buffer and returns its place.
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

    /// Takes over the records of another run, to be issued with the next batch.
    pub(super) fn adopt(&self, records: Vec<Record>) {
        let mut index = self.index.borrow_mut();
        let mut state = self.state.borrow_mut();
        for record in records {
            index.take(&record);
            state.records.push(record);
            state.buffered += 1;
        }
    }

    /// Issues the buffer as one batch.
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
                    Footing::Session => Landing::Session {
                        write: self.store.append(StoredBatch {
                            run: self.run.clone(),
                            number,
                            records,
                        }),
                        again: false,
                    },
                    Footing::Archive | Footing::Memory(_) => self.elsewhere(),
                };
                state.writes.push_back(Write { number, landing });
                let told = batch
                    .into_iter()
                    .map(|record| (number, Told::Record(record)));
                state.outbox.extend(told);
            }
            Err(error) => {
                state.poison = Some(StoreError::Corrupt {
                    message: error.to_string(),
                });
            }
        }
    }

    /// Whether anything may still be done.
    ///
    /// # Errors
    /// The store's first refusal.
    pub(super) fn sound(&self) -> Result<(), StoreError> {
        self.state.borrow().poison.clone().map_or(Ok(()), Err)
    }

    pub(super) fn tell_delta(&self, intent: u64, offset: usize, text: &str) {
        {
            let mut state = self.state.borrow_mut();
            let after = state.next_batch.saturating_sub(1);
            let text = text.to_owned();
            state.outbox.push_back((
                after,
                Told::Delta {
                    intent,
                    offset,
                    text,
                },
            ));
        }
        self.tell_landed();
    }

    /// What is noted by now, the part included that waits for the next batch, is to
    /// be filed once it has landed.
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

    /// Ready when the run was asked to stop.
    pub(super) fn poll_stop(&self, cx: &mut Context<'_>) -> Poll<Stop> {
        let mut state = self.state.borrow_mut();
        if let Some(stop) = state.stop {
            return Poll::Ready(stop);
        }
        state.wait(cx);
        Poll::Pending
    }

    /// Who asked this life to stop, if anybody did.
    pub fn stop_asked(&self) -> Option<Stop> {
        self.state.borrow().stop
    }
}
