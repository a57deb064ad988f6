//! The tools of a call, and whether it may use them.
//!
//! Driving example: at the last step a run asks for its closing answer. Its tools are withheld: a
//! model that calls one all the same is understood, so that nobody sees the raw call, and the
//! call is not made.

use super::ToolDefinition;
use serde::{Deserialize, Serialize};
use std::rc::Rc;

/// The tools of a call.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tools {
    /// There are none: what looks like a call is words.
    #[default]
    None,
    /// It may call them.
    Offered(Rc<[ToolDefinition]>),
    /// The run has them, and this call may only speak.
    Withheld(Rc<[ToolDefinition]>),
}

impl Tools {
    /// Those that may be called.
    pub fn offered(&self) -> &[ToolDefinition] {
        match self {
            Self::Offered(tools) => tools,
            Self::None | Self::Withheld(_) => &[],
        }
    }

    /// Those whose calls are understood.
    pub fn known(&self) -> &[ToolDefinition] {
        match self {
            Self::Offered(tools) | Self::Withheld(tools) => tools,
            Self::None => &[],
        }
    }

    /// Whether they are known and may not be called.
    pub fn are_withheld(&self) -> bool {
        matches!(self, Self::Withheld(_))
    }
}

impl From<Rc<[ToolDefinition]>> for Tools {
    fn from(tools: Rc<[ToolDefinition]>) -> Self {
        Self::Offered(tools)
    }
}
