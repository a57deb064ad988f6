//! Why a run stands still.

use super::{Path, Stop, StoreError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The one error of durable code: the run goes no further in this life.
///
/// A tool or a model that fails is not a halt but an outcome that the agent reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Halt {
    /// A replayed step asks something else than what was recorded: the code
    /// or a setting changed under the run.
    #[error("step {path} asks for something else than was recorded")]
    Diverged {
        /// Which.
        path: Path,
    },
    /// Two steps of one life have the same path.
    #[error("step {path} was taken twice")]
    Twice {
        /// Which.
        path: Path,
    },
    /// An effect on the world was cut off between doing and recording; it is
    /// never repeated unasked.
    #[error("it is not known whether step {path} was carried out")]
    Unknown {
        /// Which.
        path: Path,
    },
    /// The journal cannot be written: nothing more is done.
    #[error("{source}")]
    Store {
        /// What the store said.
        source: StoreError,
    },
    /// A recorded outcome cannot be read.
    #[error("the record of step {path} is unreadable: {message}")]
    Unreadable {
        /// Which.
        path: Path,
        /// What is wrong with it.
        message: String,
    },
    /// The user stopped the run.
    #[error("the run was stopped")]
    Stopped(Stop),
    /// The run waits for the person. Not an end: a message begins the next drive.
    #[error("step {path} waits for the user")]
    Parked {
        /// Where.
        path: Path,
    },
    /// The step was cut off in so many lives that it must be what kills them.
    #[error("step {path} did not end")]
    Exhausted {
        /// Which.
        path: Path,
    },
    /// The same step ended two lives in a panic.
    #[error("step {path} panicked twice: {message}")]
    Panicked {
        /// Which.
        path: Path,
        /// The last panic's words.
        message: String,
    },
}

impl From<StoreError> for Halt {
    fn from(source: StoreError) -> Self {
        Self::Store { source }
    }
}
