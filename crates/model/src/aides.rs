//! Who helps the model that answers.

use super::Choice;
use serde::{Deserialize, Serialize};

/// Models that play a part beside the one that answers; `None`: it plays that itself.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Aides {
    /// Compresses, grades, rewrites.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub light: Option<Choice>,
    /// Looks at images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vision: Option<Choice>,
    /// Makes images.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image: Option<Choice>,
}

impl Aides {
    /// Whether nobody was named.
    pub fn is_nobody(&self) -> bool {
        *self == Self::default()
    }
}
