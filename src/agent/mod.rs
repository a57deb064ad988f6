//! The agent: reason, act, observe, until the goal is met or a bound is hit.

mod answer;
mod event;
mod goal;

pub use answer::{Answer, Citation, Layout, Voice};
pub use event::{Bound, Event, Failure, PageRead, Phase, Said, Status};
pub use goal::{Brief, Cycle, Goal, Settings, Style};
