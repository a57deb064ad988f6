//! What a run is begun with: the first record of its journal.

pub(in crate::agent) mod edit;
pub(in crate::agent) mod follow_up;
pub(in crate::agent) mod goal;
pub(in crate::agent) mod reflection;
