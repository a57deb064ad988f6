//! The interface between the worker and its surfaces: commands in, events out, one reducer.
//!
//! A surface (popup, side panel) connects with [`Command::Hello`], receives a [`Snapshot`], then
//! numbered [`Update`]s that it folds in with [`Snapshot::apply`], the same function that the
//! worker uses. A surface has no state of its own: after a gap it asks again.

mod calls;
#[cfg(test)]
mod calls_tests;
mod confirm;
mod lessons;
mod notice;
#[cfg(test)]
mod pause_tests;
mod questions;
pub mod reconnect;
mod reduce;
pub(super) mod settings;
mod turn;
mod turn_usage;

pub use calls::{CallShown, CallState};
pub use lessons::LearnedLesson;
pub use notice::Notice;
pub use questions::Questions;
pub use reduce::Applied;
pub(super) use settings::Defaults;
pub use settings::{ConversationSettings, ModelOption, Tools};
pub use turn::{LimitWarning, QueuedMessage, StepShown, Turn};

use super::options;
use gloss_agent::fork::ForkOrigin;
use gloss_agent::{Event, Failure, Goal, PageRead, Status, Verdict};
use gloss_durable::RunId;
use gloss_durable::sorted::{SortedMap, SortedSet};
use gloss_host::TabId;
use gloss_memory::{FactId, Loss};
use gloss_model::Image;
use serde::{Deserialize, Serialize};

/// The version of this interface. A page of another version is asked to reload.
pub const VERSION: u16 = 3;

/// A request of a surface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Asks for a snapshot: first on every connection, and again after a gap.
    Hello {
        /// The surface's [`VERSION`].
        version: u16,
        /// The tab that the surface belongs to.
        tab: Option<TabId>,
        /// The interface's language, a BCP 47 tag.
        language: String,
    },
    /// Starts a run. Sent twice with one `run`, it starts one.
    Start {
        /// The new run's id, made by the surface.
        run: RunId,
        /// The goal of the new run.
        goal: Goal,
        /// The user's choices for this conversation. A surface that has not heard from the worker
        /// yet sends `None`; the conversation's own choices then apply.
        tuning: Option<ConversationSettings>,
        /// The turn that this one replaces.
        replaces: Option<RunId>,
    },
    /// Takes a queued message back.
    TakeBack {
        /// The `run` that it was started with.
        message: RunId,
    },
    /// The decision of the user, or of Chrome, about the permission that a run waits for.
    Permit {
        /// The run that waits.
        run: RunId,
        /// The id of the [`Wait`] that this answers.
        wait: u64,
        /// The decision.
        verdict: Verdict,
    },
    /// Stops a run at its next await, and cancels what is in flight.
    Stop {
        /// The run to stop.
        run: RunId,
    },
    /// Pauses a run at its next await, and cancels what is in flight.
    Pause {
        /// The run to pause.
        run: RunId,
    },
    /// Continues a stopped or paused run where it stopped.
    Continue {
        /// The run to continue.
        run: RunId,
    },
    /// Starts an empty conversation for this tab.
    NewChat,
    /// Asks for all conversations: a [`Reply::History`].
    History,
    /// Asks for a run as a file: a [`Reply::Exported`].
    Export {
        /// The run to export.
        run: RunId,
    },
    /// Asks for a run's trajectory: a [`Reply::Inspected`].
    Inspect {
        /// The run to inspect.
        run: RunId,
    },
    /// Asks for the image that a tool call made: a [`Reply::Picture`].
    Picture {
        /// The run that made the call.
        run: RunId,
        /// The step of the call, from 1.
        step: u8,
        /// The call's id.
        call: String,
    },
    /// Starts a new run from a step of another. Sent twice with one `run`, it forks once.
    Fork {
        /// The new run's id, made by the surface.
        run: RunId,
        /// The run that is forked; if it is running, it is stopped.
        from: RunId,
        /// The step, and the edit made there.
        forked: ForkOrigin,
    },
    /// Undoes remembering a fact.
    Unremember {
        /// The fact to remove.
        fact: FactId,
    },
    /// Shows a conversation in this tab.
    Show {
        /// The conversation to show.
        conversation: RunId,
    },
    /// Erases a conversation from the session and from disk. Its running turn is stopped.
    EraseConversation {
        /// The conversation to erase.
        conversation: RunId,
    },
    /// A request of an options page; other surfaces never send it.
    Options {
        /// The page's number for this request.
        n: u32,
        /// The request.
        ask: options::OptionsRequest,
    },
}

/// A conversation in the list of all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationSummary {
    /// Its id.
    pub conversation: RunId,
    /// The goal of its first turn.
    pub goal: Goal,
    /// The page that it began on.
    pub page: Option<PageRead>,
    /// The status of its last turn.
    pub status: Status,
    /// The number of its turns.
    pub turns: u32,
    /// The time of its last event, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// Its last turn, if that is paused.
    #[serde(default)]
    pub paused: Option<RunId>,
}

/// A message from the worker to a surface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// The full state of a surface.
    Snapshot {
        /// The snapshot.
        snapshot: Snapshot,
    },
    /// An event after the snapshot.
    Update {
        /// The update.
        update: Update,
    },
    /// The full state of an options page.
    Options {
        /// All settings.
        state: options::State,
        /// The outcome of a request of this page.
        answered: Option<options::OptionsAnswer>,
    },
    /// The answer to [`Command::History`].
    History {
        /// All conversations, newest first.
        conversations: Vec<ConversationSummary>,
    },
    /// The answer to [`Command::Export`].
    Exported {
        /// The exported run.
        run: RunId,
        /// The text of the file ([`gloss_agent::export`]).
        text: String,
    },
    /// The answer to [`Command::Inspect`].
    Inspected {
        /// The inspected run.
        run: RunId,
        /// A [`gloss_agent::trajectory::Trajectory`], as JSON.
        trajectory: String,
    },
    /// The answer to [`Command::Picture`].
    Picture {
        /// The run that made the call.
        run: RunId,
        /// The step of the call, from 1.
        step: u8,
        /// The call's id.
        call: String,
        /// The image; `None` if it is gone.
        image: Option<Image>,
    },
    /// The worker could not do what was asked; nothing was lost.
    Refused {
        /// The reason, and what the user can do.
        failure: Failure,
        /// The message that could not be sent; `None` for any other request.
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
    /// The run that the event happened in.
    pub run: RunId,
    /// The time of the event, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The event.
    pub event: Event,
}

/// Everything that a surface shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The worker's life.
    pub epoch: u64,
    /// The number of the last event that it contains.
    pub n: u64,
    /// The time from the worker's birth to its readiness, in milliseconds.
    pub ready_ms: f64,
    /// The page in the surface's tab.
    pub beside: TabContent,
    /// Problems with stored data.
    pub warnings: Vec<Failure>,
    /// The conversation that is shown; `None` before its first message.
    pub conversation: Option<RunId>,
    /// The conversation's turns, oldest first, without those that others replaced.
    pub turns: Vec<Turn>,
    /// The choices that the next message of this conversation starts from.
    pub tuning: ConversationSettings,
    /// The models that can be chosen; the on-device one is always first.
    pub offers: Vec<ModelOption>,
    /// All tools, and their settings in Options.
    #[serde(default)]
    pub tools: Tools,
    /// True if thoughts and observations are shown expanded.
    pub show_thinking: bool,
    /// The ids of the stored facts; `None` until memory has been read.
    #[serde(default)]
    pub known: Option<SortedSet<FactId>>,
    /// The facts that were removed without the user's action, and why.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub lost: SortedMap<FactId, Loss>,
    /// The number of unfinished conversations that wait for the user to continue them.
    #[serde(default)]
    pub unfinished: u32,
}

/// The state of a surface's tab.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TabContent {
    /// A page that can be read.
    Page {
        /// The page, with its title and address.
        page: PageRead,
    },
    /// A page that can't be read, and why.
    Unreadable {
        /// The page's title or address, where known.
        title: String,
        /// The reason, as the title of a card.
        failure: Failure,
    },
    /// The page is being read.
    Looking,
    /// The surface has no tab.
    #[default]
    Nothing,
}
