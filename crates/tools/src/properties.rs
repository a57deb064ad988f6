//! The properties of a tool that are the same for every call.

use super::{Group, ModelRole, Requirement, TIMEOUT_MS};
use gloss_durable::Class;

/// The properties of a tool. [`Tool`](super::Tool) explains them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolProperties {
    /// The name by which models call the tool.
    pub name: &'static str,
    /// The effect class, which decides what happens after an interrupted call.
    pub class: Class,
    /// The limit on the active time of a call, in ms.
    pub timeout_ms: u64,
    /// The part of a run, such as its page, without which the tool can't work; `None` if the tool
    /// works in every run.
    pub needs: Option<Requirement>,
    /// The group of tools that one switch turns off together; `None` if the tool is in no group.
    pub group: Option<Group>,
    /// The role of the model that the tool calls; `None` if the tool calls no model.
    pub model_role: Option<ModelRole>,
    /// The way in which a call runs.
    pub execution: Execution,
    /// True if a call reads pages that the call itself finds, as a web search does. The user can't
    /// know the addresses of these pages beforehand.
    pub reads_found_addresses: bool,
}

impl ToolProperties {
    /// Makes the properties of a tool. All properties but these two have their default values.
    pub const fn new(name: &'static str, class: Class) -> Self {
        Self {
            name,
            class,
            timeout_ms: TIMEOUT_MS,
            needs: None,
            group: None,
            model_role: None,
            execution: Execution::AtOnce,
            reads_found_addresses: false,
        }
    }

    /// The properties of a tool that doesn't exist.
    pub(super) const UNKNOWN: Self = Self::new("", Class::Safe);
}

/// The way in which a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Execution {
    /// The call is a single effect.
    AtOnce,
    /// The call is several effects. The journal records each at a path below the call's path.
    InSteps,
}
