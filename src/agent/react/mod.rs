//! The loop's functions: reason, act, observe, the confidence gate and the answer.

pub(in crate::agent) mod act;
pub(in crate::agent) mod attempt;
pub(in crate::agent) mod external_call;
pub(in crate::agent) mod gate;
pub(in crate::agent) mod observe;
pub(in crate::agent) mod parallel_calls;
pub(in crate::agent) mod reason;
pub(in crate::agent) mod state;
pub(in crate::agent) mod synthesise;
pub(in crate::agent) mod take_up;
