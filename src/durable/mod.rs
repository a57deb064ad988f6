//! Durable by replay: the core's one idea (DESIGN).
//!
//! The agent is plain async code that touches the world only through
//! [`Ctx::step`]. Recorded steps return at once; when the worker is killed, the
//! next one calls the same function again and the run stands where it was.
//!
//! ```text
//! let reply = ctx.step("reason", Ask { request }).await?;   // done before? → the recorded outcome
//! ```
//!
//! What is deliberately absent: a clock, randomness, spawning (one root future
//! a run, [`drive`]), and any knowledge of what the effects are.

mod active_time;
mod backoff;
mod bodies;
mod ctx;
mod drive;
mod effect;
mod filing;
mod fingerprint;
mod fork;
mod halt;
mod inbox;
mod index;
mod journal;
mod landing;
mod life;
mod path;
mod patience;
mod ports;
mod record;
mod recorded;
mod scope;
mod seal;
mod stop;
mod timers;

#[cfg(test)]
mod tests;

pub use active_time::{active_ms, silence_ms};
pub use backoff::backoff_ms;
pub use bodies::bodies_named;
pub use ctx::Ctx;
pub use drive::{drive, polled_run};
pub use effect::{Call, Class, Effect, Key, Sink};
pub use fingerprint::{Fingerprint, content_hash};
pub use fork::Fork;
pub use halt::Halt;
pub use inbox::Message;
pub use journal::{Journal, Listener, Told};
pub use life::{
    halted_by, has_ended, is_parked, is_paused, last_pending, open_wait, open_waits, revision,
    was_stopped,
};
pub use path::Path;
pub use patience::{PATIENCE_MS, patiently};
pub use ports::{
    Archive, Blobs, Clock, Filed, Fut, Ports, RunId, Store, StoreError, StoredBatch, within,
};
pub use record::{Body, Entry, Record, Unreadable, read_batches};
pub use recorded::Recorded;
pub use scope::Scope;
pub use stop::Stop;
pub use timers::TIMER;
