//! How a run ends.

use super::{Answer, Bound, Event, Failure, Status};
use crate::durable::{Halt, Unreadable};
use crate::host::{CaptureError, StoreError};
use crate::json;
use crate::page::ReadError;
use crate::phrase::phrase;
use crate::prompts::TemplateError;
use gloss_documents::Fault;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What a run came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// It answered; a bound may have cut it short.
    Answered {
        /// The answer.
        answer: Answer,
        /// The bound, if one ended the loop.
        bound: Option<Bound>,
    },
    /// It could not.
    Failed(Failure),
}

/// Why the loop is left early.
#[derive(Debug)]
pub(super) enum End {
    /// The run goes no further in this life.
    Halt(Halt),
    /// It cannot answer at all.
    Failed(Box<Failure>),
}

impl From<Halt> for End {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

impl End {
    /// What knows pages failed.
    pub(super) fn unread(error: &ReadError) -> Self {
        Self::Failed(Box::new(Failure::of_reading(error)))
    }
}

/// The last record of a run's life: how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closing {
    /// How.
    pub status: Status,
    /// Why, if it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<Failure>,
}

impl Closing {
    /// What the record of one tells. One that cannot be read is a damaged run, not one that
    /// was stopped.
    pub(super) fn told(body: &Value) -> Vec<Event> {
        let closing = json::read::<Self>(body).unwrap_or_else(|error| Self {
            status: Status::Failed,
            failure: Some(Failure::of_journal(&Unreadable::Corrupt(error.to_string()))),
        });
        let failed = closing.failure.map(|failure| Event::Failed { failure });
        let ended = Event::RunEnded {
            status: closing.status,
        };
        failed.into_iter().chain([ended]).collect()
    }

    /// The closing of what [`super::run`] returned.
    pub fn of(result: &Result<Ending, Halt>) -> Self {
        let (status, failure) = match result {
            Ok(Ending::Answered { bound: None, .. }) => (Status::Completed, None),
            Ok(Ending::Answered {
                bound: Some(bound), ..
            }) => (Status::Terminated(*bound), None),
            Ok(Ending::Failed(failure)) => (Status::Failed, Some(failure.clone())),
            Err(Halt::Stopped(_)) => (Status::Terminated(Bound::Stopped), None),
            Err(halt) => (Status::Failed, Some(Failure::of_halt(halt))),
        };
        Self { status, failure }
    }
}

impl From<TemplateError> for End {
    fn from(error: TemplateError) -> Self {
        let failure = Failure::new(
            "prompt_broken",
            "prompt_broken_title",
            "prompt_broken_remedy",
        );
        Self::Failed(Box::new(Failure {
            remedy: error.words(),
            recoverable: false,
            ..failure
        }))
    }
}

pub(super) fn settle(result: Result<Ending, End>) -> Result<Ending, Halt> {
    match result {
        Ok(ending) => Ok(ending),
        Err(End::Failed(failure)) => Ok(Ending::Failed(*failure)),
        Err(End::Halt(halt)) => Err(halt),
    }
}

impl Failure {
    pub(super) fn new(code: &'static str, title: &'static str, remedy: &'static str) -> Self {
        Self {
            code: code.to_owned(),
            title: phrase(title),
            remedy: phrase(remedy),
            recoverable: true,
            commands: Vec::new(),
        }
    }

    /// A page that could not be captured.
    pub fn of_capture(error: &CaptureError) -> Self {
        match error {
            CaptureError::Forbidden => Self {
                recoverable: false,
                ..Self::new(
                    "capture_forbidden",
                    "capture_forbidden_title",
                    "capture_forbidden_remedy",
                )
            },
            CaptureError::NoAccess => Self::new(
                "capture_no_access",
                "capture_no_access_title",
                "capture_no_access_remedy",
            ),
            CaptureError::Files => Self::new(
                "capture_files",
                "capture_files_title",
                "capture_files_remedy",
            ),
            CaptureError::Gone => {
                Self::new("capture_gone", "capture_gone_title", "capture_gone_remedy")
            }
            CaptureError::Failed { message } => {
                let failure = Self::new(
                    "capture_failed",
                    "capture_failed_title",
                    "capture_failed_remedy",
                );
                Self {
                    remedy: failure.remedy.clone().with(message),
                    ..failure
                }
            }
        }
    }

    /// A page that could not be read.
    pub fn of_reading(error: &ReadError) -> Self {
        match error {
            ReadError::Empty => Self::new("page_empty", "page_empty_title", "page_empty_remedy"),
            ReadError::Document { fault } => Self::of_document(fault),
            ReadError::Failed { message } => {
                let failure = Self::new("page_failed", "page_failed_title", "page_failed_remedy");
                Self {
                    remedy: failure.remedy.clone().with(message),
                    ..failure
                }
            }
        }
    }

    /// A document that gave nothing.
    fn of_document(fault: &Fault) -> Self {
        let mut failure = match fault {
            Fault::Empty => Self::new(
                "document_empty",
                "document_empty_title",
                "document_empty_remedy",
            ),
            Fault::Locked => Self::new(
                "document_locked",
                "document_locked_title",
                "document_locked_remedy",
            ),
            Fault::TooLarge { .. } => Self::new(
                "document_too_large",
                "document_too_large_title",
                "document_too_large_remedy",
            ),
            Fault::Damaged { .. } => Self::new(
                "document_damaged",
                "document_damaged_title",
                "document_damaged_remedy",
            ),
        };
        match fault {
            Fault::Empty | Fault::Locked => {}
            Fault::TooLarge { most_megabytes } => {
                failure.remedy = failure.remedy.with(most_megabytes);
            }
            Fault::Damaged { message } => failure.remedy = failure.remedy.with(message),
        }
        failure
    }

    /// A run that stands still.
    pub fn of_halt(halt: &Halt) -> Self {
        match halt {
            Halt::Store {
                source: StoreError::Full,
            } => Self::new("store_full", "store_full_title", "store_full_remedy"),
            Halt::Store {
                source: StoreError::Denied { .. },
            } => Self::new("store_denied", "store_denied_title", "store_denied_remedy"),
            Halt::Store {
                source: StoreError::Corrupt { .. },
            }
            | Halt::Unreadable { .. } => {
                Self::new("run_corrupt", "run_corrupt_title", "run_corrupt_remedy")
            }
            Halt::Diverged { .. } | Halt::Twice { .. } => {
                Self::new("run_diverged", "run_diverged_title", "run_diverged_remedy")
            }
            Halt::Unknown { .. } => {
                Self::new("run_unknown", "run_unknown_title", "run_unknown_remedy")
            }
            Halt::Panicked { .. } | Halt::Exhausted { .. } => {
                Self::new("run_panicked", "run_panicked_title", "run_panicked_remedy")
            }
            // Neither fails a run: a stop ends it, a wait leaves it open.
            Halt::Stopped(_) | Halt::Parked { .. } => {
                Self::new("stopped", "bound_stopped", "bound_stopped")
            }
        }
    }

    /// A stored run that cannot be read.
    pub fn of_journal(unreadable: &Unreadable) -> Self {
        match unreadable {
            Unreadable::Newer(_) | Unreadable::Corrupt(_) => {
                Self::new("run_corrupt", "run_set_aside_title", "run_set_aside_remedy")
            }
        }
    }

    /// The disk takes nothing: conversations end with the browser's session.
    pub fn of_archive(error: &StoreError) -> Self {
        match error {
            StoreError::Full => {
                Self::new("archive_full", "archive_full_title", "archive_full_remedy")
            }
            StoreError::Denied { .. } | StoreError::Corrupt { .. } => Self::new(
                "archive_denied",
                "archive_denied_title",
                "archive_denied_remedy",
            ),
        }
    }

    /// The session's storage takes nothing, or no more: runs go on without it.
    pub fn of_session(error: &StoreError) -> Self {
        match error {
            StoreError::Full => {
                Self::new("session_full", "session_full_title", "session_full_remedy")
            }
            StoreError::Denied { .. } | StoreError::Corrupt { .. } => Self::new(
                "session_denied",
                "session_denied_title",
                "session_denied_remedy",
            ),
        }
    }

    /// Finished conversations that the disk refused, and the session had no room for.
    pub fn of_dropped_runs() -> Self {
        Self::new("runs_dropped", "runs_dropped_title", "runs_dropped_remedy")
    }

    /// A conversation on a disk that does not answer.
    pub fn of_silent_disk() -> Self {
        Self::new("disk_silent", "disk_silent_title", "disk_silent_remedy")
    }

    /// Something could not be erased.
    pub fn of_unerased(error: &StoreError) -> Self {
        let mut failure = Self::new("unerased", "unerased_title", "unerased_remedy");
        failure.remedy = failure.remedy.with(&error.to_string());
        failure
    }

    /// A page of another version of Gloss.
    pub fn of_version() -> Self {
        Self::new(
            "surface_outdated",
            "surface_outdated_title",
            "surface_outdated_remedy",
        )
    }

    /// A run that another worker is at, for the moment.
    pub fn of_elsewhere() -> Self {
        Self::new(
            "run_elsewhere",
            "run_elsewhere_title",
            "run_elsewhere_remedy",
        )
    }

    /// A tool failed, and the person would rather have no answer then.
    pub(super) fn of_tool(name: &str) -> Self {
        let failure = Self::new("tool_ended", "tool_ended_title", "tool_ended_remedy");
        Self {
            title: failure.title.with(name),
            ..failure
        }
    }

    /// A step that a run cannot be forked at so.
    pub fn of_no_fork() -> Self {
        Self::new("no_fork", "no_fork_title", "no_fork_remedy")
    }

    /// Arguments that are no JSON object.
    pub fn of_no_json() -> Self {
        Self::new("no_json", "no_json_title", "no_json_remedy")
    }

    /// A turn is to be made anew while one is at work.
    pub fn of_busy() -> Self {
        Self::new("run_busy", "run_busy_title", "run_busy_remedy")
    }

    /// A conversation that has made room for newer ones.
    pub fn of_gone_conversation() -> Self {
        Self {
            recoverable: false,
            ..Self::new(
                "conversation_gone",
                "conversation_gone_title",
                "conversation_gone_remedy",
            )
        }
    }

    /// A message or a selection of more characters than may be.
    pub fn of_too_long(characters: usize, most: usize) -> Self {
        let failure = Self::new("message_long", "message_long_title", "message_long_remedy");
        Self {
            remedy: failure.remedy.clone().with(&characters).with(&most),
            ..failure
        }
    }

    /// As many messages wait as may.
    pub fn of_full_queue() -> Self {
        Self::new("queue_full", "queue_full_title", "queue_full_remedy")
    }

    /// A surface that stands beside no tab.
    pub fn of_no_tab() -> Self {
        Self::new("no_tab", "no_tab_title", "no_tab_remedy")
    }
}
