#![doc = include_str!("../README.md")]

mod active_time;
mod archive_queue;
mod backoff;
mod batch_write;
mod bodies;
mod checksum;
mod ctx;
mod database_timeout;
mod drive;
mod effect;
mod fingerprint;
mod fork;
mod halt;
mod inbox;
mod index;
mod journal;
mod journal_reader;
pub mod json;
mod life;
mod message;
mod path;
mod perform_until_stopped;
mod ports;
mod record;
mod repeat_or_halt;
mod scope;
pub mod sorted;
mod stop_cause;
mod timers;

pub use active_time::{active_ms, silence_ms};
pub use backoff::backoff_ms;
pub use bodies::body_hashes;
pub use ctx::Ctx;
pub use database_timeout::{DATABASE_TIMEOUT_MS, with_database_timeout};
pub use drive::{drive, polled_run};
pub use effect::{Call, Class, Effect, Key, Sink};
pub use fingerprint::{Fingerprint, content_hash};
pub use fork::Fork;
pub use halt::Halt;
pub use journal::{Journal, JournalEvent, Listener};
pub use journal_reader::JournalReader;
pub use life::{
    halted_by, has_ended, is_parked, is_paused, last_pending_step, open_wait, open_waits, revision,
    was_stopped,
};
pub use message::Message;
pub use path::Path;
pub use ports::{
    Archive, ArchivedRun, Blobs, Clock, Fut, Ports, RunId, Store, StoreError, StoredBatch, within,
};
pub use record::{Body, Entry, Record, Unreadable, read_batches};
pub use scope::CompositeStep;
pub use stop_cause::Stop;
pub use timers::TIMER;
