//! What a call gave.

use super::{Aided, CallEnd, ErrorKind, Group, Minded, Need, Output, memory_save};
use gloss_model::Micros;
use gloss_model::phrase::{Phrase, phrase};
use gloss_page::ReadError;
use gloss_text::tokens::estimate;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

/// What a person is told of a call that would fail again: a message's key, marked `msg:`.
const IN_VAIN: &str = "tool_in_vain";

/// And of one whose like failed as often as it may: the same.
const GIVEN_UP: &str = "tool_given_up";

/// A call that was run, or tried.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolOutcome {
    /// What it gave.
    pub result: Result<Output, ToolError>,
    /// How long it took.
    pub duration_ms: u64,
    /// What it asked of models itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aided: Vec<Aided>,
    /// Where it stands, if it lacks the person's word: what it goes on with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub so_far: Option<Value>,
}

impl ToolOutcome {
    /// A call that was not made.
    pub fn not_made(error: ToolError) -> Self {
        Self {
            result: Err(error),
            duration_ms: 0,
            aided: Vec::new(),
            so_far: None,
        }
    }

    /// How it ended.
    pub fn end(&self) -> CallEnd {
        match &self.result {
            Ok(_) => CallEnd::Completed,
            Err(error) => error.end(),
        }
    }

    /// What a model reads of it, estimated in tokens.
    pub fn tokens(&self) -> u32 {
        match &self.result {
            Ok(output) => estimate(&output.data.to_string()),
            Err(error) => estimate(&error.to_string()),
        }
    }

    /// What became of the facts that it was to remember, if it is of the tool that does.
    pub fn minded(&self, tool: &str) -> Vec<Minded> {
        match &self.result {
            Ok(output) if tool == memory_save::NAME => memory_save::minded(&output.data),
            Ok(_) | Err(_) => Vec::new(),
        }
    }

    /// What it asked of models came to, in millionths of a dollar; `None` where a price is
    /// not known.
    pub fn cost(&self) -> Option<Micros> {
        self.aided.iter().map(|aided| aided.cost).sum()
    }
}

/// Why a call gave nothing. The model reads it and may mend the call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(rename_all = "snake_case")]
pub enum ToolError {
    /// An argument is missing or not what it should be (Property 5).
    #[error("argument `{field}`: expected {expected}, got {got}")]
    Invalid {
        /// The argument's name.
        field: String,
        /// What it should be.
        expected: String,
        /// What it is.
        got: String,
    },
    /// No such tool.
    #[error("there is no tool `{name}`{}", instead("those most like it", known, 0))]
    Unknown {
        /// What was asked for.
        name: String,
        /// Those that are called most like it.
        known: Vec<String>,
    },
    /// No result with this id can be recalled.
    #[error("there is no shortened result `{id}`{}", instead("there are", known, *older))]
    NoResult {
        /// What was asked for.
        id: String,
        /// Those that there are, the newest of them.
        known: Vec<String>,
        /// How many there are besides.
        #[serde(default, skip_serializing_if = "is_zero")]
        older: usize,
    },
    /// The run has no page.
    #[error("there is no page to read")]
    NoPage,
    /// It did not end in time.
    #[error("no result within {seconds} s")]
    TimedOut {
        /// The bound.
        seconds: u64,
    },
    /// It could carry out what was read, and nobody has said that it may.
    #[error(
        "this call needs the user's approval, which can't be asked for here. Go on without it, \
         and say in the answer what you would have done"
    )]
    NotApproved,
    /// The person has turned its group off, perhaps since the run began.
    #[error("the user has turned {group} off: go on without it")]
    TurnedOff {
        /// Which.
        group: Group,
    },
    /// It needs what only the person can give: the loop asks for it, and the model reads this
    /// where it was refused.
    #[error("the user has not allowed Gloss to {right}; go on without it")]
    NotPermitted {
        /// What that is.
        right: Need,
    },
    /// The tab shows something else by now, or nobody sees it.
    #[error("{message}")]
    NotVisible {
        /// What it shows instead, and what would help.
        message: String,
    },
    /// Nobody makes images.
    #[error(
        "no image was made: no model that makes images is set up. Tell the user how: in Options, \
         under Models, add a profile with such a model (gpt-image-2 of OpenAI, or a Gemini model \
         whose name ends in -image), then choose it for the role Image"
    )]
    NoImageModel,
    /// What the tool works with failed.
    #[error("{message}")]
    Failed {
        /// For the model.
        message: String,
        /// For the person; `None` where nothing more is known than that it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        said: Option<Phrase>,
        /// Whether it may go better.
        #[serde(default)]
        again: Again,
        /// Why.
        #[serde(default)]
        kind: ErrorKind,
    },
    /// The run has made as many calls as it may.
    #[error(
        "not made: this run has reached its tool call limit. Answer from what there is, \
         and say what is missing"
    )]
    Skipped,
    /// The very same failed before.
    #[error(
        "not made: this same call failed before ({error}), and would fail again. Change its \
         arguments, use another tool, or answer from what there is"
    )]
    InVain {
        /// With what.
        error: String,
    },
    /// What it would do failed as often as it may (Property 1).
    #[error(
        "not made: {of} failed {tries} times in a row ({kinds}), whatever the arguments, and is \
         not tried again. Use something else, or answer from what there is"
    )]
    GivenUp {
        /// A tool, or a tool of a site.
        of: String,
        /// How often.
        tries: u32,
        /// In which ways: the names of kinds.
        kinds: String,
    },
    /// It was cut off after it was sent, and the person let it be.
    #[error(
        "it is not known whether this was carried out: it was interrupted after it was sent. \
         It was not repeated, as the user decided; do not call it again unless the user asks"
    )]
    OutcomeUnknown,
}

/// What there is in the place of what there is not.
fn instead(are: &str, known: &[String], older: usize) -> String {
    match (known.is_empty(), older) {
        (true, _) => ", nor any other".to_owned(),
        (false, 0) => format!("; {are}: {}", known.join(", ")),
        (false, older) => format!("; {are}: {} and {older} older", known.join(", ")),
    }
}

/// Whether nothing is to be said of it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// Whether what failed may go better when the same is tried again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Again {
    /// It would fail in the same way, or was tried again already.
    #[default]
    InVain,
    /// It may.
    MayHelp,
}

impl ToolError {
    /// A failure that another try would not mend, in words for the model and the person.
    pub(super) fn failed(kind: ErrorKind, message: impl Into<String>, said: Phrase) -> Self {
        Self::Failed {
            message: message.into(),
            said: Some(said),
            again: Again::InVain,
            kind,
        }
    }

    /// A tool that was asked to run in the way that it is not made.
    pub(super) fn not_at_once(name: &str) -> Self {
        let message = format!("`{name}` is made in another way");
        Self::failed(ErrorKind::Other, message, phrase("tool_failed"))
    }

    /// A failure that may pass.
    pub(super) fn faltered(message: impl Into<String>, said: Phrase) -> Self {
        Self::Failed {
            message: message.into(),
            said: Some(said),
            again: Again::MayHelp,
            kind: ErrorKind::Other,
        }
    }

    /// What kind of error it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Invalid { .. } | Self::Unknown { .. } => ErrorKind::Validation,
            Self::NoResult { .. } | Self::NoPage => ErrorKind::NotFound,
            Self::TimedOut { .. } => ErrorKind::Timeout,
            Self::NotApproved | Self::TurnedOff { .. } | Self::NotPermitted { .. } => {
                ErrorKind::Refused
            }
            Self::Failed { kind, .. } => *kind,
            Self::NotVisible { .. }
            | Self::NoImageModel
            | Self::Skipped
            | Self::InVain { .. }
            | Self::GivenUp { .. }
            | Self::OutcomeUnknown => ErrorKind::Other,
        }
    }

    /// Whether the same call may succeed when it is made again.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Failed { again, .. } => *again == Again::MayHelp,
            error => matches!(error, Self::TimedOut { .. }),
        }
    }

    /// How a call ends with it.
    fn end(&self) -> CallEnd {
        match self {
            Self::TimedOut { .. } => CallEnd::TimedOut,
            Self::NotApproved | Self::TurnedOff { .. } | Self::NotPermitted { .. } => {
                CallEnd::Rejected
            }
            Self::Skipped | Self::InVain { .. } | Self::GivenUp { .. } => CallEnd::Skipped,
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

    /// Whether the tool failed, rather than the call of it.
    pub fn is_failure(&self) -> bool {
        matches!(
            self,
            Self::TimedOut { .. } | Self::Failed { .. } | Self::OutcomeUnknown
        )
    }

    /// A call that was not made as it would have failed again, by its summary: no other outcome
    /// of it is recorded.
    pub fn in_vain(summary: &Phrase) -> Option<Self> {
        match (summary.key.as_str(), summary.args.as_slice()) {
            // Journals of before there were two kinds have the tries first.
            (IN_VAIN, [.., error]) => Some(Self::InVain {
                error: error.clone(),
            }),
            (GIVEN_UP, [of, tries, kinds]) => Some(Self::GivenUp {
                of: of.clone(),
                tries: tries.parse().ok()?,
                kinds: kinds.clone(),
            }),
            _ => None,
        }
    }

    /// The observation in one line.
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
            Self::NotVisible { .. } => phrase("tool_not_visible"),
            Self::NoImageModel => phrase("tool_no_image_model"),
            Self::Skipped => phrase("tool_skipped"),
            Self::InVain { error } => phrase(IN_VAIN).with(error),
            Self::GivenUp { of, tries, kinds } => phrase(GIVEN_UP).with(of).with(tries).with(kinds),
            Self::Failed { said, .. } => said.clone().unwrap_or_else(|| phrase("tool_failed")),
            Self::OutcomeUnknown => phrase("tool_outcome_unknown"),
            Self::TimedOut { seconds } => phrase("tool_timed_out").with(seconds),
        }
    }
}

/// What looks pages up tried again before it said so ([`gloss_reader::Study`]).
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
        Self::failed(kind, error.to_string(), said)
    }
}
