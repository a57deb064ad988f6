//! The roles of models. The main model performs a role unless the user chooses another model.

use super::Preferences;
use gloss_agent::ModelRoles;
use gloss_model::{BUILT_IN, ModelChoice};
use serde::{Deserialize, Serialize};

/// A task of a model other than writing the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Small tasks: grades search results, rewrites queries, compresses texts.
    Light,
    /// Reads images.
    Vision,
    /// Makes images.
    Image,
    /// Compares the meaning of texts.
    Embedding,
}

impl Role {
    /// All roles, in the order of the options page.
    pub const ALL: [Self; 4] = [Self::Light, Self::Vision, Self::Image, Self::Embedding];
}

/// The id of the profile that the user chose for each role; `None` means the main model.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Roles {
    light: Option<String>,
    vision: Option<String>,
    image: Option<String>,
    embedding: Option<String>,
}

impl Roles {
    /// Returns the id of the profile for a role; `None` means the main model.
    pub fn of(&self, role: Role) -> Option<&str> {
        match role {
            Role::Light => self.light.as_deref(),
            Role::Vision => self.vision.as_deref(),
            Role::Image => self.image.as_deref(),
            Role::Embedding => self.embedding.as_deref(),
        }
    }

    pub(crate) fn set(&mut self, role: Role, profile: Option<String>) {
        *self.place(role) = profile;
    }

    fn place(&mut self, role: Role) -> &mut Option<String> {
        match role {
            Role::Light => &mut self.light,
            Role::Vision => &mut self.vision,
            Role::Image => &mut self.image,
            Role::Embedding => &mut self.embedding,
        }
    }
}

impl Preferences {
    /// Returns the model that the user chose for a role; `None` means the main model.
    pub(super) fn model_for(&self, role: Role) -> Option<ModelChoice> {
        let named = self.roles.of(role).filter(|id| self.names(id));
        named.map(|id| self.choice(id))
    }

    /// Returns the models that a run uses for the roles.
    pub fn model_roles(&self) -> ModelRoles {
        ModelRoles {
            light: self.model_for(Role::Light),
            vision: self.model_for(Role::Vision),
            image: self.model_for(Role::Image),
        }
    }

    /// Removes the ids of profiles that no longer exist. Also removes repeated ids from the list of
    /// fallback models.
    pub(crate) fn remove_dangling_names(&mut self) {
        let ids = self.profiles.iter().map(|it| it.id.clone());
        let known: Vec<String> = ids.chain([BUILT_IN.to_owned()]).collect();
        self.answers.take_if(|id| !known.contains(id));
        for role in Role::ALL {
            self.roles.place(role).take_if(|id| !known.contains(id));
        }
        let mut seen: Vec<String> = Vec::new();
        self.then.retain(|id| {
            let stays = (id.is_empty() || known.contains(id)) && !seen.contains(id);
            seen.push(id.clone());
            stays
        });
    }
}
