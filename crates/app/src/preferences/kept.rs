//! The preferences of this life of the worker, and their text on the shelf.

use super::{Preferences, Unreadable, document};
use gloss_agent::{Failure, failure};
use gloss_durable::StoreError;
use gloss_host::Shelf;
use gloss_model::phrase::phrase;
use std::cell::RefCell;
use std::rc::Rc;

/// Where they stand.
const NAME: &str = "preferences";
/// Where a text goes that cannot be read, so that nothing overwrites it.
const UNREADABLE: &str = "preferences.unreadable";

/// Preferences, loaded once and changed through here alone.
pub struct Kept {
    shelf: Rc<dyn Shelf>,
    now: RefCell<Preferences>,
}

impl Kept {
    /// The defaults, until they are loaded.
    pub fn new(shelf: Rc<dyn Shelf>) -> Self {
        Self {
            shelf,
            now: RefCell::default(),
        }
    }

    /// Takes up what is on the shelf. Where that cannot be read the defaults are
    /// in force, the text is kept under another name, and this says so. It also says which
    /// prompt of the person's own is not valid, and why: its default is in force.
    pub async fn load(&self) -> Option<Failure> {
        let text = match self.shelf.get(NAME).await {
            Ok(text) => text?,
            Err(error) => return Some(unstored(&error)),
        };
        match document::read(&text) {
            Ok(preferences) => {
                let wrong = preferences.prompts.first_wrong();
                self.now.replace(preferences);
                wrong.map(|wrong| Failure {
                    code: "prompt_not_in_force".to_owned(),
                    title: phrase("prompt_not_in_force_title"),
                    remedy: wrong.words(),
                    recoverable: false,
                    commands: Vec::new(),
                })
            }
            Err(unreadable) => {
                let kept = self.shelf.put(UNREADABLE, text).await;
                Some(kept.map_or_else(|error| unstored(&error), |()| warning(&unreadable)))
            }
        }
    }

    /// What is set now.
    pub fn now(&self) -> Preferences {
        self.now.borrow().clone()
    }

    /// Sets them, at once and for good. What cannot be stored is not in force.
    ///
    /// # Errors
    /// When storage refuses.
    pub async fn set(&self, next: Preferences) -> Result<(), StoreError> {
        let before = self.now.replace(next.clone());
        // Issued in the turn of the change, so that two changes land in their order.
        let written = self.shelf.put(NAME, document::write(&next)).await;
        if written.is_err() && *self.now.borrow() == next {
            self.now.replace(before);
        }
        written
    }

    /// Forgets everything, the text that could not be read included.
    ///
    /// # Errors
    /// When storage refuses.
    pub async fn erase(&self) -> Result<(), StoreError> {
        self.now.take();
        self.shelf.clear().await
    }
}

fn warning(unreadable: &Unreadable) -> Failure {
    let corrupt = failure("settings_unreadable").for_good();
    match unreadable {
        Unreadable::Newer => corrupt.advising(phrase("settings_newer_remedy")),
        Unreadable::Foreign | Unreadable::Setting(_) | Unreadable::Refused(_) => corrupt,
    }
}

/// Settings that storage does not give or take.
pub(crate) fn unstored(error: &StoreError) -> Failure {
    failure(match error {
        StoreError::Full => "store_full",
        StoreError::Denied { .. } | StoreError::Corrupt { .. } => "settings_unstored",
    })
}
