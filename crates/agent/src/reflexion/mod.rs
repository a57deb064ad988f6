//! Reflexion: lessons from failed actions (Shinn et al. 2023; SPEC §5).
//!
//! Driving example: a server answers `web_fetch` with 403. The model that observes this step reads
//! the error and writes why it happened and what to do instead; both are in the prompt of the next
//! call. A later run with a similar question has them from its start ([`Episodes`]). A failed call
//! is not repeated unchanged, and a tool that keeps failing is no longer called. Deliberately
//! absent: a model call only for reflection, as the observation reads the error anyway.

mod learn;
mod retries;
#[cfg(test)]
pub(super) mod tests;

pub(super) use learn::RunLessons;
pub(super) use retries::Retries;
