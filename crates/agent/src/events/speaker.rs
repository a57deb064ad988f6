//! Who answers, as a person knows them.

use gloss_model::{BROWSER, BUILT_IN, Choice, PROMPT_API, Voice};
use serde::{Deserialize, Serialize};

/// Who answers a run, for the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speaker {
    /// The id of a profile, or [`BUILT_IN`]; empty for the on-device model.
    pub profile: String,
    /// What the user calls the profile, as in "Ollama"; empty for the on-device model.
    pub provider: String,
    /// The model's name there; empty for the on-device model.
    pub model: String,
    /// Whose words its answers are.
    pub voice: Voice,
}

impl Speaker {
    /// The speaker that a choice names.
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
