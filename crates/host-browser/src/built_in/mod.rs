//! [`BuiltIn`]: the browser's own model, in the worker where the worker has it, else in
//! the offscreen page.
//!
//! Driving example: Chrome documents the Prompt API for windows; its source also exposes
//! it to extensions' workers. A worker that has it asks itself; one that hasn't opens
//! `offscreen.html`, which speaks to it by a port of its own ([`super::offscreen`]).
//! Whether it is there is looked at when it is asked, and at no other time.

pub(super) mod api;

pub use api::{Availability, available, download};

use super::chrome;
use super::offscreen::relay;
use futures::stream::LocalBoxStream;
use gloss_host::{BuiltIn, BuiltInError, BuiltInSaid, Prompt};

/// `LanguageModel`, wherever it is.
pub(super) struct LanguageModel;

impl BuiltIn for LanguageModel {
    fn prompt(&self, prompt: Prompt) -> LocalBoxStream<'static, Result<BuiltInSaid, BuiltInError>> {
        if api::exists() {
            api::prompt(prompt, chrome::hold)
        } else {
            relay::prompt(prompt)
        }
    }
}
