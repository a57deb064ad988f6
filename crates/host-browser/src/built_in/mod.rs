//! [`PromptApi`]: the browser's own model. The worker uses it directly if it can, and otherwise
//! through the offscreen page.
//!
//! Driving example: Chrome documents the Prompt API only for windows, but Chrome's source also
//! exposes it to extensions' workers. Without the API in the worker, `offscreen.html` is opened,
//! and the worker sends it the prompt through a port ([`super::offscreen`]). Each prompt checks
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
