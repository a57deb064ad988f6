//! Both tiers together: what stands in the session, and what is filed on disk.
//!
//! At birth only the session is read. What is on disk is asked for afterwards: it
//! completes the runs that the session holds the newest batch of, and names the
//! conversations that are loaded when somebody turns to them. An archive that
//! hangs or is denied delays that by a bounded time and nothing else.

use super::digest::{Catalogue, Digest};
use super::keeping::History;
use super::{Runs, Standing};
use crate::agent::Failure;
use crate::app::Panic;
use crate::app::hub::Seen;
use crate::durable::{
    Entry, Halt, Journal, Path, Record, Stop, TIMER, Unreadable, has_ended, open_waits, patiently,
    read_batches,
};
use crate::host::{Archive, Fut, Host, RunId, StoreError, StoredBatch};
use futures::lock::Mutex;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

#[derive(Default)]
pub(super) struct Tiers {
    /// What the session holds of runs that are not taken up yet.
    pub(super) found: RefCell<BTreeMap<RunId, Vec<StoredBatch>>>,
    /// What is filed; `None` until the archive was listed, and where it fails.
    pub(super) catalogue: RefCell<Option<Catalogue>>,
    /// Whether the archive was asked since the session was last read.
    asked: Cell<bool>,
    /// One at a time takes up what is stored.
    pub(super) taking_up: Mutex<()>,
    pub(super) panic: RefCell<Option<Panic>>,
    pub(super) history: Cell<History>,
    /// Goes up with each erasure: what was read before one is of no worth after it.
    pub(super) erasures: Cell<u64>,
    /// Something could not be read in this life.
    pub(super) damaged: Cell<bool>,
}

impl Tiers {
    /// Nothing is stored any more.
    pub(super) fn emptied(&self) {
        self.found.borrow_mut().clear();
        self.catalogue.replace(Some(Catalogue::new()));
        self.asked.set(true);
        self.erasures.set(self.erasures.get() + 1);
    }
}

impl Runs {
    /// The archive, unless history is off.
    pub(super) fn archive(&self) -> Option<Rc<dyn Archive>> {
        let archive = self.host.archive.clone();
        archive.filter(|_| self.tiers.history.get() != History::Off)
    }

    /// The ports of a journal: without an archive if history is off, or being turned off.
    pub(super) fn journals_host(&self) -> Host {
        let keeps = self.tiers.history.get() == History::Kept;
        Host {
            archive: self.archive().filter(|_| keeps),
            ..self.host.clone()
        }
    }

    /// What the session holds, less what this life has taken up.
    pub(super) fn find(&self, batches: Vec<StoredBatch>) {
        let mut found = self.tiers.found.borrow_mut();
        found.clear();
        for batch in batches {
            if !self.has(&batch.run) {
                found.entry(batch.run.clone()).or_default().push(batch);
            }
        }
        if !found.is_empty() {
            self.tiers.asked.set(false);
        }
    }

    /// Whether the session holds something that is not taken up.
    pub(super) fn has_found(&self) -> bool {
        !self.tiers.found.borrow().is_empty()
    }

    /// Takes up what the session holds, where nobody can do anything without it.
    pub(in crate::app) async fn take_up_found(&self) {
        if self.has_found() {
            self.take_up().await;
        }
    }

    /// Takes up what the session holds, completed from the archive, and looks what
    /// else is there: once in a life, and again when a wake-up found more.
    pub(in crate::app) async fn take_up(&self) {
        if self.tiers.asked.get() {
            return;
        }
        let _one = self.tiers.taking_up.lock().await;
        if self.tiers.asked.get() {
            return;
        }
        self.list().await;
        if self.has_found() {
            self.take_up_session().await;
            // A death may have come between a run's first record and its place.
            self.keep_places().await;
        }
        self.look_for_interrupted().await;
        self.tiers.asked.set(true);
        self.count_unfinished();
    }

    async fn list(&self) {
        if self.tiers.catalogue.borrow().is_some() {
            return;
        }
        let Some(archive) = self.archive() else {
            self.tiers.catalogue.replace(Some(Catalogue::new()));
            return;
        };
        if let Some(filed) = self.answer_of(archive.list()).await {
            let entry = |filed: crate::host::Filed| {
                let digest = filed.digest.as_deref();
                let digest = digest.and_then(|digest| serde_json::from_str(digest).ok());
                (filed.run, digest)
            };
            let catalogue = filed.into_iter().map(entry).collect();
            self.tiers.catalogue.replace(Some(catalogue));
        }
    }

    async fn take_up_session(&self) {
        let found = self.tiers.found.borrow().clone();
        let mut complete = BTreeMap::new();
        let mut conversations = BTreeSet::new();
        for (run, hot) in found {
            let filed = self.filed(&run).await;
            let whole = filed.is_some() || begins(&hot);
            // Without its beginning it waits in the session for an archive that answers.
            if whole {
                self.tiers.found.borrow_mut().remove(&run);
                complete.insert(run, (hot, filed.unwrap_or_default()));
            }
        }
        for conversation in self.bring_back(complete).await {
            conversations.insert(conversation);
        }
        for conversation in conversations {
            self.load_turns(&conversation).await;
        }
    }

    /// Runs of which nothing stands in the session, though they are not over: the
    /// browser was restarted, or the extension. What waits for the person waits on.
    async fn look_for_interrupted(&self) {
        let Some(catalogue) = self.tiers.catalogue.borrow().clone() else {
            return;
        };
        let unsettled = catalogue.into_iter().filter(|(run, digest)| {
            let settled = digest.as_ref().is_some_and(Digest::is_at_rest);
            !settled && !self.has(run) && !self.tiers.found.borrow().contains_key(run)
        });
        let unsettled: Vec<RunId> = unsettled.map(|(run, _)| run).collect();
        for run in unsettled {
            if self.has(&run) {
                continue;
            }
            let Some(filed) = self.filed(&run).await else {
                continue;
            };
            let stored = BTreeMap::from([(run.clone(), (Vec::new(), filed))]);
            for conversation in self.bring_back(stored).await {
                if self.waits(&run) {
                    self.load_turns(&conversation).await;
                } else {
                    self.put_away(&run).await;
                    self.unload(&run);
                }
            }
        }
    }

    fn waits(&self, run: &RunId) -> bool {
        let known = self.known.borrow();
        let parked = known.get(run).map(|run| run.standing);
        parked == Some(Standing::Parked)
    }

    /// Reads what both tiers hold of runs and takes them up, in the order in which
    /// they were begun; gives their conversations. What cannot be read is set aside.
    pub(super) async fn bring_back(
        &self,
        stored: BTreeMap<RunId, (Vec<StoredBatch>, Vec<StoredBatch>)>,
    ) -> Vec<RunId> {
        for (run, (hot, filed)) in &stored {
            if hot.is_empty() && filed.is_empty() {
                // Listed, and lost: what is still listed cannot be begun anew.
                let lost = Unreadable::Corrupt("nothing is left of it".to_owned());
                self.set_aside(run, std::iter::empty(), &lost).await;
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
                    self.set_aside(&run, hot.into_iter().chain(filed), &unreadable)
                        .await;
                    continue;
                }
            };
            let seen = if hot.is_empty() {
                Seen::Before
            } else {
                Seen::ThisSession
            };
            let bytes = hot.iter().chain(&filed).map(|batch| batch.records.len());
            let bytes = bytes.sum();
            let numbers = filed.iter().map(|batch| batch.number).collect();
            let journal = self.recover(&run, next, records);
            journal.stands(hot, &numbers);
            if seen == Seen::Before && !journal.read(has_ended) {
                interrupt(&journal);
            }
            conversations.extend(self.know(&run, journal, bytes, seen));
        }
        conversations
    }

    /// What is filed of a run; `None` if the archive does not answer.
    pub(super) async fn filed(&self, run: &RunId) -> Option<Vec<StoredBatch>> {
        let archive = match &*self.tiers.catalogue.borrow() {
            Some(catalogue) if catalogue.contains_key(run) => self.archive(),
            Some(_) => return Some(Vec::new()),
            None => return None,
        };
        let archive = archive?;
        self.answer_of(archive.load(run)).await
    }

    /// A journal that cannot be read: the person is told, and it is kept for export.
    async fn set_aside(
        &self,
        run: &RunId,
        batches: impl Iterator<Item = StoredBatch>,
        unreadable: &Unreadable,
    ) {
        self.tiers.damaged.set(true);
        self.hub.warn(Failure::of_journal(unreadable));
        let Some(archive) = self.archive() else {
            return;
        };
        let kept = self.answer_of(archive.set_aside(batches.collect())).await;
        // What a newer Gloss wrote is its own, and stays where it is too.
        if kept.is_some() && matches!(unreadable, Unreadable::Corrupt(_)) {
            let _ = self.host.store.erase(run).await;
            let _ = self.answer_of(archive.erase(run)).await;
            self.forget_entry(run);
        }
    }

    pub(super) fn forget_entry(&self, run: &RunId) {
        if let Some(catalogue) = &mut *self.tiers.catalogue.borrow_mut() {
            catalogue.remove(run);
        }
    }

    /// What the disk answers in good time.
    ///
    /// # Errors
    /// Its own, or that it does not answer.
    pub(super) async fn within<T: 'static>(
        &self,
        asked: Fut<Result<T, StoreError>>,
    ) -> Result<T, StoreError> {
        patiently(&*self.host.clock, asked).await
    }

    /// The same; a failure is told.
    pub(super) async fn answer_of<T: 'static>(
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

    /// Notes what each tab shows, for the rest of the session.
    pub(in crate::app) async fn keep_places(&self) {
        let kept = self.host.store.keep(super::PLACES, self.hub.places()).await;
        if let Err(source) = kept {
            self.hub.warn(Failure::of_halt(&Halt::from(source)));
        }
    }
}

/// Whether these are the batches of a run from its first on.
fn begins(hot: &[StoredBatch]) -> bool {
    let numbers: BTreeSet<u64> = hot.iter().map(|batch| batch.number).collect();
    numbers
        .iter()
        .zip(0..)
        .all(|(number, place)| *number == place)
}

/// A run that is not over lost its session: it goes on when the person says so,
/// unless it waits for the person anyway.
fn interrupt(journal: &Journal) {
    let goes_on = match super::loading::standing_of(journal) {
        Standing::Recovered => true,
        Standing::Parked => journal.read(waits_for_time),
        Standing::New
        | Standing::Driven
        | Standing::Paused
        | Standing::Idle
        | Standing::Elsewhere => false,
    };
    if goes_on {
        let gone = Entry::Gone {
            partial: String::new(),
            stop: Stop::Restart,
        };
        journal.mark(&Path::root(), gone);
    }
}

/// Whether nothing but a time is waited for.
fn waits_for_time(records: &[Record]) -> bool {
    let timer = |wait: &&Record| matches!(&wait.entry, Entry::Waits { kind, .. } if kind == TIMER);
    open_waits(records).iter().all(timer)
}
