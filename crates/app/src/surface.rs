//! The interface between the worker and the surfaces: commands, replies, and the function that
//! applies events.
//!
//! A surface (popup or side panel) connects with [`Command::Hello`] and receives a [`Snapshot`].
//! Afterwards the surface receives numbered [`Update`]s. It applies them with [`Snapshot::apply`],
//! the same function that the worker uses. If a number is missing, the surface sends another hello.

mod apply_update;
mod calls;
#[cfg(test)]
mod calls_tests;
mod confirm;
mod displayed;
mod lessons;
mod notice;
#[cfg(test)]
mod pause_tests;
mod questions;
pub mod reconnect;
pub(super) mod settings;
mod turn;
mod turn_usage;

pub use apply_update::UpdateResult;
pub use calls::{CallShown, CallState};
pub use displayed::displayed;
pub use lessons::LearnedLesson;
pub use notice::Notice;
pub use questions::Questions;
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

/// The version of this interface. A page with another version asks the user to reload it.
pub const VERSION: u16 = 3;

/// The maximum number of messages that wait for an active run.
pub const MOST_QUEUED: usize = 3;

/// A command that a surface sends to the worker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Command {
    /// Asks for a snapshot. A surface sends it first on every connection, and again if it missed an
    /// update.
    Hello {
        /// The surface's [`VERSION`].
        version: u16,
        /// The tab beside which the surface is shown, if any.
        tab: Option<TabId>,
        /// The interface's language, a BCP 47 tag.
        language: String,
    },
    /// Starts a run. If the command is sent twice with one `run`, only one run is started.
    Start {
        /// The new run's id, which the surface created.
        run: RunId,
        /// The goal of the new run.
        goal: Goal,
        /// The settings that the user chose for this conversation. `None` if the surface has no
        /// snapshot yet; the conversation's last settings are then used.
        tuning: Option<ConversationSettings>,
        /// The turn that this run replaces, if the user repeats that turn.
        replaces: Option<RunId>,
    },
    /// Withdraws a queued message, so that the user can edit it.
    TakeBack {
        /// The message's id: the `run` of the [`Command::Start`] that sent it.
        message: RunId,
    },
    /// Reports the decision about the permission that a run waits for. The user or Chrome decided.
    Permit {
        /// The run that waits.
        run: RunId,
        /// The id of the wait that the decision ends: the number of the wait's record.
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
    /// Continues a stopped or paused run from the point at which it stopped.
    Continue {
        /// The run to continue.
        run: RunId,
    },
    /// Adds a site to the sites that Gloss never reads.
    CloseSite {
        /// The site's host.
        site: String,
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
    /// Starts a new run from a step of another run. If the command is sent twice with one `run`,
    /// only one run is started.
    Fork {
        /// The new run's id, which the surface created.
        run: RunId,
        /// The original run. It is stopped if it is running.
        from: RunId,
        /// The step at which the original run is forked, and the user's edit of that step.
        forked: ForkOrigin,
    },
    /// Removes a fact that a run saved (Undo).
    Unremember {
        /// The fact to remove.
        fact: FactId,
    },
    /// Shows a conversation in this tab.
    Show {
        /// The conversation to show.
        conversation: RunId,
    },
    /// Erases a conversation from session storage and from disk. If a turn is running, it is
    /// stopped.
    EraseConversation {
        /// The conversation to erase.
        conversation: RunId,
    },
    /// A request of an options page. Other surfaces don't send it.
    Options {
        /// The number that the page gave the request.
        n: u32,
        /// The request.
        ask: options::OptionsRequest,
    },
}

/// A conversation in the list of all conversations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConversationSummary {
    /// The conversation's id.
    pub conversation: RunId,
    /// The goal of the first turn.
    pub goal: Goal,
    /// The page of the first turn.
    pub page: Option<PageRead>,
    /// The status of the last turn.
    pub status: Status,
    /// The number of turns.
    pub turns: u32,
    /// The time of the last record, in milliseconds since the Unix epoch.
    pub at_ms: u64,
    /// The last turn, if it is paused.
    #[serde(default)]
    pub paused: Option<RunId>,
}

/// A message from the worker to a surface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reply {
    /// Everything that the surface shows.
    Snapshot {
        /// The snapshot.
        snapshot: Snapshot,
    },
    /// An event that happened after the snapshot.
    Update {
        /// The update.
        update: Update,
    },
    /// Everything that an options page shows.
    Options {
        /// All settings.
        state: options::State,
        /// The outcome of a request of this page, if the message answers one.
        answered: Option<options::OptionsAnswer>,
    },
    /// The reply to [`Command::History`].
    History {
        /// All conversations, newest first.
        conversations: Vec<ConversationSummary>,
    },
    /// The reply to [`Command::Export`].
    Exported {
        /// The exported run.
        run: RunId,
        /// The text of the exported file ([`gloss_agent::export`]).
        text: String,
    },
    /// The reply to [`Command::Inspect`].
    Inspected {
        /// The inspected run.
        run: RunId,
        /// A [`gloss_agent::trajectory::Trajectory`], as JSON.
        trajectory: String,
    },
    /// The reply to [`Command::Picture`].
    Picture {
        /// The run that made the call.
        run: RunId,
        /// The step of the call, from 1.
        step: u8,
        /// The call's id.
        call: String,
        /// The image; `None` if it is no longer stored.
        image: Option<Image>,
    },
    /// The worker refused a command, or could not perform all of it.
    Refused {
        /// The reason, and what the user can do.
        failure: Failure,
        /// The message that could not be sent; `None` for any other command.
        #[serde(default)]
        message: Option<RunId>,
    },
}

/// A numbered event of one conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Update {
    /// The [`Snapshot::epoch`] of the worker that sent the update. If it differs from that of the
    /// surface's snapshot, the surface asks for a new snapshot.
    pub epoch: u64,
    /// The number of the update. If it isn't one more than the number of the last update, the
    /// surface asks for a new snapshot.
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
    /// A number that identifies the worker. It differs from the numbers of earlier workers.
    pub epoch: u64,
    /// The number of the last update that the snapshot includes.
    pub n: u64,
    /// The time from the worker's start until it was ready, in milliseconds.
    pub ready_ms: f64,
    /// The content of the surface's tab.
    pub beside: TabContent,
    /// The warnings that the surface shows, for example about damaged data.
    pub warnings: Vec<Failure>,
    /// The conversation that the surface shows; `None` before the conversation's first message.
    pub conversation: Option<RunId>,
    /// The conversation's turns, oldest first. Turns that another turn has replaced are left out.
    pub turns: Vec<Turn>,
    /// The settings that the next message of this conversation has by default.
    pub tuning: ConversationSettings,
    /// The models that the user can choose. The on-device model is always first.
    pub offers: Vec<ModelOption>,
    /// All tools, and the user's settings of the tools.
    #[serde(default)]
    pub tools: Tools,
    /// True if thoughts and observations are shown expanded.
    pub show_thinking: bool,
    /// The ids of the stored facts; `None` until they have been read.
    #[serde(default)]
    pub known: Option<SortedSet<FactId>>,
    /// The facts that were removed automatically, with the reasons.
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
    /// A page that can't be read.
    Unreadable {
        /// The page's title or address; empty if it is unknown.
        title: String,
        /// The reason, as a failure that the surface shows.
        failure: Failure,
    },
    /// The page is being read.
    Looking,
    /// The surface has no tab.
    #[default]
    Nothing,
}
