//! Reflexion: what is learned from actions that failed (Shinn et al. 2023; SPEC §5).
//!
//! Driving example: `web_fetch` is turned away with 403. Whoever observes that step reads the
//! error, says why it happened and what to do instead, and both stand before the next call; a
//! later run that comes to the like has them from its beginning ([`Episodes`]). What failed is
//! not called again as it was, and a tool that keeps failing is left alone.
//! Deliberately absent: a model's call of its own, as the observation reads the error anyway.

mod learn;
mod retries;
#[cfg(test)]
pub(super) mod tests;

pub(super) use learn::Learning;
pub(super) use retries::Retries;
