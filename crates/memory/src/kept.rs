//! What is known, in this life of the worker and on the shelf.
//!
//! Driving example: a model saves a fact. It is laid on the shelf under the act's key
//! together with the fact, in one write, which has landed before the outcome is recorded: a
//! death anywhere between leaves it done once. Nothing is read before somebody needs it.

use super::{Conversations, Facts, Unreadable, document};
use futures::lock::Mutex;
use gloss_durable::{Clock, StoreError};
use gloss_host::{Host, Shelf};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// Where they stand.
const NAME: &str = "facts";
/// Where a text goes that can't be read, so that nothing overwrites it.
const UNREADABLE: &str = "facts.unreadable";

/// Told what is known whenever that changed, or was read.
type Watch = Rc<dyn Fn(&Facts)>;

/// Facts, loaded when they are first needed and changed through here alone.
pub struct Memory {
    shelf: Rc<dyn Shelf>,
    clock: Rc<dyn Clock>,
    known: Mutex<Option<Facts>>,
    watch: RefCell<Option<Watch>>,
    /// Whether this life knows of none.
    is_empty: Cell<bool>,
    conversations: Conversations,
    /// Why what was there is set aside, until that is told.
    unreadable: Cell<Option<Unreadable>>,
}

impl Memory {
    /// Over these ports.
    pub fn new(host: &Host) -> Rc<Self> {
        Rc::new(Self {
            shelf: host.shelf.clone(),
            clock: host.clock.clone(),
            known: Mutex::default(),
            watch: RefCell::default(),
            is_empty: Cell::new(true),
            conversations: Conversations::default(),
            unreadable: Cell::default(),
        })
    }

    /// The conversations that there are.
    pub fn conversations(&self) -> &Conversations {
        &self.conversations
    }

    /// Has somebody told of what is known.
    pub fn on_change(&self, watch: Rc<dyn Fn(&Facts)>) {
        self.watch.replace(Some(watch));
    }

    /// What is known now. What can't be read is nothing, and stands aside.
    ///
    /// # Errors
    /// When storage refuses.
    pub async fn now(&self) -> Result<Facts, StoreError> {
        let mut known = self.known.lock().await;
        self.loaded(&mut known).await.cloned()
    }

    /// Reads them, in good time: a run begins without waiting. Says why it could not read
    /// what is there.
    pub async fn load(&self) -> Option<Unreadable> {
        // Where storage refuses there are none, until somebody asks for them.
        let _ = self.now().await;
        self.unreadable.take()
    }

    /// Whether nothing is known: a run that begins then looks nothing up.
    pub fn is_empty(&self) -> bool {
        self.is_empty.get()
    }

    /// Changes what is known, and resolves once that is kept. What can't be kept has not
    /// changed. `change` is told the time, in milliseconds since the Unix epoch.
    ///
    /// # Errors
    /// When storage refuses.
    pub async fn change(&self, change: &mut dyn FnMut(&mut Facts, u64)) -> Result<(), StoreError> {
        let mut known = self.known.lock().await;
        let facts = self.loaded(&mut known).await?;
        let mut next = facts.clone();
        change(&mut next, self.clock.now_ms());
        if next == *facts {
            return Ok(());
        }
        let text = document::write(&next);
        // Dropped while it is on its way, it may have landed: what is there is read anew.
        known.take();
        self.shelf.put(NAME, text).await?;
        self.tell(&next);
        *known = Some(next);
        Ok(())
    }

    /// Has the shelf cleared while nothing is on its way there, and forgets what this life
    /// knows.
    pub async fn cleared<T>(&self, clear: impl Future<Output = T>) -> T {
        let mut known = self.known.lock().await;
        let cleared = clear.await;
        known.take();
        self.tell(&Facts::default());
        cleared
    }

    /// The text that could not be read, as it stood there.
    ///
    /// # Errors
    /// When storage refuses.
    pub async fn set_aside(&self) -> Result<Option<String>, StoreError> {
        self.shelf.get(UNREADABLE).await
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
        let Some(text) = self.shelf.get(NAME).await? else {
            return Ok(Facts::default());
        };
        match document::read(&text) {
            Ok(facts) => Ok(facts),
            Err(unreadable) => {
                self.shelf.put(UNREADABLE, text).await?;
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
