//! The end of a run, and the failures that can cause it.

use crate::events::{Answer, Bound, Event, Failure, Status};
use gloss_documents::Fault;
use gloss_durable::{Halt, StoreError, Unreadable, json};
use gloss_host::CaptureError;
use gloss_model::phrase::{Phrase, phrase};
use gloss_model::prompts::TemplateError;
use gloss_page::ReadError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Display;

/// The answer or the failure with which a run ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ending {
    /// The run answered. A limit may have cut the answer short.
    Answered {
        /// The answer.
        answer: Answer,
        /// The limit that ended the loop; `None` if no limit did.
        bound: Option<Bound>,
    },
    /// The run could not answer.
    Failed(Failure),
}

/// The error with which a run leaves its loop early.
#[derive(Debug)]
pub(crate) enum End {
    /// The run can't continue in this worker.
    Halt(Halt),
    /// The run failed and has no answer.
    Failed(Box<Failure>),
}

impl From<Halt> for End {
    fn from(halt: Halt) -> Self {
        Self::Halt(halt)
    }
}

impl End {
    /// Returns the failure of a run whose page could not be read.
    pub(crate) fn from_read_error(error: &ReadError) -> Self {
        Self::Failed(Box::new(Failure::of_reading(error)))
    }
}

/// The content of a run's last record: the way in which the run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Closing {
    /// The final status.
    pub status: Status,
    /// The failure, if the run failed.
    pub failure: Option<Failure>,
}

impl Closing {
    /// Returns the events of a closing record. If the closing record can't be read, the journal is
    /// damaged, and the run counts as failed.
    pub(crate) fn events(body: &Value) -> Vec<Event> {
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

    /// Creates the closing record for the result of [`crate::run()`].
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
        let broken = failure("prompt_broken").with_remedy(error.words());
        Self::Failed(Box::new(broken.not_recoverable()))
    }
}

pub(crate) fn into_ending(result: Result<Ending, End>) -> Result<Ending, Halt> {
    match result {
        Ok(ending) => Ok(ending),
        Err(End::Failed(failure)) => Ok(Ending::Failed(*failure)),
        Err(End::Halt(halt)) => Err(halt),
    }
}

/// Creates the failure with this code. Its texts are the messages `<code>_title` and
/// `<code>_remedy`.
pub fn failure(code: &'static str) -> Failure {
    let said = |part: &str| Phrase {
        key: format!("{code}_{part}"),
        args: Vec::new(),
    };
    Failure {
        code: code.to_owned(),
        title: said("title"),
        remedy: said("remedy"),
        recoverable: true,
        commands: Vec::new(),
    }
}

impl Failure {
    /// Adds an argument to the title.
    #[must_use]
    pub fn title_with(mut self, argument: &(impl Display + ?Sized)) -> Self {
        self.title = self.title.with(argument);
        self
    }

    /// Adds an argument to the remedy.
    #[must_use]
    pub fn remedy_with(mut self, argument: &(impl Display + ?Sized)) -> Self {
        self.remedy = self.remedy.with(argument);
        self
    }

    /// Replaces the remedy.
    #[must_use]
    pub fn with_remedy(mut self, remedy: Phrase) -> Self {
        self.remedy = remedy;
        self
    }

    /// Marks the failure as one that a retry can't fix.
    #[must_use]
    pub fn not_recoverable(mut self) -> Self {
        self.recoverable = false;
        self
    }

    /// Returns the failure of a page capture.
    pub fn of_capture(error: &CaptureError) -> Self {
        match error {
            CaptureError::Forbidden => failure("capture_forbidden").not_recoverable(),
            CaptureError::NoAccess => failure("capture_no_access"),
            CaptureError::Files => failure("capture_files"),
            CaptureError::Gone => failure("capture_gone"),
            CaptureError::Closed(closed) => failure("capture_closed")
                .title_with(&closed.site)
                .not_recoverable(),
            CaptureError::Failed { message } => failure("capture_failed").remedy_with(message),
        }
    }

    /// Returns the failure of reading a page.
    pub fn of_reading(error: &ReadError) -> Self {
        match error {
            ReadError::Empty => failure("page_empty"),
            ReadError::Document { fault } => Self::of_document(fault),
            ReadError::Failed { message } => failure("page_failed").remedy_with(message),
        }
    }

    /// Returns the failure of reading a PDF, a DOCX file or a feed.
    fn of_document(fault: &Fault) -> Self {
        match fault {
            Fault::Empty => failure("document_empty"),
            Fault::Locked => failure("document_locked"),
            Fault::TooLarge { most_megabytes } => {
                failure("document_too_large").remedy_with(most_megabytes)
            }
            Fault::Damaged { message } => failure("document_damaged").remedy_with(message),
        }
    }

    /// Returns the failure that the user sees for a run that halted.
    pub fn of_halt(halt: &Halt) -> Self {
        match halt {
            Halt::Store {
                source: StoreError::Full,
            } => failure("store_full"),
            Halt::Store {
                source: StoreError::Denied { .. },
            } => failure("store_denied"),
            Halt::Store {
                source: StoreError::Corrupt { .. },
            }
            | Halt::Unreadable { .. } => failure("run_corrupt"),
            Halt::Diverged { .. } | Halt::Twice { .. } => failure("run_diverged"),
            Halt::Unknown { .. } => failure("run_unknown"),
            Halt::Panicked { .. } | Halt::Exhausted { .. } => failure("run_panicked"),
            // A stop or a wait is not a failure, so the texts only say that the run was stopped.
            Halt::Stopped(_) | Halt::Parked { .. } => Self {
                code: "stopped".to_owned(),
                title: phrase("bound_stopped"),
                remedy: phrase("bound_stopped"),
                ..failure("run_corrupt")
            },
        }
    }

    /// Returns the failure of a run whose journal can't be read.
    pub fn of_journal(unreadable: &Unreadable) -> Self {
        match unreadable {
            Unreadable::Newer(_) | Unreadable::Corrupt(_) => Self {
                title: phrase("run_set_aside_title"),
                remedy: phrase("run_set_aside_remedy"),
                ..failure("run_corrupt")
            },
        }
    }

    /// Returns the failure of writing to the archive. Without the archive, conversations are lost
    /// when the browser is closed.
    pub fn of_archive(error: &StoreError) -> Self {
        match error {
            StoreError::Full => failure("archive_full"),
            StoreError::Denied { .. } | StoreError::Corrupt { .. } => failure("archive_denied"),
        }
    }

    /// Returns the failure of writing to session storage. Runs continue without session storage.
    pub fn of_session(error: &StoreError) -> Self {
        match error {
            StoreError::Full => failure("session_full"),
            StoreError::Denied { .. } | StoreError::Corrupt { .. } => failure("session_denied"),
        }
    }

    /// Returns the failure of erasing stored data.
    pub fn of_unerased(error: &StoreError) -> Self {
        failure("unerased").remedy_with(error)
    }

    /// Returns the failure of a run that ends because a tool failed (see `OnToolFailure::Fail`).
    pub(crate) fn of_tool(name: &str) -> Self {
        failure("tool_ended").title_with(name)
    }

    /// Returns the failure of opening a conversation that Gloss deleted to free storage for newer
    /// ones.
    pub fn of_gone_conversation() -> Self {
        failure("conversation_gone").not_recoverable()
    }

    /// Returns the failure of sending a message or selection of more than `most` characters.
    pub fn of_too_long(characters: usize, most: usize) -> Self {
        failure("message_long")
            .remedy_with(&characters)
            .remedy_with(&most)
    }
}
