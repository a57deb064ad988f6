//! What a run thought, did and learned, with times and steps (SPEC §11): a fold
//! over its journal, and what it says of how well the run went.
//!
//! Driving example: the drawer's figures ("Steps 3, best 2"), and the log in an
//! exported run. There is no second copy: whoever wants a trajectory folds the
//! records anew, so that a run killed and resumed has the same one.

mod cited;
mod fold;
mod metrics;

pub use metrics::{Metrics, Tokens};

use crate::config::{Goal, Reflection, RunConfig};
use crate::events::{Event, Failure, PageRead, Status};
use gloss_durable::sorted::SortedMap;
use gloss_durable::{Class, Entry, Record, json};
use gloss_model::phrase::{Phrase, Said};
use gloss_model::{Micros, Purpose};
use gloss_tools::{Aided, CallEnd};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The version of [`Trajectory`] that this code writes.
pub const VERSION: u16 = 1;

/// Large recorded values, as JSON texts under their hashes.
pub type Bodies = SortedMap<String, String>;

/// A run, as its journal tells it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trajectory {
    /// The version of this shape.
    pub v: u16,
    /// Where the run stands.
    pub status: Status,
    /// What happened, in order.
    pub log: Vec<Logged>,
    /// How well it went.
    pub metrics: Metrics,
}

/// Something that happened, when, and in which step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Logged {
    /// The record that tells it.
    pub seq: u64,
    /// When it was recorded, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The step, from 1; 0 before the first.
    pub step: u8,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// The person asked: at first, or while the run was at work.
    Message {
        /// For what.
        goal: Goal,
    },
    /// The page was read.
    Page {
        /// Which.
        page: PageRead,
    },
    /// A model was asked.
    Asked(Asked),
    /// Why the agent acts.
    Thought {
        /// In its words.
        thought: Said,
    },
    /// A tool was called; once for each try.
    Call(Called),
    /// What a call gave.
    Result(Returned),
    /// What the results mean.
    Observation {
        /// In the agent's words.
        observation: Said,
        /// Whether the goal is met.
        goal_met: bool,
    },
    /// What was learned from a call that failed.
    Reflection {
        /// It.
        reflection: Reflection,
    },
    /// What was learned was in view when its tool was called again.
    Applied {
        /// The reflections' ids.
        ids: Vec<String>,
    },
    /// A model's call failed and is made again, or the run failed.
    Error {
        /// Why, and what to do.
        failure: Failure,
    },
    /// The answer.
    Answer {
        /// As Markdown.
        markdown: String,
        /// The ids of the passages that it cites.
        cites: Vec<String>,
    },
    /// It went otherwise than usual, as surfaces are told: resumed, restarted,
    /// stopped, continued, a bound, another model.
    Seam(Event),
}

/// One call of a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Which part of the cycle asks.
    pub purpose: Purpose,
    /// From 1; more after a kill or a stop.
    pub attempt: u32,
    /// What it cost.
    pub tokens: Tokens,
    /// Where that is known from; `None` while it is in flight, and where it failed.
    pub charge: Option<Charge>,
}

/// Where a call's cost is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Charge {
    /// The model reported it.
    Reported,
    /// The call was abandoned, by the worker's death or a stop: its prompt is
    /// charged, by what the same call reported later or by estimate.
    Abandoned,
}

/// One try of a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Called {
    /// Unique within the step.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// What it is called with, as JSON.
    pub arguments: String,
    /// What a try without a result means.
    pub class: Class,
    /// From 1.
    pub attempt: u32,
}

/// What one try of a tool call gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Returned {
    /// The call's id.
    pub id: String,
    /// The tool's name.
    pub tool: String,
    /// What the model read: a result, or an error in words.
    pub outcome: Result<Value, String>,
    /// In one line, for the person.
    pub summary: Phrase,
    /// How the call ended.
    pub end: CallEnd,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// What a model reads of it, estimated in tokens.
    pub tokens: u32,
    /// What it asked of models came to, in millionths of a dollar; `None` where a price is
    /// not known.
    pub cost: Option<Micros>,
    /// Whether the answer cites it.
    pub used: bool,
    /// What it asked of models itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aided: Vec<Aided>,
}

/// A run's configuration.
pub fn config_of(records: &[Record]) -> Option<RunConfig> {
    match &records.first()?.entry {
        Entry::Begun { brief, .. } => json::read::<RunConfig>(brief).ok(),
        _ => None,
    }
}

impl Trajectory {
    /// Folds a run's records, whose large bodies are `bodies`. A body that is missing,
    /// or is no outcome of its effect, is logged as an error in its place.
    pub fn of(records: &[Record], bodies: &Bodies) -> Self {
        fold::fold(records, bodies)
    }
}
