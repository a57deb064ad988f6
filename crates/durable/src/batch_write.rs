//! Writes a batch to session storage or, if session storage fails, to another storage.
//!
//! If session storage is full, older batches are copied to the archive and removed from session
//! storage, and the batch is written again. If session storage is still full, only the archive
//! stores the batch; later batches are written to session storage again.
//! If session storage is denied, the run continues with the archive alone. If the archive fails
//! too, the run continues in memory.

use super::database_timeout::DATABASE_TIMEOUT_MS;
use super::{Fut, Journal, StoreError};
use std::task::{Context, Poll};

/// The storage that a run's batches are written to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum StorageTier {
    /// The batches go to session storage.
    #[default]
    Session,
    /// The batches go to the archive, because session storage is denied.
    Archive,
    /// The batches stay in memory, because neither session storage nor the archive works.
    Memory(StoreError),
}

pub(super) struct Write {
    pub(super) number: u64,
    pub(super) landing: WriteState,
}

pub(super) enum WriteState {
    /// The batch is being written to session storage.
    Session {
        write: Fut<Result<(), StoreError>>,
        /// True if session storage was full, and the batch is being written again.
        again: bool,
    },
    /// Session storage is full. Older batches are copied to the archive and removed, to make room
    /// for this batch.
    MakingRoom { patience: Fut<()> },
    /// Session storage is still full, so only the archive stores the batch.
    ArchiveOnly { patience: Fut<()> },
    /// Session storage is denied; the batch goes to the archive or to memory.
    SessionDenied { patience: Fut<()> },
}

impl Journal {
    /// Polls the writes, and passes the records of finished writes to the listener.
    pub(super) fn poll_writes(&self, cx: &mut Context<'_>) -> Result<(), StoreError> {
        loop {
            let (poison, write) = {
                let mut state = self.state.borrow_mut();
                (state.poison.clone(), state.writes.pop_front())
            };
            if let Some(error) = poison {
                return Err(error);
            }
            let Some(mut write) = write else {
                self.poll_due(cx);
                return Ok(());
            };
            match self.poll_landing(&mut write, cx) {
                Poll::Pending => {
                    self.state.borrow_mut().writes.push_front(write);
                    self.poll_due(cx);
                    return Ok(());
                }
                Poll::Ready(Ok(())) => {
                    self.state.borrow_mut().landed += 1;
                    self.tell_landed();
                    self.wake();
                }
                Poll::Ready(Err(error)) => {
                    self.state.borrow_mut().poison = Some(error.clone());
                    return Err(error);
                }
            }
        }
    }

    pub(super) fn tell_landed(&self) {
        loop {
            let told = {
                let mut state = self.state.borrow_mut();
                let landed = state.landed;
                match state.outbox.front() {
                    Some((batch, _)) if *batch < landed => state.outbox.pop_front(),
                    _ => None,
                }
            };
            match told {
                Some((_, told)) => self.listener.on_event(self.run(), &told),
                None => return,
            }
        }
    }

    pub(super) fn wait(&self, cx: &Context<'_>) {
        self.state.borrow_mut().wait(cx);
    }

    /// Returns the number of batches that were written, in this life and in earlier ones.
    pub(super) fn landed(&self) -> u64 {
        self.state.borrow().landed
    }

    /// Returns `Ready` when every write that was started so far has finished. If a write failed for
    /// good, the result stays `Pending`, because [`super::drive()`] ends the run.
    pub(super) fn poll_landed(&self, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.state.borrow_mut();
        if state.landed == state.next_batch && state.poison.is_none() {
            return Poll::Ready(());
        }
        state.wait(cx);
        Poll::Pending
    }

    pub(super) fn footing(&self) -> StorageTier {
        self.state.borrow().footing.clone()
    }

    pub(super) fn elsewhere(&self) -> WriteState {
        WriteState::SessionDenied {
            patience: self.clock.sleep(DATABASE_TIMEOUT_MS),
        }
    }

    /// Polls the write of a batch. If one storage refuses the batch, the batch is written to the
    /// next storage.
    pub(super) fn poll_landing(
        &self,
        write: &mut Write,
        cx: &mut Context<'_>,
    ) -> Poll<Result<(), StoreError>> {
        loop {
            let next = match &mut write.landing {
                WriteState::Session { write: hot, again } => {
                    match std::task::ready!(hot.as_mut().poll(cx)) {
                        Ok(()) => return Poll::Ready(Ok(())),
                        Err(StoreError::Full) if self.has_archive() => {
                            let patience = self.clock.sleep(DATABASE_TIMEOUT_MS);
                            if *again {
                                WriteState::ArchiveOnly { patience }
                            } else {
                                WriteState::MakingRoom { patience }
                            }
                        }
                        Err(StoreError::Full) => return Poll::Ready(Err(StoreError::Full)),
                        Err(error @ StoreError::Corrupt { .. }) => return Poll::Ready(Err(error)),
                        Err(error @ StoreError::Denied { .. }) => {
                            self.lose_session(&error);
                            self.elsewhere()
                        }
                    }
                }
                WriteState::MakingRoom { patience } => {
                    let filed = self.poll_filed(write.number, cx);
                    if filed.is_pending() && patience.as_mut().poll(cx).is_pending() {
                        return Poll::Pending;
                    }
                    match self.unfiled_batch(write.number) {
                        Some(batch) => WriteState::Session {
                            write: self.store.append(batch),
                            again: true,
                        },
                        None => return Poll::Ready(Err(StoreError::Full)),
                    }
                }
                WriteState::ArchiveOnly { patience } => {
                    let filed = self.poll_filed(write.number + 1, cx);
                    if filed.is_pending() && patience.as_mut().poll(cx).is_pending() {
                        return Poll::Pending;
                    }
                    if !self.landed_beyond(write.number) {
                        return Poll::Ready(Err(StoreError::Full));
                    }
                    self.lack_room();
                    return Poll::Ready(Ok(()));
                }
                WriteState::SessionDenied { patience } => {
                    if !self.has_archive() || matches!(self.footing(), StorageTier::Memory(_)) {
                        return Poll::Ready(Ok(()));
                    }
                    let failed = match self.poll_filed(write.number + 1, cx) {
                        Poll::Ready(Ok(())) => return Poll::Ready(Ok(())),
                        Poll::Ready(Err(error)) => Some(error),
                        Poll::Pending => None,
                    };
                    if failed.is_none() && patience.as_mut().poll(cx).is_pending() {
                        return Poll::Pending;
                    }
                    self.lose_archive();
                    return Poll::Ready(Ok(()));
                }
            };
            write.landing = next;
        }
    }

    /// Notifies the listener that session storage is full, once in a run.
    fn lack_room(&self) {
        let told = std::mem::replace(&mut self.state.borrow_mut().crowded, true);
        if !told {
            self.listener
                .on_session_storage_failed(self.run(), &StoreError::Full);
        }
    }

    fn lose_session(&self, error: &StoreError) {
        let files = self.has_archive();
        let lost = {
            let mut state = self.state.borrow_mut();
            let first = state.footing == StorageTier::Session;
            if first && files {
                state.footing = StorageTier::Archive;
            } else if first {
                state.footing = StorageTier::Memory(error.clone());
            }
            state.denied.get_or_insert_with(|| error.clone());
            first
        };
        if lost {
            self.listener.on_session_storage_failed(self.run(), error);
        }
    }

    /// Stops using the archive. If session storage is denied too, records stay in memory only.
    pub(super) fn lose_archive(&self) {
        let mut state = self.state.borrow_mut();
        if let Some(denied) = state.denied.clone() {
            state.footing = StorageTier::Memory(denied);
        }
    }
}
