//! What was learned from failures in all runs, on this device.

pub(in crate::agent) mod episodes;
pub(in crate::agent) mod lasting;
pub(in crate::agent) mod relevance;
