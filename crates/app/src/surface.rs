//! Between the worker and its surfaces: commands in, events out, one reducer.
//!
//! A surface (popup, side panel) connects with [`Command::Hello`], receives a
//! [`Snapshot`], then numbered [`Update`]s that it folds in with
//! [`Snapshot::apply`], the same function that the worker uses. A surface keeps
//! no truth of its own: after a gap it asks again.

mod calls;
#[cfg(test)]
mod calls_tests;
mod confirm;
mod learned;
#[cfg(test)]
mod pause_tests;
mod questions;
pub mod reconnect;
mod reduce;
mod seam;
mod spent;
mod turn;

pub use calls::{CallShown, CallState};
pub use learned::Learned;
pub use questions::Questions;
pub use reduce::Applied;
pub use seam::Seam;
pub use turn::{Near, Queued, StepShown, Turn};

use super::options;
use gloss_agent::fork::Forked;
use gloss_agent::{
    Event, Failure, Goal, Mode, PageRead, RunConfig, Speaker, Status, Verdict, Voice,
};
use gloss_durable::RunId;
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_host::TabId;
use gloss_memory::{FactId, Loss};
use gloss_model::{Image, Micros};
use gloss_tools::{Group, ToolOffer};
use serde::{Deserialize, Serialize};

/// The version of this interface: a page of another version is told to load anew.
pub const VERSION: u16 = 3;

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
        /// What the person chose for this conversation; `None` is what it says
        /// itself, for a surface that has not heard from it yet.
        tuning: Option<Tuning>,
        /// The turn that this one stands in place of.
        replaces: Option<RunId>,
    },
    /// Takes a queued message back.
    TakeBack {
        /// The `run` that it was started with.
        message: RunId,
    },
    /// What the person, or Chrome, said of the permission that a run waits for.
    Permit {
        /// Which run.
        run: RunId,
        /// The [`Wait`] that it answers.
        wait: u64,
        /// What.
        verdict: Verdict,
    },
    /// Stops a run at its next await, and cancels what is in flight.
    Stop {
        /// Which.
        run: RunId,
    },
    /// Pauses a run at its next await, and cancels what is in flight.
    Pause {
        /// Which.
        run: RunId,
    },
    /// Lets a stopped or paused run go on from where it stood.
    Continue {
        /// Which.
        run: RunId,
    },
    /// An empty conversation for this tab.
    NewChat,
    /// Every conversation there is, please: a [`Reply::History`].
    History,
    /// A run as a file, please: a [`Reply::Exported`].
    Export {
        /// Which.
        run: RunId,
    },
    /// A run's trajectory, please: a [`Reply::Inspected`].
    Inspect {
        /// Which.
        run: RunId,
    },
    /// The image that a call gave, please: a [`Reply::Picture`].
    Picture {
        /// In which run.
        run: RunId,
        /// In which of its steps, from 1.
        step: u8,
        /// Which call.
        call: String,
    },
    /// Goes on anew from a step of a run. Sent twice with one `run`, it forks once.
    Fork {
        /// The new run's id, made by the surface.
        run: RunId,
        /// The run that is forked; one at work is stopped.
        from: RunId,
        /// Where, and what is changed there.
        forked: Forked,
    },
    /// Takes back that a fact was remembered.
    Unremember {
        /// Which.
        fact: FactId,
    },
    /// Shows a conversation beside this tab.
    Show {
        /// Which.
        conversation: RunId,
    },
    /// Erases a conversation from the session and from disk. What is at work in it
    /// is stopped.
    EraseConversation {
        /// Which.
        conversation: RunId,
    },
    /// Only from an options page.
    Options {
        /// The page's number for it.
        n: u32,
        /// What it asks for.
        ask: options::Ask,
    },
}

/// A conversation in the list of all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Past {
    /// Its id.
    pub conversation: RunId,
    /// What was asked first.
    pub goal: Goal,
    /// The page that it began on.
    pub page: Option<PageRead>,
    /// Where its last turn stands.
    pub status: Status,
    /// How many turns it has.
    pub turns: u32,
    /// When something last happened in it.
    pub at_ms: u64,
    /// Its last turn, if that stands still until the person lets it go on.
    #[serde(default)]
    pub paused: Option<RunId>,
}

/// What a person chooses for one conversation, beside the message. A surface
/// sends it with each message; what was sent last is what the next one starts from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tuning {
    /// An [`Offer`]'s id.
    pub model: String,
    /// The switch "Agent".
    pub mode: Mode,
    /// 1 to 10; `None` is automatic.
    pub max_steps: Option<u8>,
    /// The tools that are off, by name.
    #[serde(default, skip_serializing_if = "SortedSet::is_empty")]
    pub tools_off: SortedSet<String>,
}

impl Tuning {
    /// What a run was started with.
    pub(super) fn of(brief: &RunConfig) -> Self {
        Self {
            model: Speaker::of(&brief.model).profile,
            mode: brief.mode,
            max_steps: brief.settings.max_steps,
            tools_off: brief.tools_off.clone(),
        }
    }
}

/// A model that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// A profile's id; empty for the on-device model.
    pub id: String,
    /// What the user calls the profile; empty for the on-device model.
    pub provider: String,
    /// The model's name there.
    pub model: String,
    /// The server's host; empty for the on-device model.
    pub host: String,
    /// What an answer of a usual size costs; `None` if that is not known.
    #[serde(default)]
    pub cost: Option<Micros>,
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
    /// What [`Command::History`] asked for.
    History {
        /// The newest first.
        conversations: Vec<Past>,
    },
    /// What [`Command::Export`] asked for.
    Exported {
        /// Which run.
        run: RunId,
        /// The text of the file ([`gloss_agent::export`]).
        text: String,
    },
    /// What [`Command::Inspect`] asked for.
    Inspected {
        /// Which run.
        run: RunId,
        /// A [`gloss_agent::trajectory::Trajectory`], as JSON.
        trajectory: String,
    },
    /// What [`Command::Picture`] asked for.
    Picture {
        /// In which run.
        run: RunId,
        /// In which of its steps, from 1.
        step: u8,
        /// Which call.
        call: String,
        /// The image; `None` if it is gone.
        image: Option<Image>,
    },
    /// The worker could not do what was asked; nothing was lost.
    Refused {
        /// Why, and what to do.
        failure: Failure,
        /// The message that it is about; `None`: whatever was asked.
        #[serde(default)]
        message: Option<RunId>,
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
    /// When.
    pub at_ms: u64,
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
    /// The conversation that is shown; `None` before its first message.
    pub conversation: Option<RunId>,
    /// The conversation's turns, oldest first, less those that others replaced.
    pub turns: Vec<Turn>,
    /// What the next message of this conversation starts from.
    pub tuning: Tuning,
    /// The models that can be chosen; the on-device one is always first.
    pub offers: Vec<Offer>,
    /// The tools that there are, and what Options says of them.
    #[serde(default)]
    pub tools: Tools,
    /// Whether thoughts and observations stand open.
    pub show_thinking: bool,
    /// The facts that are known; `None`: it has not been looked yet.
    #[serde(default)]
    pub known: Option<SortedSet<FactId>>,
    /// Those that went without the person having forgotten them, and why.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub lost: SortedMap<FactId, Loss>,
    /// How many conversations are unfinished, and go on when the person says so.
    #[serde(default)]
    pub unfinished: u32,
}

/// The tools that there are, and what Options says of them.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Tools {
    /// All of them.
    pub all: Vec<ToolOffer>,
    /// Those that are off where a conversation does not say otherwise, by name.
    pub off: SortedSet<String>,
    /// What is off whatever a conversation says.
    pub groups_off: SortedSet<Group>,
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

impl Offer {
    /// Who speaks if it is chosen.
    pub(super) fn speaker(&self) -> Speaker {
        Speaker {
            profile: self.id.clone(),
            provider: self.provider.clone(),
            model: self.model.clone(),
            voice: if self.id.is_empty() {
                Voice::Page
            } else {
                Voice::Model
            },
        }
    }
}
