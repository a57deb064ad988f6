//! What was learned in all runs: on this device, a hundred at most.

use crate::config::Reflection;
use crate::lessons::{Topic, Topics, bears, lasting, shared};
use futures::FutureExt;
use futures::lock::Mutex;
use gloss_durable::sorted::{SortedSet, sort_by_key};
use gloss_durable::{Call, Class, Clock, Effect, Fingerprint, Fut, RunId, StoreError, json};
use gloss_host::{Host, Shelf};
use gloss_tools::{ErrorKind, Group, Switches};
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::rc::Rc;

/// Under which name the shelf has them.
const NAME: &str = "reflections";

/// The version of what is kept.
const VERSION: u16 = 1;

/// So many are kept (DETAILS §5).
pub(crate) const MOST: usize = 100;

/// So many stand before a run, or beside a failure (DETAILS §5).
pub(crate) const MOST_GIVEN: usize = 3;

/// So many that the person erased are known to be gone: a run that keeps one once more, as it
/// died before it knew that it had, does not bring it back.
const MOST_ERASED: usize = MOST;

/// Reflections of all runs, oldest first.
pub struct Episodes {
    shelf: Rc<dyn Shelf>,
    clock: Rc<dyn Clock>,
    /// One change at a time.
    changing: Mutex<()>,
    /// What this life knows of them.
    known: RefCell<Book>,
    /// Another number after each change, and in each life.
    changes: Cell<u64>,
    /// Told of each change.
    watch: RefCell<Option<Rc<dyn Fn()>>>,
}

/// What is kept.
#[derive(Debug, Default, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Book {
    v: u16,
    pub(crate) reflections: Vec<Reflection>,
    /// The ids of those that the person erased, the oldest erasure first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) erased: Vec<String>,
}

impl Episodes {
    /// Over the device's shelf.
    pub fn new(host: &Host) -> Rc<Self> {
        Rc::new(Self {
            shelf: host.shelf.clone(),
            clock: host.clock.clone(),
            changing: Mutex::default(),
            known: RefCell::default(),
            // A page that stays open over deaths of the worker tells two lives apart by it.
            changes: Cell::new(host.clock.now_ms()),
            watch: RefCell::default(),
        })
    }

    /// Has somebody told whenever they change.
    pub fn on_change(&self, watch: Rc<dyn Fn()>) {
        self.watch.replace(Some(watch));
    }

    /// How often they changed in this life: another number means to look anew.
    pub fn changes(&self) -> u64 {
        self.changes.get()
    }

    /// All of them, the newest first.
    ///
    /// # Errors
    /// When the shelf refuses.
    pub async fn all(&self) -> Result<Vec<Reflection>, StoreError> {
        let _one = self.changing.lock().await;
        let mut all = self.book().await?.reflections;
        all.reverse();
        Ok(all)
    }

    /// Erases some for good, whatever run is about to keep them.
    ///
    /// # Errors
    /// When the shelf refuses.
    pub async fn erase(&self, ids: &[String]) -> Result<(), StoreError> {
        let _one = self.changing.lock().await;
        let mut book = self.book().await?;
        book.erase(ids);
        self.put(&book).await
    }

    /// Takes back that these were erased.
    ///
    /// # Errors
    /// When the shelf refuses.
    pub async fn bring_back(&self, erased: Vec<Reflection>) -> Result<(), StoreError> {
        let _one = self.changing.lock().await;
        let mut book = self.book().await?;
        book.bring_back(erased);
        self.put(&book).await
    }

    /// Reads them, in good time: a run begins without waiting. Where they can't be read there
    /// are none, and nothing depends on them.
    pub async fn load(&self) {
        let _one = self.changing.lock().await;
        let book = self.book().await.unwrap_or_default();
        self.known.replace(book);
    }

    /// Those that bear on a question, the nearest first.
    pub fn relevant(&self, question: &str) -> Vec<Reflection> {
        self.known.borrow().relevant(question)
    }

    /// Has the shelf cleared while nothing is on its way there, and forgets what this life
    /// knows.
    pub async fn cleared<T>(&self, clear: impl Future<Output = T>) -> T {
        let _one = self.changing.lock().await;
        let cleared = clear.await;
        self.known.take();
        self.tell();
        cleared
    }

    /// Takes away those of these runs.
    ///
    /// # Errors
    /// When the shelf refuses.
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
        new: Vec<Reflection>,
        applied: &[String],
    ) -> Result<(), StoreError> {
        let _one = self.changing.lock().await;
        let mut book = self.book().await?;
        let mut new: Vec<Reflection> = new.into_iter().filter_map(lasting).collect();
        for one in &mut new {
            one.at_ms = Some(self.clock.now_ms());
        }
        book.keep(new, applied);
        self.put(&book).await
    }

    async fn book(&self) -> Result<Book, StoreError> {
        let text = self.shelf.get(NAME).await?;
        // Damaged, or a later Gloss's: what was learned is learned anew.
        let read = |text: String| json::parse::<Book>(&text).ok();
        let book = text.and_then(read).filter(|book| book.v <= VERSION);
        Ok(book.unwrap_or_default())
    }

    async fn put(&self, book: &Book) -> Result<(), StoreError> {
        let text = json::text(book).unwrap_or_default();
        self.known.replace(book.clone());
        self.shelf.put(NAME, text).await?;
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

/// Whether an act is of a run.
fn is_of(id: &str, run: &str) -> bool {
    id.strip_prefix(run)
        .is_some_and(|rest| rest.starts_with('/'))
}

impl Book {
    /// Adds what is new and marks what was applied; the oldest that nobody applied goes first
    /// where there are too many.
    pub(crate) fn keep(&mut self, new: Vec<Reflection>, applied: &[String]) {
        let new = new.into_iter();
        let new: Vec<Reflection> = new.filter(|it| !self.erased.contains(&it.id)).collect();
        let fresh = self.take(new);
        for known in &mut self.reflections {
            known.applied |= applied.contains(&known.id);
        }
        self.fit(fresh);
    }

    /// Forgets these, and that they be learned once more.
    pub(crate) fn erase(&mut self, ids: &[String]) {
        self.v = VERSION;
        self.reflections.retain(|it| !ids.contains(&it.id));
        self.erased.retain(|it| !ids.contains(it));
        self.erased.extend_from_slice(ids);
        let over = self.erased.len().saturating_sub(MOST_ERASED);
        self.erased.drain(..over);
    }

    /// Has these be known again, each in its place. Where runs learned something meanwhile and
    /// there are too many, what goes is what would have gone had nothing been erased.
    pub(crate) fn bring_back(&mut self, erased: Vec<Reflection>) {
        self.erased
            .retain(|id| erased.iter().all(|it| it.id != *id));
        self.take(erased);
        sort_by_key(&mut self.reflections, |it| it.at_ms);
        // The newest was kept last, and went for nothing older.
        self.fit(1);
    }

    /// Forgets all that is of these runs, and which of it was erased: nobody goes on with them
    /// who could learn it once more. Whether that was anything.
    pub(crate) fn forget(&mut self, runs: &SortedSet<RunId>) -> bool {
        let of = |id: &str| runs.iter().any(|run| is_of(id, &run.0));
        let before = (self.reflections.len(), self.erased.len());
        self.reflections.retain(|it| !of(&it.id));
        self.erased.retain(|id| !of(id));
        before != (self.reflections.len(), self.erased.len())
    }

    /// Takes these in; how many of them were not known.
    fn take(&mut self, all: Vec<Reflection>) -> usize {
        self.v = VERSION;
        let before = self.reflections.len();
        for mut one in all {
            let known = self.reflections.iter_mut().find(|it| it.id == one.id);
            match known {
                // The same act, by a worker that died before it knew that it was kept: what
                // became of it since stands, and so does when it was.
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

    /// Lets go of what there is no room for; of the last `fresh` only where nothing else is.
    fn fit(&mut self, fresh: usize) {
        while self.reflections.len() > MOST {
            // What is new had no time to be applied: it never goes for what was.
            let before = self.reflections.len().saturating_sub(fresh);
            let mut old = self.reflections.iter().take(before);
            let oldest = old.position(|it| !it.applied);
            self.reflections.remove(oldest.unwrap_or_default());
        }
    }

    /// Those that bear on a question, the nearest first, the newest of the equally near.
    pub(crate) fn relevant(&self, question: &str) -> Vec<Reflection> {
        let topics = Topics::new();
        let question = topics.of(question);
        self.nearest(&topics, &question, |_, call, said| {
            bears(&question, call, said)
        })
    }

    /// Those of the same tool and kind, the nearest to a call of these arguments first.
    pub(crate) fn similar(&self, tool: &str, kind: ErrorKind, arguments: &str) -> Vec<Reflection> {
        let topics = Topics::new();
        let like = |it: &Reflection| it.tool == tool && it.kind == kind;
        self.nearest(&topics, &topics.of_call(arguments), |it, _, _| like(it))
    }

    fn nearest(
        &self,
        topics: &Topics,
        to: &Topic,
        is_one: impl Fn(&Reflection, &Topic, &Topic) -> bool,
    ) -> Vec<Reflection> {
        let newest_first = self.reflections.iter().rev();
        let mut near: Vec<(usize, &Reflection)> = newest_first
            .filter_map(|it| {
                let call = topics.of_call(&it.arguments);
                let said = topics.of(it.analysis.as_deref().unwrap_or_default());
                is_one(it, &call, &said).then(|| (shared(to, &call, &said), it))
            })
            .collect();
        sort_by_key(&mut near, |(shared, _)| Reverse(*shared));
        let given = near.into_iter().take(MOST_GIVEN);
        given.map(|(_, it)| it.clone()).collect()
    }
}

/// The effect of keeping what was learned, and what of it was applied.
pub struct Keep {
    /// Where.
    pub(crate) episodes: Rc<Episodes>,
    /// With memory off nothing is.
    pub(crate) switches: Rc<Switches>,
    /// What is new.
    pub(crate) new: Vec<Reflection>,
    /// The ids of what was applied.
    pub(crate) applied: Vec<String>,
}

impl Effect for Keep {
    /// Whether it is kept: nothing depends on it.
    type Outcome = bool;

    const KIND: &'static str = "learn";

    fn class(&self) -> Class {
        Class::Keyed
    }

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

/// The effect of looking for what was learned of the like.
pub(crate) struct Similar {
    pub(crate) episodes: Rc<Episodes>,
    pub(crate) switches: Rc<Switches>,
    pub(crate) tool: String,
    pub(crate) kind: ErrorKind,
    pub(crate) arguments: String,
}

impl Effect for Similar {
    type Outcome = Vec<Reflection>;

    const KIND: &'static str = "learned";

    fn class(&self) -> Class {
        Class::Safe
    }

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
