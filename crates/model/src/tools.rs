//! The tools of a call, and the permission to use them.
//!
//! Driving example: in its last step a run asks for its final answer, and its tools are withheld.
//! If the model calls one anyway, the call is recognised, so that the user does not see raw JSON,
//! but it is not made.

use super::ToolDefinition;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The tools of a call.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tools {
    /// No tools: text that looks like a call is text.
    #[default]
    None,
    /// Tools that the model may call.
    Offered(Rc<[ToolDefinition]>),
    /// Tools of the run that this call may not use.
    Withheld(Rc<[ToolDefinition]>),
}

impl Tools {
    /// The tools that may be called.
    pub fn offered(&self) -> &[ToolDefinition] {
        match self {
            Self::Offered(tools) => tools,
            Self::None | Self::Withheld(_) => &[],
        }
    }

    /// The tools whose calls are recognised.
    pub fn known(&self) -> &[ToolDefinition] {
        match self {
            Self::Offered(tools) | Self::Withheld(tools) => tools,
            Self::None => &[],
        }
    }

    /// Returns true if the tools are withheld.
    pub fn are_withheld(&self) -> bool {
        matches!(self, Self::Withheld(_))
    }
}

impl From<Rc<[ToolDefinition]>> for Tools {
    fn from(tools: Rc<[ToolDefinition]>) -> Self {
        Self::Offered(tools)
    }
}
