//! The store of facts, in memory and in local storage.
//!
//! Example: a model saves a fact. The fact and the key of the saving action are stored in
//! one write. After that write, the run's journal records that the fact was saved. If the worker is
//! killed between these two writes, the action is repeated. The stored key then prevents a second
//! copy of the fact. The facts are read from storage only when they are needed.

use super::{Conversations, Facts, Unreadable, document};
use futures::lock::Mutex;
use gloss_durable::{Clock, StoreError};
use gloss_host::{Host, LocalStorage};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

const NAME: &str = "facts";
/// The name under which an unreadable text is stored, so that new facts don't overwrite it.
const UNREADABLE: &str = "facts.unreadable";

/// A function that is called with the facts when they are read or changed.
type Watch = Rc<dyn Fn(&Facts)>;

/// The store of facts. The facts are loaded when they are first needed, and all changes go through
/// this type.
pub struct Memory {
    local_storage: Rc<dyn LocalStorage>,
    clock: Rc<dyn Clock>,
    known: Mutex<Option<Facts>>,
    watch: RefCell<Option<Watch>>,
    /// True if no facts are stored, or if the facts have not been read yet.
    is_empty: Cell<bool>,
    conversations: Conversations,
    /// The reason for which the stored text could not be read; `None` after it was reported.
    unreadable: Cell<Option<Unreadable>>,
}

impl Memory {
    /// Creates a store that uses the storage and the clock of `host`.
    pub fn new(host: &Host) -> Rc<Self> {
        Rc::new(Self {
            local_storage: host.local_storage.clone(),
            clock: host.clock.clone(),
            known: Mutex::default(),
            watch: RefCell::default(),
            is_empty: Cell::new(true),
            conversations: Conversations::default(),
            unreadable: Cell::default(),
        })
    }

    /// Access to the user's conversations.
    pub fn conversations(&self) -> &Conversations {
        &self.conversations
    }

    /// Sets the function that is called when the facts change.
    pub fn on_change(&self, watch: Rc<dyn Fn(&Facts)>) {
        self.watch.replace(Some(watch));
    }

    /// Returns the current facts. If the stored text is unreadable, it is stored under another
    /// name, and no facts are returned.
    ///
    /// # Errors
    /// Storage refuses the read.
    pub async fn now(&self) -> Result<Facts, StoreError> {
        let mut known = self.known.lock().await;
        self.loaded(&mut known).await.cloned()
    }

    /// Reads the facts, so that a later run needn't wait for them. Returns the reason if the stored
    /// text can't be read.
    pub async fn load(&self) -> Option<Unreadable> {
        // If storage refuses, the facts are read again when they are needed.
        let _ = self.now().await;
        self.unreadable.take()
    }

    /// Returns true if there are no facts. A run that begins while this is true doesn't search
    /// facts.
    pub fn is_empty(&self) -> bool {
        self.is_empty.get()
    }

    /// Changes the facts, and resolves when they are stored. If the new facts can't be stored, the
    /// old facts stay. `change` also gets the current time, in milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// Storage refuses the write.
    pub async fn change(&self, change: &mut dyn FnMut(&mut Facts, u64)) -> Result<(), StoreError> {
        let mut known = self.known.lock().await;
        let facts = self.loaded(&mut known).await?;
        let mut next = facts.clone();
        change(&mut next, self.clock.now_ms());
        if next == *facts {
            return Ok(());
        }
        let text = document::write(&next);
        // The loaded facts are removed before the write. If this future is dropped during the
        // write, it is unknown which facts were stored, so they must be read again.
        known.take();
        self.local_storage.put(NAME, text).await?;
        self.tell(&next);
        *known = Some(next);
        Ok(())
    }

    /// Removes the loaded facts and awaits `clear`, which clears the storage. A lock prevents other
    /// writes during that time.
    pub async fn cleared<T>(&self, clear: impl Future<Output = T>) -> T {
        let mut known = self.known.lock().await;
        let cleared = clear.await;
        known.take();
        self.tell(&Facts::default());
        cleared
    }

    /// Returns the unreadable text that was stored under another name, if there is one.
    ///
    /// # Errors
    /// Storage refuses.
    pub async fn set_aside(&self) -> Result<Option<String>, StoreError> {
        self.local_storage.get(UNREADABLE).await
    }

    async fn loaded<'a>(&self, known: &'a mut Option<Facts>) -> Result<&'a mut Facts, StoreError> {
        let read = if let Some(facts) = known.take() {
            facts
        } else {
            let facts = self.read().await?;
            self.tell(&facts);
            facts
        };
        Ok(known.insert(read))
    }

    async fn read(&self) -> Result<Facts, StoreError> {
        let Some(text) = self.local_storage.get(NAME).await? else {
            return Ok(Facts::default());
        };
        match document::read(&text) {
            Ok(facts) => Ok(facts),
            Err(unreadable) => {
                self.local_storage.put(UNREADABLE, text).await?;
                self.unreadable.set(Some(unreadable));
                Ok(Facts::default())
            }
        }
    }

    fn tell(&self, facts: &Facts) {
        self.is_empty.set(facts.all().is_empty());
        let watch = self.watch.borrow().clone();
        if let Some(watch) = watch {
            watch(facts);
        }
    }
}
