//! What a run is begun with: the first record of its journal.

pub(in crate::agent) mod edit;
pub(in crate::agent) mod follow_up;
pub(in crate::agent) mod goal;
pub(in crate::agent) mod reflection;

pub(in crate::agent) use edit::{Edit, Forked};
pub use follow_up::FollowUp;
pub use goal::{Cycle, Exchange, Goal, Known, Mode, OnToolFailure, RunConfig, Settings, Style};
pub(in crate::agent) use reflection::MOST_KEPT;
pub use reflection::Reflection;
