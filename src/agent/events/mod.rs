//! What a run states: the events, answers, failures and limits that surfaces are told.

pub(in crate::agent) mod answer;
pub(in crate::agent) mod bound;
pub(in crate::agent) mod carry_over;
pub(in crate::agent) mod ending;
pub(in crate::agent) mod event;
pub(in crate::agent) mod failure;
pub(in crate::agent) mod model_failure;
pub(in crate::agent) mod need;
pub(in crate::agent) mod speaker;
pub(in crate::agent) mod spending;
