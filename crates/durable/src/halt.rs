//! The reasons for which a run halts.

use super::{Path, Stop, StoreError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The only error of durable code: the run can't continue in this life.
///
/// A tool or a model that fails doesn't halt the run. Its failure is an outcome, which the agent
/// reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum Halt {
    /// A replayed step's request differs from the recorded one: the code or a setting changed
    /// during the run.
    #[error("step {path} asks for something else than was recorded")]
    Diverged {
        /// The path of the step.
        path: Path,
    },
    /// Two steps of one life have the same path.
    #[error("step {path} was taken twice")]
    Twice {
        /// The path of the second step.
        path: Path,
    },
    /// The worker was killed between performing and recording an External effect. The effect is not
    /// repeated without asking the user.
    #[error("it is not known whether step {path} was carried out")]
    Unknown {
        /// The path of the effect.
        path: Path,
    },
    /// The journal can't be written, so nothing more is done.
    #[error("{source}")]
    Store {
        /// The store's error.
        source: StoreError,
    },
    /// A recorded outcome cannot be read.
    #[error("the record of step {path} is unreadable: {message}")]
    Unreadable {
        /// The path of the step.
        path: Path,
        /// The error in the record.
        message: String,
    },
    /// The user stopped the run.
    #[error("the run was stopped")]
    Stopped(Stop),
    /// The run waits for the user or for a timer. The run has not ended: the message that it waits
    /// for starts it again.
    #[error("step {path} waits for the user")]
    Parked {
        /// The path of the wait.
        path: Path,
    },
    /// The worker died in this step in so many lives that the step is assumed to kill it.
    #[error("step {path} did not end")]
    Exhausted {
        /// The path of the step.
        path: Path,
    },
    /// The same step panicked in two lives.
    #[error("step {path} panicked twice: {message}")]
    Panicked {
        /// The path of the step.
        path: Path,
        /// The last panic's message.
        message: String,
    },
}

impl From<StoreError> for Halt {
    fn from(source: StoreError) -> Self {
        Self::Store { source }
    }
}

impl Halt {
    /// The record of the step with this path cannot be read or written.
    pub(super) fn unreadable(path: &Path, error: &serde_json::Error) -> Self {
        Self::Unreadable {
            path: path.clone(),
            message: error.to_string(),
        }
    }
}
