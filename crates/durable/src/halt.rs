//! The reasons for which a run halts.

use super::{Path, Stop, StoreError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The only error of the code of a run: the run can't continue in this life.
///
/// A tool or a model that fails doesn't halt the run. Its failure is an outcome, and the agent
/// continues with this outcome.
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
    /// Two steps of the run have the same path in one life.
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
    /// A store refuses to write or read data of the run, so the run performs nothing more.
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
    /// The user stopped or paused the run, or a restart interrupted it.
    #[error("the run was stopped")]
    Stopped(Stop),
    /// The run waits for the user or for a timer. The run has not ended: when the awaited message
    /// arrives, the run continues.
    #[error("step {path} waits for the user")]
    Parked {
        /// The path of the wait.
        path: Path,
    },
    /// The worker died during this step in ten lives, so the step is assumed to kill the worker.
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
    /// Creates the error for a record that cannot be read or written; `path` is the record's step.
    pub(super) fn unreadable(path: &Path, error: &serde_json::Error) -> Self {
        Self::Unreadable {
            path: path.clone(),
            message: error.to_string(),
        }
    }
}
