//! The store of facts, in memory and in local storage.
//!
//! Driving example: a model saves a fact. The fact and the action's key are stored in one write,
//! which completes before the outcome is recorded, so that a kill in between leaves the fact saved
//! once. Nothing is read before it is needed.

use super::{Conversations, Facts, Unreadable, document};
use futures::lock::Mutex;
use gloss_durable::{Clock, StoreError};
use gloss_host::{Host, LocalStorage};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// The facts' name in local storage.
const NAME: &str = "facts";
/// The name under which an unreadable text is stored, so that it isn't overwritten.
const UNREADABLE: &str = "facts.unreadable";

/// A function that is called with the facts whenever they change or are read.
type Watch = Rc<dyn Fn(&Facts)>;

/// The facts, loaded when they are first needed and changed only here.
pub struct Memory {
    local_storage: Rc<dyn LocalStorage>,
    clock: Rc<dyn Clock>,
    known: Mutex<Option<Facts>>,
    watch: RefCell<Option<Watch>>,
    /// True if this life knows of no facts.
    is_empty: Cell<bool>,
    conversations: Conversations,
    /// The reason for which the stored text was set aside, until it is reported.
    unreadable: Cell<Option<Unreadable>>,
}

impl Memory {
    /// A store over these ports.
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

    /// Returns the current facts. An unreadable text counts as no facts, and is set aside.
    ///
    /// # Errors
    /// Storage refuses.
    pub async fn now(&self) -> Result<Facts, StoreError> {
        let mut known = self.known.lock().await;
        self.loaded(&mut known).await.cloned()
    }

    /// Reads the facts in advance, so that a run begins without waiting. Returns the reason if the
    /// stored text can't be read.
    pub async fn load(&self) -> Option<Unreadable> {
        // If storage refuses, the facts are read again when they are needed.
        let _ = self.now().await;
        self.unreadable.take()
    }

    /// Returns true if no facts are known; a run that begins then skips the search.
    pub fn is_empty(&self) -> bool {
        self.is_empty.get()
    }

    /// Changes the facts, and resolves once they are stored. If they can't be stored, nothing
    /// changes. `change` gets the time, in milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// Storage refuses.
    pub async fn change(&self, change: &mut dyn FnMut(&mut Facts, u64)) -> Result<(), StoreError> {
        let mut known = self.known.lock().await;
        let facts = self.loaded(&mut known).await?;
        let mut next = facts.clone();
        change(&mut next, self.clock.now_ms());
        if next == *facts {
            return Ok(());
        }
        let text = document::write(&next);
        // A write that is dropped in flight may still be stored, so the facts are read again.
        known.take();
        self.local_storage.put(NAME, text).await?;
        self.tell(&next);
        *known = Some(next);
        Ok(())
    }

    /// Clears the storage while no write is in flight, and forgets the loaded facts.
    pub async fn cleared<T>(&self, clear: impl Future<Output = T>) -> T {
        let mut known = self.known.lock().await;
        let cleared = clear.await;
        known.take();
        self.tell(&Facts::default());
        cleared
    }

    /// The unreadable text that was set aside.
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
