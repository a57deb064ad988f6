//! The answering model, as the user knows it.

use gloss_model::{BROWSER, BUILT_IN, Choice, PROMPT_API, Voice};
use serde::{Deserialize, Serialize};

/// The model that answers a run, as the user sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speaker {
    /// The profile's id, or [`BUILT_IN`]; empty for the on-device model.
    pub profile: String,
    /// The profile's name, such as "Ollama"; empty for the on-device model.
    pub provider: String,
    /// The model's name at the provider; empty for the on-device model.
    pub model: String,
    /// The voice of the model's answers.
    pub voice: Voice,
}

impl Speaker {
    /// Describes the model that a choice names.
    pub fn of(choice: &Choice) -> Self {
        match choice {
            Choice::Embedded => Self {
                profile: String::new(),
                provider: String::new(),
                model: String::new(),
                voice: Voice::Page,
            },
            Choice::Profile(profile) => Self {
                profile: profile.id.clone(),
                provider: profile.name.clone(),
                model: profile.model.clone(),
                voice: Voice::Model,
            },
            Choice::BuiltIn => Self {
                profile: BUILT_IN.to_owned(),
                provider: BROWSER.to_owned(),
                model: PROMPT_API.to_owned(),
                voice: Voice::Model,
            },
        }
    }
}
