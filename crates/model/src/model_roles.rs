//! The models that replace the answering model for particular roles.

use super::ModelChoice;
use serde::{Deserialize, Serialize};

/// The models that the user chose for particular roles. If a role is `None`, the answering model is
/// used for it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelRoles {
    /// The model that compresses text, grades search results and rewrites queries.
    pub light: Option<ModelChoice>,
    /// The model that describes images.
    pub vision: Option<ModelChoice>,
    /// The model that makes images.
    pub image: Option<ModelChoice>,
}
