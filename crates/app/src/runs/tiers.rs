//! Loads runs from both kinds of storage: session storage, and the archive on disk.
//!
//! When the worker starts, it reads only session storage. The archive is read later, because it may
//! be slow. It contains the other records of the runs in session storage, and it lists the other
//! conversations. Those conversations are loaded when the user opens them. If the archive doesn't
//! answer, Gloss stops waiting after a time limit.

use super::description::{Catalogue, RunDescription};
use super::history_setting::History;
use super::stored::{Completeness, SessionBatches, StoredRuns};
use super::{RunState, Runs};
use crate::Panic;
use crate::hub::RunOrigin;
use futures::future::join_all;
use futures::lock::Mutex;
use gloss_agent::Failure;
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_durable::{
    Archive, ArchivedRun, Entry, Fut, Journal, Path, Ports, Record, RunId, Stop, StoreError,
    StoredBatch, TIMER, Unreadable, has_ended, json, open_waits, read_batches,
    with_database_timeout,
};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

#[derive(Default)]
pub(super) struct StorageTiers {
    pub(super) stored: RefCell<StoredRuns>,
    /// The unreadable runs that this worker has found, with the reasons.
    pub(super) unreadable: RefCell<SortedMap<RunId, Unreadable>>,
    /// Locked while stored runs are loaded, so that two calls don't load the same run.
    pub(super) taking_up: Mutex<()>,
    pub(super) panic: RefCell<Option<Panic>>,
    pub(super) history: Cell<History>,
    /// True if the last worker died during an erasure of all data.
    pub(super) erasing: Cell<bool>,
    /// The number of erasures by this worker. Data that was read before an erasure is invalid after
    /// the erasure.
    pub(super) erasures: Cell<u64>,
    /// True if this worker has found damaged data.
    pub(super) damaged: Cell<bool>,
}

impl Runs {
    /// Returns the archive, or `None` if history is off.
    pub(super) fn archive(&self) -> Option<Rc<dyn Archive>> {
        let archive = self.host.archive.clone();
        archive.filter(|_| self.tiers.history.get() != History::Off)
    }

    /// Returns the ports of a new journal. They contain no archive if history is off or being
    /// turned off.
    pub(super) fn journal_ports(&self) -> Ports {
        let keeps = self.tiers.history.get() == History::Kept;
        Ports {
            archive: self.archive().filter(|_| keeps),
            ..self.host.ports()
        }
    }

    /// Remembers the batches of those runs in session storage that are not loaded.
    pub(super) fn find(&self, batches: Vec<StoredBatch>) {
        let mut found = SessionBatches::new();
        for batch in batches {
            if !self.is_loaded(&batch.run) {
                found.or_default(batch.run.clone()).push(batch);
            }
        }
        self.tiers.find(found);
    }

    /// Loads the runs in session storage. The disk is not read again if it was already read and did
    /// not answer all requests.
    pub(crate) async fn load_session(&self) {
        if !self.has_found() || !self.tiers.is_unasked() {
            return;
        }
        let _one = self.tiers.taking_up.lock().await;
        if self.tiers.is_unasked() {
            self.load_from_disk().await;
        }
    }

    /// Loads the runs in session storage with their batches from the archive, and lists all other
    /// runs. Does nothing if every run is already loaded or listed.
    pub(crate) async fn load_all(&self) {
        if self.tiers.is_whole() {
            return;
        }
        let _one = self.tiers.taking_up.lock().await;
        if !self.tiers.is_whole() {
            self.load_from_disk().await;
        }
    }

    async fn load_from_disk(&self) {
        let mut told = self.list().await;
        if told == Completeness::All && !self.unsettled().is_empty() {
            told = self.look_at_session_again().await;
        }
        if self.has_found() {
            self.take_up_session(told).await;
            // An earlier worker may have stored a run's first record and died before it stored that
            // the tab shows the run's conversation.
            self.keep_places().await;
        }
        if told == Completeness::All {
            told = self.look_for_interrupted().await;
        }
        self.tiers.finish_list(told);
        self.count_unfinished();
    }

    async fn list(&self) -> Completeness {
        let Some(archive) = self.archive() else {
            self.tiers.list(Catalogue::new());
            return Completeness::All;
        };
        let Some(filed) = self.ask_archive(archive.list()).await else {
            return Completeness::NotAll;
        };
        let entry = |filed: ArchivedRun| {
            let digest = filed.digest.as_deref();
            let digest = digest.and_then(|digest| json::parse(digest).ok());
            (filed.run, digest)
        };
        self.tiers.list(filed.into_iter().map(entry).collect());
        Completeness::All
    }

    /// Reads session storage again. After this worker started, another worker may have begun one of
    /// the listed, unfinished runs. Session storage then contains batches of that run.
    async fn look_at_session_again(&self) -> Completeness {
        match self.session().await {
            Ok(batches) => {
                self.find(batches);
                Completeness::All
            }
            Err(error) => {
                self.hub.warn(Failure::of_session(&error));
                Completeness::NotAll
            }
        }
    }

    /// Returns every batch in session storage. If data was erased during the read, the batches are
    /// read again.
    pub(super) async fn session(&self) -> Result<Vec<StoredBatch>, StoreError> {
        loop {
            let erasures = self.tiers.erasures.get();
            let batches = self.host.store.load_all().await;
            if erasures == self.tiers.erasures.get() {
                return batches;
            }
        }
    }

    async fn take_up_session(&self, listed: Completeness) {
        // All requests are sent at once, so that the total wait is as long as one request.
        let found = self.tiers.found().into_iter().map(|(run, hot)| async move {
            let filed = match listed {
                Completeness::All if !self.is_filed(&run) => Some(Vec::new()),
                Completeness::All | Completeness::NotAll => self.filed(&run).await,
            };
            (run, hot, filed)
        });
        let mut complete = SortedMap::new();
        for (run, hot, filed) in join_all(found).await {
            // If a run's first batch is missing in session storage, the run is loaded only when the
            // archive answers.
            if filed.is_some() || begins(&hot) {
                self.tiers.take(&run);
                complete.insert(run, (hot, filed.unwrap_or_default()));
            }
        }
        let conversations: SortedSet<RunId> = self.load_runs(complete).await.into_iter().collect();
        for conversation in conversations {
            self.load_turns(&conversation).await;
        }
    }

    /// Finds unfinished runs without a batch in session storage. They are from before a restart of
    /// the browser or of the extension. They are interrupted, except those that wait for the user.
    async fn look_for_interrupted(&self) -> Completeness {
        let unsettled = self.unsettled();
        if unsettled.is_empty() {
            return Completeness::All;
        }
        for run in unsettled {
            if self.is_loaded(&run) {
                continue;
            }
            let Some(filed) = self.filed(&run).await else {
                // The archive did not answer. A request for the next run would have to wait for the
                // full time limit again.
                return Completeness::NotAll;
            };
            let stored = SortedMap::from([(run.clone(), (Vec::new(), filed))]);
            for conversation in self.load_runs(stored).await {
                if self.waits(&run) {
                    self.load_turns(&conversation).await;
                } else {
                    self.file(&run).await;
                    self.unload(&run);
                }
            }
        }
        Completeness::All
    }

    /// Returns the unfinished runs on disk that are not loaded.
    fn unsettled(&self) -> Vec<RunId> {
        let filed = self.tiers.filed();
        let filed = filed.iter().flat_map(|filed| filed.iter());
        let unsettled = filed.filter(|(run, digest)| {
            let settled = digest.as_ref().is_some_and(RunDescription::is_at_rest);
            !settled && !self.is_loaded(run) && !self.is_found(run)
        });
        unsettled.map(|(run, _)| run.clone()).collect()
    }

    fn waits(&self, run: &RunId) -> bool {
        let known = self.known.borrow();
        let parked = known.get(run).map(|run| run.standing);
        parked == Some(RunState::Parked)
    }

    /// Loads runs from the batches of both kinds of storage, ordered by the runs' start. Returns
    /// the runs' conversations. Runs that can't be read are stored separately, for export.
    pub(super) async fn load_runs(
        &self,
        stored: SortedMap<RunId, (Vec<StoredBatch>, Vec<StoredBatch>)>,
    ) -> Vec<RunId> {
        for (run, (hot, filed)) in &stored {
            if hot.is_empty() && filed.is_empty() {
                // The run is listed, but all its batches are lost. The run is reported as
                // unreadable, so that no new run gets the same id.
                let lost = Unreadable::Corrupt("nothing is left of it".to_owned());
                self.set_aside(run, Vec::new(), &lost).await;
            }
        }
        let union = stored.values().flat_map(|(hot, filed)| [filed, hot]);
        let union: Vec<StoredBatch> = union.flatten().cloned().collect();
        let mut conversations = Vec::new();
        for (run, read) in super::loading::in_order(read_batches(union)) {
            let Some((hot, filed)) = stored.get(&run).cloned() else {
                continue;
            };
            let (next, records) = match read {
                Ok(read) => read,
                Err(unreadable) => {
                    let batches = hot.into_iter().chain(filed).collect();
                    self.set_aside(&run, batches, &unreadable).await;
                    continue;
                }
            };
            let seen = if hot.is_empty() {
                RunOrigin::Before
            } else {
                RunOrigin::ThisSession
            };
            let bytes = hot.iter().chain(&filed).map(|batch| batch.records.len());
            let bytes = bytes.sum();
            let numbers = filed.iter().map(|batch| batch.number).collect();
            let journal = self.recover(&run, next, records);
            journal.register_stored(hot, &numbers);
            if seen == RunOrigin::Before && !journal.read(has_ended) {
                interrupt(&journal);
            }
            conversations.extend(self.add_recovered(&run, journal, bytes, seen));
        }
        conversations
    }

    /// Returns the batches of a run on disk. `None` if the archive doesn't answer in time, or the
    /// run is not on disk.
    pub(super) async fn filed(&self, run: &RunId) -> Option<Vec<StoredBatch>> {
        let archive = self.archive().filter(|_| self.is_filed(run))?;
        self.ask_archive(archive.load(run)).await
    }

    /// Awaits an answer of the disk, for at most the database's time limit.
    ///
    /// # Errors
    /// The disk's error, or an error that the disk doesn't answer in time.
    pub(super) async fn within<T: 'static>(
        &self,
        asked: Fut<Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        with_database_timeout(&*self.host.clock, asked).await
    }

    /// Awaits an answer of the archive like [`Runs::within`]. On failure, shows the user a warning
    /// and returns `None`.
    pub(super) async fn ask_archive<T: 'static>(
        &self,
        asked: Fut<Result<T, StoreError>>,
    ) -> Option<T> {
        let answer = self.within(asked).await;
        let told = |error| {
            self.hub.warn(Failure::of_archive(&error));
            self.hub.refresh();
        };
        answer.map_err(told).ok()
    }

    /// Stores the conversation of each tab in session storage.
    pub(crate) async fn keep_places(&self) {
        let kept = self
            .host
            .store
            .put_text(super::PLACES, self.hub.places())
            .await;
        if let Err(error) = kept {
            // If this write fails, only the tabs' conversations are lost. The runs write their own
            // records, and report a failure themselves.
            self.hub.warn(Failure::of_session(&error));
        }
    }
}

/// Returns true if the batches begin with the run's batch 0 and have no gaps.
fn begins(hot: &[StoredBatch]) -> bool {
    let numbers: SortedSet<u64> = hot.iter().map(|batch| batch.number).collect();
    numbers
        .iter()
        .zip(0..)
        .all(|(number, place)| *number == place)
}

/// Halts an unfinished run of an earlier browser session, until the user continues it. A run that
/// waits for the user is not changed.
fn interrupt(journal: &Journal) {
    let standing = super::loading::standing_of(journal);
    let goes_on = standing == RunState::Recovered
        || (standing == RunState::Parked && journal.read(waits_for_time));
    if goes_on {
        journal.mark(&Path::root(), Entry::halt(Stop::Restart));
    }
}

/// Returns true if every open wait of the run is a timer. Such a run doesn't wait for the user.
fn waits_for_time(records: &[Record]) -> bool {
    let timer =
        |wait: &&Record| matches!(&wait.entry, Entry::Waiting { kind, .. } if kind == TIMER);
    open_waits(records).iter().all(timer)
}
