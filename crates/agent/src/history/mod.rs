//! Earlier turns, their results, and the run itself before an update.

pub(crate) mod earlier_results;
pub(crate) mod gather;
pub(crate) mod window;
