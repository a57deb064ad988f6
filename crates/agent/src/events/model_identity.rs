//! The answering model, as the user knows it.

use gloss_model::{AnswerOrigin, BROWSER, BUILT_IN, ModelChoice, PROMPT_API};
use serde::{Deserialize, Serialize};

/// The model that answers a run, as the user sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelIdentity {
    /// The profile's id, or [`BUILT_IN`]; empty for the on-device model.
    pub profile: String,
    /// The profile's name, such as "Ollama"; empty for the on-device model.
    pub provider: String,
    /// The model's name at the provider; empty for the on-device model.
    pub model: String,
    /// The origin of the model's answers: quotes from the page, or the model's own text.
    pub voice: AnswerOrigin,
}

impl ModelIdentity {
    /// Describes the model that a choice names.
    pub fn of(choice: &ModelChoice) -> Self {
        match choice {
            ModelChoice::Embedded => Self {
                profile: String::new(),
                provider: String::new(),
                model: String::new(),
                voice: AnswerOrigin::Page,
            },
            ModelChoice::Profile(profile) => Self {
                profile: profile.id.clone(),
                provider: profile.name.clone(),
                model: profile.model.clone(),
                voice: AnswerOrigin::Model,
            },
            ModelChoice::BuiltIn => Self {
                profile: BUILT_IN.to_owned(),
                provider: BROWSER.to_owned(),
                model: PROMPT_API.to_owned(),
                voice: AnswerOrigin::Model,
            },
        }
    }
}

/// The on-device model.
impl Default for ModelIdentity {
    fn default() -> Self {
        Self::of(&ModelChoice::Embedded)
    }
}
