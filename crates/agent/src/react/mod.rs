//! The loop's functions: reason, act, observe, the confidence gate and the answer.

pub(crate) mod act;
pub(crate) mod attempt;
pub(crate) mod continue_after_update;
pub(crate) mod external_call;
pub(crate) mod gate;
pub(crate) mod observe;
pub(crate) mod parallel_calls;
pub(crate) mod reason;
pub(crate) mod state;
pub(crate) mod synthesise;
