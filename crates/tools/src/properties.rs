//! The properties of a tool that are the same for every call.

use super::{Group, ModelRole, Requirement, TIMEOUT_MS};
use gloss_durable::Class;

/// The properties of a tool. [`Tool`](super::Tool) explains them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolProperties {
    /// The name by which models call it.
    pub name: &'static str,
    /// The effect class, which decides what happens after an interrupted call.
    pub class: Class,
    /// The limit on the active time of a call.
    pub timeout_ms: u64,
    /// The part of a run without which the tool can do nothing.
    pub needs: Option<Requirement>,
    /// The group whose switch turns it off together with others.
    pub group: Option<Group>,
    /// The provenance of the text in its results.
    pub text_origin: TextOrigin,
    /// The role of the model that a call may ask.
    pub model_role: Option<ModelRole>,
    /// The way in which a call runs.
    pub execution: Execution,
    /// True if a call reads addresses that it finds itself, which the user can't know beforehand.
    pub reads_found_addresses: bool,
}

impl ToolProperties {
    /// A tool with the usual properties.
    pub const fn new(name: &'static str, class: Class) -> Self {
        Self {
            name,
            class,
            timeout_ms: TIMEOUT_MS,
            needs: None,
            group: None,
            text_origin: TextOrigin::OfOthers,
            model_role: None,
            execution: Execution::AtOnce,
            reads_found_addresses: false,
        }
    }

    /// The properties of a tool that doesn't exist: the error is Gloss's own text.
    pub(super) const UNKNOWN: Self = Self {
        text_origin: TextOrigin::Own,
        ..Self::new("", Class::Safe)
    };
}

/// The provenance of the text in a call's result or error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextOrigin {
    /// Pages, servers or earlier runs: untrusted (DETAILS §12).
    OfOthers,
    /// This device, and the call's own arguments.
    Own,
}

/// The way in which a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// As one effect.
    AtOnce,
    /// As several effects, each journalled at its own path below the call's.
    InSteps,
}
