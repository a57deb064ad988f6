//! What happened before: earlier turns, their results, and the run itself before an update.

pub(in crate::agent) mod earlier_results;
pub(in crate::agent) mod gather;
pub(in crate::agent) mod window;
