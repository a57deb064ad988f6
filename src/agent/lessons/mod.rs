//! What was learned from failures in all runs, on this device.

pub(in crate::agent) mod episodes;
pub(in crate::agent) mod lasting;
pub(in crate::agent) mod relevance;

pub use episodes::{Episodes, Keep};
pub(in crate::agent) use episodes::{MOST_GIVEN, Similar};
pub(in crate::agent) use lasting::lasting;
pub(in crate::agent) use relevance::{Topic, Topics, bears, shared};
