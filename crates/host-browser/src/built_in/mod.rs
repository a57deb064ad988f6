//! [`PromptApi`]: the browser's own model, in the worker if it has the API, otherwise in the
//! offscreen page.
//!
//! Driving example: Chrome documents the Prompt API for windows, and its source also exposes it to
//! extension workers. A worker that has the API uses it directly. Otherwise it opens
//! `offscreen.html` and communicates through a port ([`super::offscreen`]). The API's presence is
//! checked at each prompt.

pub(super) mod api;

pub use api::{Availability, available, download};

use super::chrome;
use super::offscreen::relay;
use futures::stream::LocalBoxStream;
use gloss_host::{BuiltInError, Prompt, PromptApi, PromptEvent};

/// The browser's model, in the worker or in the offscreen page.
pub(super) struct LanguageModel;

impl PromptApi for LanguageModel {
    fn prompt(&self, prompt: Prompt) -> LocalBoxStream<'static, Result<PromptEvent, BuiltInError>> {
        if api::exists() {
            api::prompt(prompt, chrome::hold)
        } else {
            relay::prompt(prompt)
        }
    }
}
