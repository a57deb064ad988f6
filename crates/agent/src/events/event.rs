//! The events of a run, as surfaces and the log receive them.
//!
//! One enum has two readers (SPEC §11): the interface folds events into its state, and the log
//! lists them. Events that follow from an effect are derived from the journal by
//! [`crate::Timeline`]. Events of the loop itself (a thought, an observation, a limit) are notes in
//! the journal.

use crate::config::{Edit, Goal, Lesson, Mode};
use crate::events::{Answer, Bound, Failure, ModelIdentity, Spender, SpendingLimit, Verdict, Wait};
use gloss_durable::{RunId, Stop};
use gloss_markdown::Block;
use gloss_model::Micros;
use gloss_model::phrase::{DisplayText, Phrase};
use gloss_tools::{CallEnd, FactOutcome, RoleCall, ToolLabel};
use serde::{Deserialize, Serialize};

/// An event of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The run began.
    RunStarted {
        /// The goal of the run.
        goal: Goal,
        /// The maximum number of steps.
        max_steps: u8,
        /// The model that answers.
        model: ModelIdentity,
        /// The mode: with or without tools.
        mode: Mode,
    },
    /// The run was forked from another run.
    Forked {
        /// The other run.
        from: RunId,
        /// The step at which it was forked, from 1.
        step: u8,
        /// The change made there.
        edit: Edit,
        /// The number of the last record that both runs share.
        seq: u64,
    },
    /// The run waits for a permission that only the user can give.
    PermissionNeeded {
        /// The wait, and the permission that it is for.
        wait: Wait,
    },
    /// The user decided about a permission; the run continues with or without it.
    PermissionAnswered {
        /// The user's decision.
        verdict: Verdict,
    },
    /// A message arrived during the run and waits to be read.
    MessageQueued {
        /// The message's id.
        message: RunId,
        /// The message's goal.
        goal: Goal,
    },
    /// The user withdrew a waiting message.
    MessageTakenBack {
        /// The message's id.
        message: RunId,
    },
    /// The agent read a waiting message.
    MessageRead {
        /// The message's id.
        message: RunId,
    },
    /// A model call failed and is retried.
    ModelRetried {
        /// The number of the next try, from 2.
        attempt: u8,
        /// The failure of the last try.
        failure: Failure,
        /// The wait before the next try, in milliseconds.
        wait_ms: u64,
    },
    /// Another model took over.
    ModelChanged {
        /// The model that answered until now.
        from: ModelIdentity,
        /// The model that answers from now on.
        to: ModelIdentity,
        /// The previous model's failure, if it failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<Failure>,
    },
    /// The page was captured.
    PageRead {
        /// The page's title, address and size.
        page: PageRead,
    },
    /// The run entered another phase, or the same phase of a new step.
    PhaseChanged {
        /// The new phase.
        phase: Phase,
        /// The step, from 1.
        step: u8,
        /// The maximum number of steps, as known now.
        max_steps: u8,
    },
    /// The agent stated why it acts.
    ThoughtFormed {
        /// The step, from 1.
        step: u8,
        /// The thought.
        thought: DisplayText,
    },
    /// The calls of a step were chosen. Reported only if there are several, or if some are not
    /// made.
    CallsChosen {
        /// The calls, in order.
        calls: Vec<ToolLabel>,
    },
    /// A tool call began.
    ToolStarted {
        /// The step, from 1.
        step: u8,
        /// The call's id.
        call: String,
        /// The tool's name.
        tool: String,
        /// The call's arguments, as JSON.
        #[serde(default)]
        arguments: String,
    },
    /// A tool call with several steps reached the next one.
    ToolProgressed {
        /// The step, from 1.
        step: u8,
        /// The call's id.
        call: String,
        /// The current activity.
        doing: Phrase,
    },
    /// A tool call ended.
    ToolFinished {
        /// The step, from 1.
        step: u8,
        /// The call's id.
        call: String,
        /// The tool's name.
        tool: String,
        /// The way in which the call ended.
        end: CallEnd,
        /// The observation in one line (SPEC §4).
        summary: Phrase,
        /// The duration, in milliseconds.
        duration_ms: u64,
        /// The description of the image that the call returned. Surfaces request its bytes
        /// separately.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
        /// The outcome for each fact that the call should remember.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        saved_facts: Vec<FactOutcome>,
        /// The length of the result as a model reads it, in estimated tokens.
        #[serde(default)]
        tokens: u32,
        /// The cost of the model calls that the tool made, in millionths of a dollar; `None` if a
        /// price is unknown.
        #[serde(default)]
        cost: Option<Micros>,
        /// The model calls that the tool made in all tries. A large outcome isn't part of its
        /// record, so usage is counted from this field.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        role_calls: Vec<RoleCall>,
    },
    /// The agent stated what the results mean.
    ObservationMade {
        /// The step, from 1.
        step: u8,
        /// The observation.
        observation: DisplayText,
        /// True if the goal is met.
        goal_met: bool,
    },
    /// The confidence gate refused an answer.
    AnswerRefused {
        /// The step, from 1.
        step: u8,
        /// The answer's confidence, 0 to 1.
        confidence: f32,
        /// The confidence that the style requires, 0 to 1.
        threshold: f32,
    },
    /// The answer grew: the first `frozen` blocks stay, and `tail` replaces the rest.
    AnswerGrew {
        /// The number of blocks that stay as they are.
        frozen: usize,
        /// The blocks after them.
        tail: Vec<Block>,
    },
    /// The worker died during the call that wrote the answer; the call is repeated from the start.
    AnswerRestarted,
    /// The answer is complete.
    AnswerGiven {
        /// The answer.
        answer: Answer,
    },
    /// The run's token usage grew.
    TokensUsed {
        /// All input and output tokens of the run so far.
        total: u32,
        /// Their cost, in millionths of a dollar; `None` if a price is unknown.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Micros>,
        /// The tool that called a model itself, and that model; `None` if the run made the call.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Spender>,
    },
    /// A call failed, and the agent learned from it.
    Reflected {
        /// The step, from 1.
        step: u8,
        /// The lesson: the cause, and what to do instead.
        reflection: Lesson,
    },
    /// A later call of a tool applied lessons from its failures.
    ReflectionApplied {
        /// The reflections' ids.
        ids: Vec<String>,
        /// The step of the later call, from 1.
        step: u8,
    },
    /// The old part of the transcript was rewritten or cut to fit the context window.
    Compacted {
        /// The transcript's length before, in estimated tokens.
        before: u32,
        /// The transcript's length after, in estimated tokens.
        after: u32,
    },
    /// A limit is nearly reached; reported once for each limit.
    BudgetNear {
        /// The limit.
        budget: SpendingLimit,
        /// The share of it that is used, in percent.
        percent: u8,
    },
    /// A limit ended the loop; the answer says so.
    BoundHit {
        /// The limit that was reached.
        bound: Bound,
        /// The change with which a fork could continue, if one would help.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        more: Option<Edit>,
    },
    /// The worker died, and the run continued without repeating anything.
    Resumed,
    /// The worker died during calls; their interrupted requests are sent again.
    AskedAgain {
        /// The activities that are repeated, in order.
        what: Vec<Phrase>,
    },
    /// The run continues after a pause that interrupted calls; their interrupted requests are sent
    /// again.
    SentAgain {
        /// The activities that are repeated, in order.
        what: Vec<Phrase>,
    },
    /// A model call was abandoned, because the worker died or the run was stopped. Its prompt is
    /// charged by estimate, which no total of [`Event::TokensUsed`] includes.
    CallAbandoned {
        /// The length of the prompt, in tokens.
        tokens: u32,
        /// The cost of the prompt, in millionths of a dollar; `None` if a price is unknown.
        cost: Option<Micros>,
        /// The tool that called a model itself, and that model; `None` if the run made the call.
        by: Option<Spender>,
    },
    /// The run waits for a timer; no worker is needed until then.
    Deferred {
        /// The end of the wait, in milliseconds since the Unix epoch.
        until_ms: u64,
    },
    /// Gloss was updated; a fresh continuation starts with the run's recorded content.
    Renewed {
        /// The tools of calls that may or may not have been carried out; they aren't repeated.
        unknown: Vec<String>,
    },
    /// The user stopped the run.
    Stopped,
    /// The run is halted until the user continues it.
    Paused {
        /// The cause of the halt.
        by: Stop,
    },
    /// The user continued a stopped or paused run.
    Continued,
    /// The run could not continue.
    Failed {
        /// The cause, and what to do.
        failure: Failure,
    },
    /// The run ended. Reported exactly once for each end (`response_complete`, DETAILS §11).
    RunEnded {
        /// The final status.
        status: Status,
    },
}

/// The page that a run captured.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRead {
    /// The page's title.
    pub title: String,
    /// The page's address.
    pub url: String,
    /// Chrome's id of the document.
    pub document: String,
    /// The number of words in the main content.
    pub words: u32,
}

/// The phases of a run (SPEC §11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Reading the page, before the first step.
    Reading,
    /// The Reason part of a step.
    Thinking,
    /// The Act part of a step.
    Executing,
    /// The Observe part of a step.
    Analysing,
    /// Learning from a failure.
    Reflecting,
    /// Writing the answer.
    Synthesising,
}

/// The status of a run (DETAILS §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The run is active.
    Running,
    /// The run is halted until the user continues it; no worker is needed.
    Paused,
    /// The run waits for the user; no worker is needed.
    AwaitingUser,
    /// The answer is complete.
    Completed,
    /// A limit or the user ended the run.
    Terminated(Bound),
    /// The run could not continue.
    Failed,
}
