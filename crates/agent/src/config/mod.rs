//! The configuration of a run, which is stored in the first record of the run's journal.

pub(crate) mod edit;
pub(crate) mod follow_up;
pub(crate) mod goal;
pub(crate) mod reflection;

pub(crate) use edit::{Edit, ForkOrigin};
pub use follow_up::FollowUp;
pub use goal::{
    Cycle, Exchange, Goal, KnownFacts, Mode, OnToolFailure, RunConfig, Settings, Style,
};
pub use reflection::Lesson;
pub(crate) use reflection::MOST_KEPT;
