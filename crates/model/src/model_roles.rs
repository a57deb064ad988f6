//! The models that are used for particular roles in place of the answering model.

use super::ModelChoice;
use serde::{Deserialize, Serialize};

/// The models that the user chose for the other roles. If a role is `None`, the answering model
/// takes it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelRoles {
    /// The model that compresses text, grades search results and rewrites queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light: Option<ModelChoice>,
    /// The model that describes images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vision: Option<ModelChoice>,
    /// The model that makes images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<ModelChoice>,
}

impl ModelRoles {
    /// Returns true if no role has a model of its own.
    pub fn is_nobody(&self) -> bool {
        *self == Self::default()
    }
}
