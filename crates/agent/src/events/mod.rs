//! The events, answers, failures and limits that a run reports to surfaces.

pub(crate) mod answer;
pub(crate) mod bound;
pub(crate) mod carry_over;
pub(crate) mod ending;
pub(crate) mod event;
pub(crate) mod failure;
pub(crate) mod model_failure_texts;
pub(crate) mod model_identity;
pub(crate) mod need;
pub(crate) mod spending;

pub use answer::{Answer, Citation, Disclaimer, Layout, Research, UncitedPage};
pub use bound::Bound;
pub(crate) use bound::MICROS_A_DOLLAR;
pub use carry_over::CarryOver;
pub(crate) use carry_over::{CallRef, CarriedEntry};
pub use ending::failure;
pub use ending::{Closing, Ending};
pub(crate) use ending::{End, into_ending};
pub use event::{Event, PageRead, Phase, Status};
pub use failure::{Failure, System, SystemCommand};
pub use gloss_tools::MissingRight;
pub use model_identity::ModelIdentity;
pub use need::{AnsweredFrom, ApprovalScope, Verdict, Wait};
pub(crate) use spending::Spender;
pub(crate) use spending::Spent;
pub use spending::{MOST_CENTS, MOST_TOKENS, SpendingLimit};
