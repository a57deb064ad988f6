//! Between the worker and its surfaces: commands in, events out, one reducer.
//!
//! A surface (popup, side panel) connects with [`Command::Hello`], receives a
//! [`Snapshot`], then numbered [`Update`]s that it folds in with
//! [`Snapshot::apply`], the same function that the worker uses. A surface keeps
//! no truth of its own: after a gap it asks again.

mod confirm;
mod reduce;

pub use reduce::Applied;

use super::options;
use crate::agent::{Answer, Event, Failure, Goal, PageRead, Phase, Status};
use crate::host::{RunId, TabId};
use crate::markdown::Block;
use crate::phrase::Phrase;
use serde::{Deserialize, Serialize};

/// The version of this interface: a page of another version is told to load anew.
pub const VERSION: u16 = 1;

/// What a surface asks for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// First on every connection, and again after a gap: a snapshot, please.
    Hello {
        /// The surface's [`VERSION`].
        version: u16,
        /// The tab that the surface stands beside.
        tab: Option<TabId>,
        /// The interface's language, a BCP 47 tag.
        language: String,
    },
    /// Starts a run. Sent twice with one `run`, it starts one.
    Start {
        /// The new run's id, made by the surface.
        run: RunId,
        /// What is asked for.
        goal: Goal,
    },
    /// Stops a run at its next await, and cancels what is in flight.
    Stop {
        /// Which.
        run: RunId,
    },
    /// Lets a stopped run go on from where it stood.
    Continue {
        /// Which.
        run: RunId,
    },
    /// An empty conversation for this tab.
    NewChat,
    /// Only from an options page.
    Options {
        /// The page's number for it.
        n: u32,
        /// What it asks for.
        ask: options::Ask,
    },
}

/// What the worker says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// All there is to show.
    Snapshot {
        /// It.
        snapshot: Snapshot,
    },
    /// One event more.
    Update {
        /// It.
        update: Update,
    },
    /// How things stand, for an options page.
    Options {
        /// All that is set.
        state: options::State,
        /// What became of something that this page asked for.
        answered: Option<options::Answered>,
    },
    /// The worker could not do what was asked; nothing was lost.
    Refused {
        /// Why, and what to do.
        failure: Failure,
    },
}

/// A numbered event of one conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// The worker's life; another one means: ask for a snapshot.
    pub epoch: u64,
    /// One more than the last; a gap means: ask for a snapshot.
    pub n: u64,
    /// The run it happened in.
    pub run: RunId,
    /// What happened.
    pub event: Event,
}

/// All that a surface shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The worker's life.
    pub epoch: u64,
    /// The number of the last event that is in it.
    pub n: u64,
    /// From the worker's birth to its readiness.
    pub ready_ms: f64,
    /// The page beside which the surface stands.
    pub beside: Beside,
    /// What is wrong with what is stored.
    pub warnings: Vec<Failure>,
    /// The conversation's turns, oldest first.
    pub turns: Vec<Turn>,
}

/// What is known of the tab that a surface stands beside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Beside {
    /// A page that can be read.
    Page {
        /// What it says of itself.
        page: PageRead,
    },
    /// A page that can't be read, and why.
    Unreadable {
        /// Its title or address, where known.
        title: String,
        /// Title of the card: what is the matter.
        failure: Failure,
    },
    /// It is being looked at.
    Looking,
    /// No tab.
    Nothing,
}

/// One run as a surface shows it: a fold over its events.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Its id.
    pub run: RunId,
    /// What was asked.
    pub goal: Goal,
    /// The page it read.
    pub page: Option<PageRead>,
    /// Where it stands.
    pub status: Status,
    /// What it is doing, while running.
    pub phase: Phase,
    /// The step, from 1; 0 before the first.
    pub step: u8,
    /// The bound on steps.
    pub max_steps: u8,
    /// The tool at work.
    pub tool: Option<String>,
    /// Tokens used.
    pub tokens: u32,
    /// When it began.
    pub started_at_ms: u64,
    /// When it last ended.
    pub ended_at_ms: Option<u64>,
    /// The answer while it grows; empty once it is whole.
    pub growing: Vec<Block>,
    /// The answer, whole.
    pub answer: Option<Answer>,
    /// What went otherwise than usual, in order.
    pub seams: Vec<Seam>,
    /// What a bound or the gate has to say under the answer.
    pub remarks: Vec<Phrase>,
    /// Why it failed.
    pub failure: Option<Failure>,
}

/// A label of honesty between parts of a turn (`ui/README.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Seam {
    /// The worker died between steps; nothing was repeated.
    Resumed {
        /// When.
        at_ms: u64,
    },
    /// The worker died inside a model call, which was made again.
    Restarted {
        /// When.
        at_ms: u64,
    },
    /// The user stopped the run.
    Stopped {
        /// When.
        at_ms: u64,
    },
}
