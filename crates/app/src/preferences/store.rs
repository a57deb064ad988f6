//! The current preferences in memory, and their text in local storage.

use super::{Preferences, Unreadable, document};
use gloss_agent::{Failure, failure};
use gloss_durable::StoreError;
use gloss_host::LocalStorage;
use gloss_model::phrase::phrase;
use std::cell::RefCell;
use std::rc::Rc;

const NAME: &str = "preferences";
/// The name in local storage of an unreadable text. New settings don't overwrite that text.
const UNREADABLE: &str = "preferences.unreadable";

/// The current preferences. They are loaded once, and all changes go through this type.
pub struct PreferencesStore {
    local_storage: Rc<dyn LocalStorage>,
    now: RefCell<Preferences>,
}

impl PreferencesStore {
    /// Creates a store with the default preferences. [`PreferencesStore::load`] reads the stored
    /// ones.
    pub fn new(local_storage: Rc<dyn LocalStorage>) -> Self {
        Self {
            local_storage,
            now: RefCell::default(),
        }
    }

    /// Loads the stored preferences. If their text can't be read, the defaults apply and the text
    /// is stored under another name. If one of the user's prompts is invalid, the default of that
    /// prompt applies. In both cases returns a failure. If several prompts are invalid, the failure
    /// names only the first.
    pub async fn load(&self) -> Option<Failure> {
        let text = match self.local_storage.get(NAME).await {
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
                let kept = self.local_storage.put(UNREADABLE, text).await;
                Some(kept.map_or_else(|error| unstored(&error), |()| warning(&unreadable)))
            }
        }
    }

    /// Returns the current preferences.
    pub fn now(&self) -> Preferences {
        self.now.borrow().clone()
    }

    /// Sets the preferences and stores them. If they can't be stored, the previous preferences
    /// apply again.
    ///
    /// # Errors
    /// Storage refuses the write.
    pub async fn set(&self, next: Preferences) -> Result<(), StoreError> {
        let before = self.now.replace(next.clone());
        // The write begins before any await, so that two changes are written in the order of the
        // calls.
        let written = self.local_storage.put(NAME, document::write(&next)).await;
        if written.is_err() && *self.now.borrow() == next {
            self.now.replace(before);
        }
        written
    }

    /// Removes the preferences and everything else in local storage.
    ///
    /// # Errors
    /// Storage refuses to erase.
    pub async fn erase(&self) -> Result<(), StoreError> {
        self.now.take();
        self.local_storage.clear().await
    }
}

fn warning(unreadable: &Unreadable) -> Failure {
    let corrupt = failure("settings_unreadable").not_recoverable();
    match unreadable {
        Unreadable::Newer => corrupt.with_remedy(phrase("settings_newer_remedy")),
        Unreadable::Foreign | Unreadable::Setting(_) | Unreadable::Refused(_) => corrupt,
    }
}

/// Returns the failure for settings that can't be read or stored.
pub(crate) fn unstored(error: &StoreError) -> Failure {
    failure(match error {
        StoreError::Full => "store_full",
        StoreError::Denied { .. } | StoreError::Corrupt { .. } => "settings_unstored",
    })
}
