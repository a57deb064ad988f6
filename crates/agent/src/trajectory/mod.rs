//! The trajectory: the log of a run's thoughts, actions and lessons, with their times and steps,
//! and metrics of the run's quality (SPEC §11).
//!
//! Example: the interface shows "Steps 3, best 2", and an exported run contains the log.
//! The trajectory is not stored. Each use computes the trajectory from the run's journal. Therefore
//! nothing of it is lost if the worker is killed.

mod fold;
mod metrics;
mod used_results;

pub use metrics::{Metrics, Tokens};

use crate::config::{Goal, Lesson, RunConfig};
use crate::events::{Event, Failure, PageRead, Status};
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Class, Entry, Record, json};
use gloss_model::phrase::{DisplayText, Phrase};
use gloss_model::{Micros, Purpose};
use gloss_tools::{CallEnd, RoleCall};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of [`Trajectory`] that this code writes.
pub const VERSION: u16 = 1;

/// Large recorded values, as JSON texts. The key of each value is its hash.
pub type Bodies = SortedMap<String, String>;

/// The log and the metrics of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trajectory {
    /// The version of this format.
    pub v: u16,
    /// The status of the run.
    pub status: Status,
    /// The entries of the log, in the order of their records.
    pub log: Vec<LogEntry>,
    /// The metrics of the run.
    pub metrics: Metrics,
}

/// An entry of the log, with its time and step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    /// The number of the journal record that produced the entry.
    pub seq: u64,
    /// The time of recording, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The step, from 1; 0 before the first step.
    pub step: u8,
    /// The content of the entry.
    pub what: LogEntryKind,
}

/// The content of a log entry.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LogEntryKind {
    /// The user's request: the first one, or one sent during the run.
    Message {
        /// The goal of the request.
        goal: Goal,
    },
    /// The page was read.
    Page {
        /// The page's title, address and length.
        page: PageRead,
    },
    /// A model call.
    Asked(ModelCall),
    /// The agent's thought before its next action.
    Thought {
        /// The thought, in the model's words or in a fixed phrase.
        thought: DisplayText,
    },
    /// A tool call; one entry for each try.
    Call(ToolCallTry),
    /// The result of a tool call.
    Result(ToolCallResult),
    /// The model's interpretation of the tool results.
    Observation {
        /// The observation, in the model's words or in a fixed phrase.
        observation: DisplayText,
        /// True if the goal is met.
        goal_met: bool,
    },
    /// A lesson from a failed call.
    Reflection {
        /// The lesson.
        reflection: Lesson,
    },
    /// Lessons that a successful call applied.
    Applied {
        /// The ids of the lessons.
        ids: Vec<String>,
    },
    /// A model call failed and is retried, or the run failed.
    Error {
        /// The reason, and what the user can do.
        failure: Failure,
    },
    /// The answer.
    Answer {
        /// The answer's text, as Markdown.
        markdown: String,
        /// The ids of the passages that the answer cites.
        cites: Vec<String>,
    },
    /// An event that interrupts or redirects the run, such as a resume, a stop, a reached limit or
    /// a change of model.
    Seam(Event),
}

/// One model call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelCall {
    /// The part of the loop that makes the call.
    pub purpose: Purpose,
    /// The number of the attempt, from 1. A call has a further attempt after a worker's death or a
    /// stop.
    pub attempt: u32,
    /// The tokens of the call.
    pub tokens: Tokens,
    /// The origin of the token count; `None` while the call is in progress, or if the call failed.
    pub charge: Option<Charge>,
}

/// The origin of a call's token count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charge {
    /// The model reported the count.
    Reported,
    /// The call was abandoned, because the worker died or the run was stopped. Only the prompt's
    /// tokens are counted: as reported by the repeated call, or as an estimate if there is no such
    /// report.
    Abandoned,
}

/// One try of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCallTry {
    /// The id of the call, unique within the step.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The arguments, as JSON.
    pub arguments: String,
    /// The effect class. It decides whether a try without a recorded result may be repeated.
    pub class: Class,
    /// The number of the try, from 1.
    pub attempt: u32,
}

/// The result of one try of a tool call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCallResult {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// The data or the error that the model read.
    pub outcome: Result<Value, String>,
    /// A summary in one line, for the user.
    pub summary: Phrase,
    /// The way in which the call ended.
    pub end: CallEnd,
    /// The duration in milliseconds.
    pub duration_ms: u64,
    /// The estimated tokens of the result in a prompt.
    pub tokens: u32,
    /// The cost of the tool's own model calls, in millionths of a US dollar; `None` if a price is
    /// not known.
    pub cost: Option<Micros>,
    /// True if the answer cites the result.
    pub used: bool,
    /// The tool's own model calls.
    #[serde(default)]
    pub role_calls: Vec<RoleCall>,
}

/// Returns a run's configuration, from its first record.
pub fn config_of(records: &[Record]) -> Option<RunConfig> {
    match &records.first()?.entry {
        Entry::Begun { config, .. } => json::read::<RunConfig>(config).ok(),
        _ => None,
    }
}

impl Trajectory {
    /// Computes the trajectory from a run's records. `bodies` contains the records' large bodies.
    /// A body that is missing or can't be read is logged as an error.
    pub fn of(records: &[Record], bodies: &Bodies) -> Self {
        fold::fold(records, bodies)
    }
}
