//! The outcomes of tool calls.

use super::{CallEnd, ErrorKind, FactOutcome, Group, MissingRight, Output, RoleCall, memory_save};
use gloss_host::ClosedSite;
use gloss_model::Micros;
use gloss_model::phrase::{Phrase, phrase};
use gloss_page::ReadError;
use gloss_text::tokens::estimate;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// The key of the user's message for [`ToolError::RepeatedFailure`].
const IN_VAIN: &str = "tool_in_vain";

/// The key of the user's message for [`ToolError::TooManyFailures`].
const GIVEN_UP: &str = "tool_given_up";

/// The outcome of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// The result or the error of the call.
    pub result: Result<Output, ToolError>,
    /// The active time of the call, in milliseconds. Waiting for the user is not included.
    pub duration_ms: u64,
    /// The model calls that the tool made.
    #[serde(default)]
    pub role_calls: Vec<RoleCall>,
    /// The progress of a call that waits for the user's permission. Once the user has answered, the
    /// call continues from this progress. `None` if the call does not wait.
    pub so_far: Option<Value>,
}

impl ToolOutcome {
    /// Makes the outcome of a call that was not made.
    pub fn not_made(error: ToolError) -> Self {
        Self {
            result: Err(error),
            duration_ms: 0,
            role_calls: Vec::new(),
            so_far: None,
        }
    }

    /// Returns the way in which the call ended.
    pub fn end(&self) -> CallEnd {
        match &self.result {
            Ok(_) => CallEnd::Completed,
            Err(error) => error.end(),
        }
    }

    /// Estimates the number of tokens of the result or error, as a model reads it.
    pub fn tokens(&self) -> u32 {
        match &self.result {
            Ok(output) => estimate(&output.data.to_string()),
            Err(error) => estimate(&error.to_string()),
        }
    }

    /// Returns the outcome for each fact of a `memory_save` call; empty for other tools.
    pub fn saved_facts(&self, tool: &str) -> Vec<FactOutcome> {
        match &self.result {
            Ok(output) if tool == memory_save::NAME => memory_save::saved_facts(&output.data),
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    /// Returns the cost of the model calls that the tool made, in millionths of a dollar; `None` if
    /// a price is unknown.
    pub fn cost(&self) -> Option<Micros> {
        self.role_calls
            .iter()
            .map(|role_calls| role_calls.cost)
            .sum()
    }
}

/// The reason why a call returned no result. The model reads it and may correct the call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum ToolError {
    /// An argument is missing or invalid (Property 5).
    #[error("argument `{field}`: expected {expected}, got {got}")]
    Invalid {
        /// The argument's name.
        field: String,
        /// The expected value, described in words.
        expected: String,
        /// The given value.
        got: String,
    },
    /// There is no tool with this name.
    #[error("unknown tool `{name}`{}", instead("the most similar", known, 0))]
    Unknown {
        /// The requested name.
        name: String,
        /// The names of the tools whose names are most similar.
        known: Vec<String>,
    },
    /// There is no earlier result with this id.
    #[error("there is no shortened result `{id}`{}", instead("there are", known, *older))]
    NoResult {
        /// The requested id.
        id: String,
        /// The newest ids of results that can be recalled.
        known: Vec<String>,
        /// The number of older ids, which are not in `known`.
        #[serde(default)]
        older: usize,
    },
    /// The run has no page.
    #[error("there is no page to read")]
    NoPage,
    /// The call exceeded its time limit.
    #[error("no result within {seconds} s")]
    TimedOut {
        /// The time limit, in seconds.
        seconds: u64,
    },
    /// Untrusted text could have caused the call, so the call needs the user's approval. The user
    /// can't be asked for this approval.
    #[error(
        "this call needs the user's approval, which can't be asked for here. Go on without it, \
         and say in the answer what you would have done"
    )]
    NotApproved,
    /// The user has turned the tool's group off, possibly after the run began.
    #[error("the user has turned {group} off: go on without it")]
    TurnedOff {
        /// The group that is off.
        group: Group,
    },
    /// The call lacks a right that only the user can give. The loop asks the user; the model reads
    /// this error if the user declines.
    #[error("the user has not allowed Gloss to {right}; go on without it")]
    NotPermitted {
        /// The missing right.
        right: MissingRight,
    },
    /// The user rejected the call, and may have said why.
    #[error("the user rejected this call{}", why_rejected(reason))]
    Rejected {
        /// The user's reason; empty if there is none.
        reason: String,
    },
    /// The user closed the site that the call would read.
    #[error(transparent)]
    Closed(#[from] ClosedSite),
    /// The tab now shows another page, or is in the background.
    #[error("{message}")]
    NotVisible {
        /// The state of the tab and a remedy, for the model.
        message: String,
    },
    /// No model that makes images is set up.
    #[error(
        "no image was made: no model that makes images is set up. Tell the user how: in Options, \
         under Models, add a profile with such a model (gpt-image-2 of OpenAI, or a Gemini model \
         whose name ends in -image), then choose it for the role Image"
    )]
    NoImageModel,
    /// A service that the tool needs failed.
    #[error("{message}")]
    Failed {
        /// The message for the model.
        message: String,
        /// The message for the user; `None` if there is no specific one.
        said: Option<Phrase>,
        /// [`Retry::MayHelp`] if a retry may succeed.
        #[serde(default)]
        again: Retry,
        /// The kind of the failure.
        #[serde(default)]
        kind: ErrorKind,
    },
    /// The run has reached its limit of tool calls.
    #[error(
        "not made: this run has reached its tool call limit. Answer from what there is, \
         and say what is missing"
    )]
    Skipped,
    /// The call failed before with the same arguments.
    #[error(
        "not made: this same call failed before ({error}), and would fail again. Change its \
         arguments, use another tool, or answer from what there is"
    )]
    RepeatedFailure {
        /// The error of the earlier call.
        error: String,
    },
    /// The tool, or the tool on this site, reached the maximum number of consecutive failures
    /// (Property 1).
    #[error(
        "not made: {of} failed {tries} times in a row ({kinds}), whatever the arguments, and is \
         not tried again. Use something else, or answer from what there is"
    )]
    TooManyFailures {
        /// The name of the tool, or of the tool and the site.
        of: String,
        /// The number of consecutive failures.
        tries: u32,
        /// The names of the kinds of these failures.
        kinds: String,
    },
    /// The call was interrupted after it was sent, and the user chose not to repeat it.
    #[error(
        "it is not known whether this was carried out: it was interrupted after it was sent. \
         It was not repeated, as the user decided; do not call it again unless the user asks"
    )]
    OutcomeUnknown,
}

/// Describes the user's reason for a rejection.
fn why_rejected(reason: &str) -> String {
    match reason.trim() {
        "" => "; go on without it, and don't repeat it".to_owned(),
        reason => format!(". The user's reason: {reason}"),
    }
}

/// Lists the known ids or names for an error about an unknown one:
/// `; there are: r8, r9 and 7 older`.
fn instead(are: &str, known: &[String], older: usize) -> String {
    match (known.is_empty(), older) {
        (true, _) => ", and there is no other".to_owned(),
        (false, 0) => format!("; {are}: {}", known.join(", ")),
        (false, older) => format!("; {are}: {} and {older} older", known.join(", ")),
    }
}

/// The prospects of a retry after a failure.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Retry {
    /// A retry would fail in the same way, or a retry was already made.
    #[default]
    InVain,
    /// A retry may succeed.
    MayHelp,
}

impl ToolError {
    /// Makes a failure for which a retry is useless, with messages for the model and the user.
    pub(super) fn permanent_failure(
        kind: ErrorKind,
        message: impl Into<String>,
        said: Phrase,
    ) -> Self {
        Self::Failed {
            message: message.into(),
            said: Some(said),
            again: Retry::InVain,
            kind,
        }
    }

    /// Makes the error for a call of the wrong method. [`Tool::run`](super::Tool::run) is wrong for
    /// a tool that runs in steps, and [`Tool::run_in_steps`](super::Tool::run_in_steps) for others.
    pub(super) fn wrong_execution(name: &str) -> Self {
        let message = format!("`{name}` runs in another way");
        Self::permanent_failure(ErrorKind::Other, message, phrase("tool_failed"))
    }

    /// Makes a failure after which a retry may succeed, with messages for the model and the user.
    pub(super) fn temporary_failure(message: impl Into<String>, said: Phrase) -> Self {
        Self::Failed {
            message: message.into(),
            said: Some(said),
            again: Retry::MayHelp,
            kind: ErrorKind::Other,
        }
    }

    /// Returns the kind of this error, from the closed list of [`ErrorKind`].
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid { .. } | Self::Unknown { .. } => ErrorKind::Validation,
            Self::NoResult { .. } | Self::NoPage => ErrorKind::NotFound,
            Self::TimedOut { .. } => ErrorKind::Timeout,
            Self::NotApproved
            | Self::TurnedOff { .. }
            | Self::NotPermitted { .. }
            | Self::Closed(_)
            | Self::Rejected { .. } => ErrorKind::Refused,
            Self::Failed { kind, .. } => *kind,
            Self::NotVisible { .. }
            | Self::NoImageModel
            | Self::Skipped
            | Self::RepeatedFailure { .. }
            | Self::TooManyFailures { .. }
            | Self::OutcomeUnknown => ErrorKind::Other,
        }
    }

    /// Returns true if the same call may succeed when it is repeated.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Failed { again, .. } => *again == Retry::MayHelp,
            error => matches!(error, Self::TimedOut { .. }),
        }
    }

    /// Returns the way in which a call with this error ended.
    fn end(&self) -> CallEnd {
        match self {
            Self::TimedOut { .. } => CallEnd::TimedOut,
            Self::NotApproved
            | Self::TurnedOff { .. }
            | Self::NotPermitted { .. }
            | Self::Closed(_)
            | Self::Rejected { .. } => CallEnd::Rejected,
            Self::Skipped | Self::RepeatedFailure { .. } | Self::TooManyFailures { .. } => {
                CallEnd::Skipped
            }
            Self::Invalid { .. }
            | Self::Unknown { .. }
            | Self::NoResult { .. }
            | Self::NoPage
            | Self::NotVisible { .. }
            | Self::NoImageModel
            | Self::Failed { .. }
            | Self::OutcomeUnknown => CallEnd::Failed,
        }
    }

    /// Returns true if the tool failed. An invalid or refused call is not the tool's failure.
    pub fn is_failure(&self) -> bool {
        matches!(
            self,
            Self::TimedOut { .. } | Self::Failed { .. } | Self::OutcomeUnknown
        )
    }

    /// Restores a [`Self::RepeatedFailure`] or [`Self::TooManyFailures`] from its summary, because
    /// the journal stores only the summary of a skipped call. `None` for summaries of other errors.
    pub fn in_vain(summary: &Phrase) -> Option<Self> {
        match (summary.key.as_str(), summary.args.as_slice()) {
            (IN_VAIN, [error]) => Some(Self::RepeatedFailure {
                error: error.clone(),
            }),
            (GIVEN_UP, [of, tries, kinds]) => Some(Self::TooManyFailures {
                of: of.clone(),
                tries: tries.parse().ok()?,
                kinds: kinds.clone(),
            }),
            _ => None,
        }
    }

    /// Describes the error in one line, for the user.
    pub fn summary(&self) -> Phrase {
        match self {
            Self::Invalid { field, .. } => phrase("tool_invalid").with(field),
            Self::Unknown { name, .. } => phrase("tool_unknown").with(name),
            Self::NoResult { id, .. } => phrase("tool_no_result").with(id),
            Self::NoPage => phrase("tool_no_page"),
            Self::NotApproved => phrase("tool_not_approved"),
            Self::TurnedOff { group } => phrase(match group {
                Group::WebSearch => "search_off",
                Group::Memory => "memory_off",
                Group::Images => "images_off",
            }),
            Self::NotPermitted { .. } => phrase("tool_not_permitted"),
            Self::Rejected { .. } => phrase("tool_rejected"),
            Self::Closed(closed) => phrase("fetch_closed").with(&closed.site),
            Self::NotVisible { .. } => phrase("tool_not_visible"),
            Self::NoImageModel => phrase("tool_no_image_model"),
            Self::Skipped => phrase("tool_skipped"),
            Self::RepeatedFailure { error } => phrase(IN_VAIN).with(error),
            Self::TooManyFailures { of, tries, kinds } => {
                phrase(GIVEN_UP).with(of).with(tries).with(kinds)
            }
            Self::Failed { said, .. } => said.clone().unwrap_or_else(|| phrase("tool_failed")),
            Self::OutcomeUnknown => phrase("tool_outcome_unknown"),
            Self::TimedOut { seconds } => phrase("tool_timed_out").with(seconds),
        }
    }
}

/// Converts an error of the page service. A retry is useless, because
/// [`gloss_reader::PageService`] has already retried.
impl From<ReadError> for ToolError {
    fn from(error: ReadError) -> Self {
        let said = phrase(match &error {
            ReadError::Empty => "page_empty_title",
            ReadError::Failed { .. } => "page_failed_title",
            ReadError::Document { .. } => "tool_document_unread",
        });
        let kind = match &error {
            ReadError::Empty => ErrorKind::Empty,
            ReadError::Failed { .. } | ReadError::Document { .. } => ErrorKind::Other,
        };
        Self::permanent_failure(kind, error.to_string(), said)
    }
}
