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

pub use crate::tools::Need;
pub use answer::{Answer, Citation, Disclaimer, Layout, Left, Researched};
pub use bound::Bound;
pub(in crate::agent) use bound::MICROS_A_DOLLAR;
pub use carry_over::Gathered;
pub(in crate::agent) use carry_over::{Called, Piece};
pub use ending::failure;
pub use ending::{Closing, Ending};
pub(in crate::agent) use ending::{End, settle};
pub use event::{Event, PageRead, Phase, Status};
pub use failure::{Failure, System, SystemCommand};
pub use need::{Verdict, Wait};
pub use speaker::Speaker;
pub(in crate::agent) use spending::Spender;
pub(in crate::agent) use spending::Spent;
pub use spending::{MOST_CENTS, MOST_TOKENS, SpendingLimit};
