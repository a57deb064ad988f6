//! [`PromptApi`]: the browser's own model. If the worker has the Prompt API, the worker calls it
//! directly. Otherwise the worker sends the prompt to the offscreen page.
//!
//! Example: Chrome's documentation says that only windows have the Prompt API. Chrome's
//! source also gives it to the workers of extensions. If the worker lacks the API, the worker opens
//! `offscreen.html` and sends the prompt through a port ([`super::offscreen`]). Each prompt checks
//! again if the worker has the API.

pub(super) mod api;

pub use api::{Availability, available, download};

use super::chrome;
use super::offscreen::relay;
use futures::stream::LocalBoxStream;
use gloss_host::{BuiltInError, Prompt, PromptApi, PromptEvent};

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
