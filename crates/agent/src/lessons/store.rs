//! The store for the lessons of all runs on this device. It contains at most 100 lessons.

use crate::config::Lesson;
use crate::lessons::{Topic, Topics, count_shared, is_relevant, storable_part};
use futures::FutureExt;
use futures::lock::Mutex;
use gloss_durable::sorted::{SortedSet, sort_by_key};
use gloss_durable::{Call, Class, Clock, Effect, Fingerprint, Fut, RunId, StoreError, json};
use gloss_host::{Host, LocalStorage};
use gloss_tools::{ErrorKind, Group, Switches};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::rc::Rc;

/// The key of the lessons in the local storage.
const NAME: &str = "reflections";

/// The version of the stored format.
const VERSION: u16 = 1;

/// The maximum number of stored lessons (DETAILS §5).
pub(crate) const MOST: usize = 100;

/// The maximum number of lessons that are given to a new run or after a failed call (DETAILS §5).
pub(crate) const MOST_GIVEN: usize = 3;

/// The stored lessons of all runs.
pub struct LessonStore {
    local_storage: Rc<dyn LocalStorage>,
    clock: Rc<dyn Clock>,
    /// Locked during each change, so that no two changes overlap.
    changing: Mutex<()>,
    /// The lessons as they were when this worker last read or wrote them.
    known: RefCell<StoredLessons>,
    /// A number that increases with each change. Each worker starts with a different number.
    changes: Cell<u64>,
    /// Called after each change.
    watch: RefCell<Option<Rc<dyn Fn()>>>,
}

/// The stored lessons.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StoredLessons {
    v: u16,
    pub(crate) reflections: Vec<Lesson>,
}

impl LessonStore {
    /// Creates the store in the device's local storage.
    pub fn new(host: &Host) -> Rc<Self> {
        Rc::new(Self {
            local_storage: host.local_storage.clone(),
            clock: host.clock.clone(),
            changing: Mutex::default(),
            known: RefCell::default(),
            // The first number is the current time, so that a new worker doesn't repeat the
            // numbers of the one before. A page may stay open when the worker dies.
            changes: Cell::new(host.clock.now_ms()),
            watch: RefCell::default(),
        })
    }

    /// Sets the callback for changes.
    pub fn on_change(&self, watch: Rc<dyn Fn()>) {
        self.watch.replace(Some(watch));
    }

    /// Returns a number that differs after each change. A caller that sees a new number reads the
    /// lessons again.
    pub fn changes(&self) -> u64 {
        self.changes.get()
    }

    /// Returns all lessons, the newest first.
    ///
    /// # Errors
    /// If the local storage fails.
    pub async fn all(&self) -> Result<Vec<Lesson>, StoreError> {
        let _one = self.changing.lock().await;
        let mut all = self.book().await?.reflections;
        all.reverse();
        Ok(all)
    }

    /// Erases the lessons with these ids.
    ///
    /// # Errors
    /// If the local storage fails.
    pub async fn erase(&self, ids: &[String]) -> Result<(), StoreError> {
        let _one = self.changing.lock().await;
        let mut book = self.book().await?;
        book.erase(ids);
        self.put(&book).await
    }

    /// Restores erased lessons, when the user undoes the deletion.
    ///
    /// # Errors
    /// If the local storage fails.
    pub async fn bring_back(&self, erased: Vec<Lesson>) -> Result<(), StoreError> {
        let _one = self.changing.lock().await;
        let mut book = self.book().await?;
        book.bring_back(erased);
        self.put(&book).await
    }

    /// Reads the lessons into memory, so that a run can begin without waiting for the storage. If
    /// reading fails, runs begin without lessons.
    pub async fn load(&self) {
        let _one = self.changing.lock().await;
        let book = self.book().await.unwrap_or_default();
        self.known.replace(book);
    }

    /// Returns the lessons that relate to a question, the most relevant first.
    pub fn relevant(&self, question: &str) -> Vec<Lesson> {
        self.known.borrow().relevant(question)
    }

    /// Runs `clear`, which empties the local storage, while no other change is in progress. Also
    /// removes the lessons from memory.
    pub async fn cleared<T>(&self, clear: impl Future<Output = T>) -> T {
        let _one = self.changing.lock().await;
        let cleared = clear.await;
        self.known.take();
        self.tell();
        cleared
    }

    /// Deletes the lessons that these runs learned.
    ///
    /// # Errors
    /// If the local storage fails.
    pub async fn forget(&self, runs: &SortedSet<RunId>) -> Result<(), StoreError> {
        let _one = self.changing.lock().await;
        let mut book = self.book().await?;
        if !book.forget(runs) {
            return Ok(());
        }
        self.put(&book).await
    }

    pub(crate) async fn keep(
        &self,
        new: Vec<Lesson>,
        applied: &[String],
    ) -> Result<(), StoreError> {
        let _one = self.changing.lock().await;
        let mut book = self.book().await?;
        let mut new: Vec<Lesson> = new.into_iter().filter_map(storable_part).collect();
        for one in &mut new {
            one.at_ms = Some(self.clock.now_ms());
        }
        book.keep(new, applied);
        self.put(&book).await
    }

    async fn book(&self) -> Result<StoredLessons, StoreError> {
        let text = self.local_storage.get(NAME).await?;
        // Stored lessons that are damaged, or that a later version of Gloss wrote, are ignored.
        // Runs can learn the lessons again.
        let read = |text: String| json::parse::<StoredLessons>(&text).ok();
        let book = text.and_then(read).filter(|book| book.v <= VERSION);
        Ok(book.unwrap_or_default())
    }

    async fn put(&self, book: &StoredLessons) -> Result<(), StoreError> {
        let text = json::text(book).unwrap_or_default();
        self.known.replace(book.clone());
        self.local_storage.put(NAME, text).await?;
        self.tell();
        Ok(())
    }

    fn tell(&self) {
        self.changes.set(self.changes.get() + 1);
        let watch = self.watch.borrow().clone();
        if let Some(watch) = watch {
            watch();
        }
    }
}

/// Returns true if the lesson with this id was learned in `run`: `"r1/2"` was learned in `r1`.
fn is_of(id: &str, run: &str) -> bool {
    id.strip_prefix(run)
        .is_some_and(|rest| rest.starts_with('/'))
}

impl StoredLessons {
    /// Adds new lessons and marks the applied ones. If this makes more than [`MOST`] lessons, `fit`
    /// removes some.
    pub(crate) fn keep(&mut self, new: Vec<Lesson>, applied: &[String]) {
        let fresh = self.take(new);
        for known in &mut self.reflections {
            known.applied |= applied.contains(&known.id);
        }
        self.fit(fresh);
    }

    /// Deletes the lessons with these ids.
    pub(crate) fn erase(&mut self, ids: &[String]) {
        self.v = VERSION;
        self.reflections.retain(|it| !ids.contains(&it.id));
    }

    /// Restores erased lessons and sorts all lessons by time. If this makes more than [`MOST`]
    /// lessons, `fit` removes some.
    pub(crate) fn bring_back(&mut self, erased: Vec<Lesson>) {
        self.take(erased);
        sort_by_key(&mut self.reflections, |it| it.at_ms);
        // The newest lesson counts as new, so `fit` doesn't remove it in favour of an older one.
        self.fit(1);
    }

    /// Deletes the lessons of these runs. Returns true if there were any.
    pub(crate) fn forget(&mut self, runs: &SortedSet<RunId>) -> bool {
        let of = |id: &str| runs.iter().any(|run| is_of(id, &run.0));
        let before = self.reflections.len();
        self.reflections.retain(|it| !of(&it.id));
        before != self.reflections.len()
    }

    /// Adds lessons. A lesson whose id is already stored replaces the stored one. Returns the
    /// number of added lessons.
    fn take(&mut self, all: Vec<Lesson>) -> usize {
        self.v = VERSION;
        let before = self.reflections.len();
        for mut one in all {
            let known = self.reflections.iter_mut().find(|it| it.id == one.id);
            match known {
                // A worker stored this lesson earlier and died before that write was recorded. The
                // new lesson keeps `applied` and the time of the earlier write.
                Some(known) => {
                    one.applied |= known.applied;
                    one.at_ms = known.at_ms.or(one.at_ms);
                    *known = one;
                }
                None => self.reflections.push(one),
            }
        }
        self.reflections.len() - before
    }

    /// Removes lessons until at most [`MOST`] are left. The oldest lesson that was never applied is
    /// removed first. The last `fresh` lessons are new and are skipped. If there is no such lesson,
    /// the oldest lesson of all is removed.
    fn fit(&mut self, fresh: usize) {
        while self.reflections.len() > MOST {
            // No run had time to apply a new lesson, so an older lesson is removed instead.
            let before = self.reflections.len().saturating_sub(fresh);
            let mut old = self.reflections.iter().take(before);
            let oldest = old.position(|it| !it.applied);
            self.reflections.remove(oldest.unwrap_or_default());
        }
    }

    /// Returns the lessons that relate to a question, the most relevant first. Equally relevant
    /// lessons are sorted by time, the newest first.
    pub(crate) fn relevant(&self, question: &str) -> Vec<Lesson> {
        let topics = Topics::new();
        let question = topics.of(question);
        self.nearest(&topics, &question, |_, call, said| {
            is_relevant(&question, call, said)
        })
    }

    /// Returns the lessons about the same tool and the same kind of error. The lessons that share
    /// most terms with these arguments come first.
    pub(crate) fn similar(&self, tool: &str, kind: ErrorKind, arguments: &str) -> Vec<Lesson> {
        let topics = Topics::new();
        let like = |it: &Lesson| it.tool == tool && it.kind == kind;
        self.nearest(&topics, &topics.of_call(arguments), |it, _, _| like(it))
    }

    fn nearest(
        &self,
        topics: &Topics,
        to: &Topic,
        is_one: impl Fn(&Lesson, &Topic, &Topic) -> bool,
    ) -> Vec<Lesson> {
        let newest_first = self.reflections.iter().rev();
        let mut near: Vec<(usize, &Lesson)> = newest_first
            .filter_map(|it| {
                let call = topics.of_call(&it.arguments);
                let said = topics.of(it.analysis.as_deref().unwrap_or_default());
                is_one(it, &call, &said).then(|| (count_shared(to, &call, &said), it))
            })
            .collect();
        sort_by_key(&mut near, |(shared, _)| Reverse(*shared));
        let given = near.into_iter().take(MOST_GIVEN);
        given.map(|(_, it)| it.clone()).collect()
    }
}

/// The effect that stores new lessons and marks applied ones.
pub struct StoreLessons {
    /// The lessons of all runs.
    pub(crate) episodes: Rc<LessonStore>,
    /// The switches of the tool groups. If memory is off, nothing is stored.
    pub(crate) switches: Rc<Switches>,
    /// The new lessons.
    pub(crate) new: Vec<Lesson>,
    /// The ids of the applied lessons.
    pub(crate) applied: Vec<String>,
}

impl Effect for StoreLessons {
    /// True if the lessons were stored. The run continues in either case.
    type Outcome = bool;

    const KIND: &'static str = "learn";
    const CLASS: Class = Class::Keyed;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.new, &self.applied))
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        async move {
            let is_on = self.switches.is_on(Group::Memory);
            is_on && self.episodes.keep(self.new, &self.applied).await.is_ok()
        }
        .boxed_local()
    }
}

/// The effect that finds lessons from similar failures.
pub(crate) struct FindSimilarLessons {
    pub(crate) episodes: Rc<LessonStore>,
    pub(crate) switches: Rc<Switches>,
    pub(crate) tool: String,
    pub(crate) kind: ErrorKind,
    pub(crate) arguments: String,
}

impl Effect for FindSimilarLessons {
    type Outcome = Vec<Lesson>;

    const KIND: &'static str = "learned";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.tool, self.kind, &self.arguments))
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        async move {
            if !self.switches.is_on(Group::Memory) {
                return Vec::new();
            }
            let book = self.episodes.book().await.unwrap_or_default();
            book.similar(&self.tool, self.kind, &self.arguments)
        }
        .boxed_local()
    }
}
