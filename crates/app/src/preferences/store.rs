//! The preferences in this life of the worker, and their text in local storage.

use super::{Preferences, Unreadable, document};
use gloss_agent::{Failure, failure};
use gloss_durable::StoreError;
use gloss_host::LocalStorage;
use gloss_model::phrase::phrase;
use std::cell::RefCell;
use std::rc::Rc;

/// The name of the preferences in local storage.
const NAME: &str = "preferences";
/// The name under which an unreadable text is kept, so that new settings don't overwrite it.
const UNREADABLE: &str = "preferences.unreadable";

/// The preferences. They are loaded once, and all changes go through this type.
pub struct PreferencesStore {
    local_storage: Rc<dyn LocalStorage>,
    now: RefCell<Preferences>,
}

impl PreferencesStore {
    /// Creates a store with the defaults. [`PreferencesStore::load`] reads the stored preferences.
    pub fn new(local_storage: Rc<dyn LocalStorage>) -> Self {
        Self {
            local_storage,
            now: RefCell::default(),
        }
    }

    /// Loads the stored preferences. If their text can't be read, the defaults apply, the text is
    /// kept under another name, and a failure is returned. If one of the user's prompts is invalid,
    /// its default applies, and a failure for the first such prompt is returned.
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

    /// The current preferences.
    pub fn now(&self) -> Preferences {
        self.now.borrow().clone()
    }

    /// Sets the preferences and stores them. If they can't be stored, the previous ones apply
    /// again.
    ///
    /// # Errors
    /// Storage refuses.
    pub async fn set(&self, next: Preferences) -> Result<(), StoreError> {
        let before = self.now.replace(next.clone());
        // The write is issued before any await, so that two changes are written in their order.
        let written = self.local_storage.put(NAME, document::write(&next)).await;
        if written.is_err() && *self.now.borrow() == next {
            self.now.replace(before);
        }
        written
    }

    /// Removes the preferences, and also a text that could not be read.
    ///
    /// # Errors
    /// Storage refuses.
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
