//! Reflexion: lessons from failed actions (Shinn et al. 2023; SPEC §5).
//!
//! Example: a server answers `web_fetch` with 403. The model that observes this step reads
//! the error. The model writes why the call failed and what to do instead. The prompt of the next
//! call contains this lesson. A later run with a similar question gets the lesson at its start
//! ([`crate::lessons`]). A failed call is not repeated unchanged, and a tool that keeps failing is
//! no longer called. The lesson needs no separate model call, because the observing model reads the
//! error anyway.

mod learn;
mod retries;
#[cfg(test)]
pub(super) mod tests;

pub(super) use learn::{RunLessons, lessons_message};
pub(super) use retries::Retries;
