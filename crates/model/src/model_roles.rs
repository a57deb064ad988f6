//! The models that help the answering model.

use super::ModelChoice;
use serde::{Deserialize, Serialize};

/// The models of the other roles; `None`: the answering model takes the role.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelRoles {
    /// Compresses text, grades search results, rewrites queries.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light: Option<ModelChoice>,
    /// Describes images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vision: Option<ModelChoice>,
    /// Makes images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<ModelChoice>,
}

impl ModelRoles {
    /// Returns true if the answering model has all roles.
    pub fn is_nobody(&self) -> bool {
        *self == Self::default()
    }
}
