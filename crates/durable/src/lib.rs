#![doc = include_str!("../README.md")]

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
pub mod json;
mod landing;
mod life;
mod path;
mod patience;
mod ports;
mod record;
mod recorded;
mod scope;
mod seal;
pub mod sorted;
mod stop;
mod timers;

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
