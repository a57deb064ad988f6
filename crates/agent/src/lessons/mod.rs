//! Lessons from failures in all runs, on this device.

pub(crate) mod episodes;
pub(crate) mod lasting;
pub(crate) mod relevance;

pub use episodes::{Episodes, Keep};
pub(crate) use episodes::{MOST_GIVEN, Similar};
pub(crate) use lasting::lasting;
pub(crate) use relevance::{Topic, Topics, bears, shared};
