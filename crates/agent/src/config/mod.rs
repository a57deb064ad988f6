//! The configuration of a run: the first record of its journal.

pub(crate) mod edit;
pub(crate) mod follow_up;
pub(crate) mod goal;
pub(crate) mod reflection;

pub(crate) use edit::{Edit, Forked};
pub use follow_up::FollowUp;
pub use goal::{Cycle, Exchange, Goal, Known, Mode, OnToolFailure, RunConfig, Settings, Style};
pub(crate) use reflection::MOST_KEPT;
pub use reflection::Reflection;
