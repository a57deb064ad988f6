//! What was learned in all runs: on this device, a hundred at most.

use super::lasting::lasting;
use super::{ErrorKind, Reflection};
use crate::durable::{Call, Class, Effect, Fingerprint};
use crate::host::{Clock, Fut, Host, RunId, Shelf, StoreError};
use crate::tools::{Group, Switches};
use futures::FutureExt;
use futures::lock::Mutex;
use serde::{Deserialize, Serialize};
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::rc::Rc;

/// Under which name the shelf has them.
const NAME: &str = "reflections";

/// The version of what is kept: 1 kept a model's words as they were.
const VERSION: u16 = 2;

/// So many are kept (DETAILS §5).
pub(super) const MOST: usize = 100;

/// So many stand before a run, or beside a failure (DETAILS §5).
pub(super) const MOST_GIVEN: usize = 3;

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
pub(super) struct Book {
    v: u16,
    pub(super) reflections: Vec<Reflection>,
    /// The ids of those that the person erased, the oldest erasure first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) erased: Vec<String>,
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

    /// Those that bear on words, the nearest first.
    pub fn relevant(&self, words: &str) -> Vec<Reflection> {
        self.known.borrow().relevant(words)
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
    pub async fn forget(&self, runs: &BTreeSet<RunId>) -> Result<(), StoreError> {
        let _one = self.changing.lock().await;
        let mut book = self.book().await?;
        let before = book.reflections.len();
        let of = |it: &Reflection| runs.iter().any(|run| is_of(&it.id, &run.0));
        book.reflections.retain(|it| !of(it));
        if book.reflections.len() == before {
            return Ok(());
        }
        self.put(&book).await
    }

    pub(super) async fn keep(
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
        let read = |text: String| serde_json::from_str::<Book>(&text).ok();
        let book = text.and_then(read).filter(|book| book.v <= VERSION);
        let mut book = book.unwrap_or_default();
        if book.v < VERSION {
            let all = book.reflections.into_iter();
            book.reflections = all.filter_map(lasting).collect();
        }
        Ok(book)
    }

    async fn put(&self, book: &Book) -> Result<(), StoreError> {
        let text = serde_json::to_string(book).unwrap_or_default();
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
    pub(super) fn keep(&mut self, new: Vec<Reflection>, applied: &[String]) {
        let new = new.into_iter();
        let new: Vec<Reflection> = new.filter(|it| !self.erased.contains(&it.id)).collect();
        let fresh = new.len();
        self.take(new);
        for known in &mut self.reflections {
            known.applied |= applied.contains(&known.id);
        }
        self.fit(fresh);
    }

    /// Forgets these, and that they be learned once more.
    pub(super) fn erase(&mut self, ids: &[String]) {
        self.v = VERSION;
        self.reflections.retain(|it| !ids.contains(&it.id));
        self.erased.retain(|it| !ids.contains(it));
        self.erased.extend_from_slice(ids);
        let over = self.erased.len().saturating_sub(MOST_ERASED);
        self.erased.drain(..over);
    }

    /// Has these be known again, each in its place.
    pub(super) fn bring_back(&mut self, erased: Vec<Reflection>) {
        self.erased
            .retain(|id| erased.iter().all(|it| it.id != *id));
        self.take(erased);
        self.reflections.sort_by_key(|it| it.at_ms);
        self.fit(0);
    }

    fn take(&mut self, all: Vec<Reflection>) {
        self.v = VERSION;
        for one in all {
            // The same act, by a worker that died before it knew that it was kept.
            self.reflections.retain(|it| it.id != one.id);
            self.reflections.push(one);
        }
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

    /// Those that share words with these, the nearest first, the newest of the equally near.
    pub(super) fn relevant(&self, words: &str) -> Vec<Reflection> {
        let near = self.near(words, |_| true).into_iter();
        given(near.filter(|(shared, _)| *shared > 0))
    }

    /// Those of the same tool and kind, the nearest in words first.
    pub(super) fn similar(&self, tool: &str, kind: ErrorKind, words: &str) -> Vec<Reflection> {
        let like = |it: &Reflection| it.tool == tool && it.kind == kind;
        given(self.near(words, like).into_iter())
    }

    fn near(&self, words: &str, of: impl Fn(&Reflection) -> bool) -> Vec<(usize, &Reflection)> {
        let words = words_of(words);
        let newest_first = self.reflections.iter().rev().filter(|it| of(it));
        let shared = |it: &Reflection| {
            let about = format!(
                "{} {}",
                it.arguments,
                it.analysis.as_deref().unwrap_or_default()
            );
            words_of(&about).intersection(&words).count()
        };
        let mut near: Vec<_> = newest_first.map(|it| (shared(it), it)).collect();
        near.sort_by_key(|(shared, _)| Reverse(*shared));
        near
    }
}

fn given<'a>(near: impl Iterator<Item = (usize, &'a Reflection)>) -> Vec<Reflection> {
    near.take(MOST_GIVEN).map(|(_, it)| it.clone()).collect()
}

/// Words of four letters and more, in lower case; ideographs in pairs.
fn words_of(text: &str) -> BTreeSet<String> {
    let lower = text.to_lowercase();
    let mut words = BTreeSet::new();
    for run in lower.split(|c: char| !c.is_alphanumeric()) {
        let letters: Vec<char> = run.chars().collect();
        if run.is_ascii() {
            if letters.len() > 3 {
                words.insert(run.to_owned());
            }
        } else {
            words.extend(letters.windows(2).map(String::from_iter));
        }
    }
    words
}

/// The effect of keeping what was learned, and what of it was applied.
pub struct Keep {
    /// Where.
    pub(super) episodes: Rc<Episodes>,
    /// With memory off nothing is.
    pub(super) switches: Rc<Switches>,
    /// What is new.
    pub(super) new: Vec<Reflection>,
    /// The ids of what was applied.
    pub(super) applied: Vec<String>,
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
pub(super) struct Similar {
    pub(super) episodes: Rc<Episodes>,
    pub(super) switches: Rc<Switches>,
    pub(super) tool: String,
    pub(super) kind: ErrorKind,
    pub(super) words: String,
}

impl Effect for Similar {
    type Outcome = Vec<Reflection>;

    const KIND: &'static str = "learned";

    fn class(&self) -> Class {
        Class::Safe
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_value(&(&self.tool, self.kind, &self.words))
    }

    fn perform(self, _call: Call) -> Fut<Self::Outcome> {
        async move {
            if !self.switches.is_on(Group::Memory) {
                return Vec::new();
            }
            let book = self.episodes.book().await.unwrap_or_default();
            book.similar(&self.tool, self.kind, &self.words)
        }
        .boxed_local()
    }
}
