//! The tools of a model call, and the permission to use them.
//!
//! Example: in its last step, a run asks for the final answer, and the model may not call
//! tools. If the model still calls a tool, Gloss recognises the call, so that the user does not see
//! raw JSON. The tool is not run.

use super::ToolDefinition;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The tools of one model call.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tools {
    /// The run has no tools. Text that looks like a call is ordinary text.
    #[default]
    None,
    /// The model may call these tools.
    Offered(Rc<[ToolDefinition]>),
    /// The run has these tools, but the model may not call them now.
    Withheld(Rc<[ToolDefinition]>),
}

impl Tools {
    /// Returns the tools that the model may call.
    pub fn offered(&self) -> &[ToolDefinition] {
        match self {
            Self::Offered(tools) => tools,
            Self::None | Self::Withheld(_) => &[],
        }
    }

    /// Returns the tools whose calls are recognised, even if the model may not call them now.
    pub fn known(&self) -> &[ToolDefinition] {
        match self {
            Self::Offered(tools) | Self::Withheld(tools) => tools,
            Self::None => &[],
        }
    }

    /// Returns true if the run has tools that the model may not call now.
    pub fn are_withheld(&self) -> bool {
        matches!(self, Self::Withheld(_))
    }
}

impl From<Rc<[ToolDefinition]>> for Tools {
    fn from(tools: Rc<[ToolDefinition]>) -> Self {
        Self::Offered(tools)
    }
}
