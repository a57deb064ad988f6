//! The content that a run starts with: earlier turns, their results and, if an update of Gloss
//! interrupted the run, its own earlier content.

pub(crate) mod earlier_results;
pub(crate) mod gather;
pub(crate) mod provenance;
pub(crate) mod window;
