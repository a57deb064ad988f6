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
        let (profile, provider, model) = match choice {
            ModelChoice::Embedded => ("", "", ""),
            ModelChoice::Profile(profile) => (&*profile.id, &*profile.name, &*profile.model),
            ModelChoice::BuiltIn => (BUILT_IN, BROWSER, PROMPT_API),
        };
        Self {
            profile: profile.to_owned(),
            provider: provider.to_owned(),
            model: model.to_owned(),
            voice: match choice {
                ModelChoice::Embedded => AnswerOrigin::Page,
                ModelChoice::Profile(_) | ModelChoice::BuiltIn => AnswerOrigin::Model,
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
