//! The events of a run, which the interface and the log receive.
//!
//! A surface (popup, side panel, Options) computes its display from the events. The log of a
//! trajectory contains most of them (SPEC §11). [`crate::Timeline`] derives some events from
//! recorded effects: a recorded tool call yields [`Event::ToolStarted`]. The loop writes the other
//! events, such as a thought or a reached limit, to the journal itself.

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
        /// The original run.
        from: RunId,
        /// The step at which the fork begins, from 1.
        step: u8,
        /// The change that the user made at that step.
        edit: Edit,
        /// The number of the last record that the original run and the fork share.
        seq: u64,
    },
    /// The run waits for a permission that only the user can give.
    PermissionNeeded {
        /// The wait, with the permission that the run needs.
        wait: Wait,
    },
    /// The user decided about a permission. The run continues with or without the permission.
    PermissionAnswered {
        /// The user's decision.
        verdict: Verdict,
    },
    /// The user sent a message during the run. The agent has not read the message yet.
    MessageQueued {
        /// The message's id.
        message: RunId,
        /// The message's goal.
        goal: Goal,
    },
    /// The user withdrew a message that the agent had not read.
    MessageTakenBack {
        /// The message's id.
        message: RunId,
    },
    /// The agent read a message that the user had sent during the run.
    MessageRead {
        /// The message's id.
        message: RunId,
    },
    /// A model call failed, and the run makes the call again.
    ModelRetried {
        /// The number of the next try, from 2.
        attempt: u8,
        /// The failure of the last try.
        failure: Failure,
        /// The wait before the next try, in milliseconds.
        wait_ms: u64,
    },
    /// Another model answers from now on.
    ModelChanged {
        /// The model that answered until now.
        from: ModelIdentity,
        /// The model that answers from now on.
        to: ModelIdentity,
        /// The previous model's failure, if it failed.
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
        /// The maximum number of steps. The maximum can change when a model states the task's
        /// complexity.
        max_steps: u8,
    },
    /// The agent stated why it acts.
    ThoughtFormed {
        /// The step, from 1.
        step: u8,
        /// The thought.
        thought: DisplayText,
    },
    /// The model chose the tool calls of a step. The event is reported only if there are several
    /// calls, or if Gloss does not make some of the calls.
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
    /// A running tool call began another activity, such as reading a page.
    ToolProgressed {
        /// The step, from 1.
        step: u8,
        /// The call's id.
        call: String,
        /// The activity that began.
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
        /// The result in one line (SPEC §4).
        summary: Phrase,
        /// The duration, in milliseconds.
        duration_ms: u64,
        /// The description of the image that the call returned. The event does not contain the
        /// image's bytes; a surface requests them separately.
        picture: Option<String>,
        /// For each fact that the call should remember: saved or refused.
        #[serde(default)]
        saved_facts: Vec<FactOutcome>,
        /// The length of the result as a model reads it, in estimated tokens.
        #[serde(default)]
        tokens: u32,
        /// The cost of the model calls that the tool made, in millionths of a dollar; `None` if a
        /// price is unknown.
        cost: Option<Micros>,
        /// The model calls that the tool made, in all tries. The tokens of these calls are counted
        /// from this field, because the record of a large outcome contains only a hash of the
        /// outcome.
        #[serde(default)]
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
    /// The confidence gate refused an answer, because the answer's confidence is too low.
    AnswerRefused {
        /// The step, from 1.
        step: u8,
        /// The answer's confidence, 0 to 1.
        confidence: f32,
        /// The confidence that the run's style requires, 0 to 1.
        threshold: f32,
    },
    /// The streamed answer changed: the first `frozen` blocks stay, and `tail` replaces all later
    /// blocks.
    AnswerGrew {
        /// The number of blocks at the beginning that stay as they are.
        frozen: usize,
        /// The blocks that replace all later blocks.
        tail: Vec<Block>,
    },
    /// The worker died during the call that wrote the answer. The model writes the answer again
    /// from the start.
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
        /// The cost of these tokens, in millionths of a dollar; `None` if a price is unknown.
        cost: Option<Micros>,
        /// The tool that made the last model call, and the called model; `None` if the loop made
        /// the call.
        by: Option<Spender>,
    },
    /// A tool call failed, and the agent learned a lesson from the failure.
    Reflected {
        /// The step, from 1.
        step: u8,
        /// The lesson: the cause, and what to do instead.
        reflection: Lesson,
    },
    /// A tool call succeeded after the model had read lessons about the tool's earlier failures.
    ReflectionApplied {
        /// The ids of the lessons.
        ids: Vec<String>,
        /// The step of the successful call, from 1.
        step: u8,
    },
    /// Old messages of the transcript were rewritten or cut, so that the prompt fits the context
    /// window.
    Compacted {
        /// The transcript's length before, in estimated tokens.
        before: u32,
        /// The transcript's length after, in estimated tokens.
        after: u32,
    },
    /// A limit is nearly reached. A run reports the event once for each limit.
    BudgetNear {
        /// The limit.
        budget: SpendingLimit,
        /// The used share of the limit, in percent.
        percent: u8,
    },
    /// A limit ended the loop. A remark below the answer names the limit.
    BoundHit {
        /// The limit that was reached.
        bound: Bound,
        /// The edit with which a fork gets a higher limit; `None` if no edit raises the limit.
        more: Option<Edit>,
    },
    /// The worker died, and the next worker continues the run. No request has to be sent again.
    Resumed,
    /// The worker died during calls. The next worker sends the interrupted requests again.
    AskedAgain {
        /// The activities that are repeated, in order.
        what: Vec<Phrase>,
    },
    /// The user continued a paused run. Gloss sends again the requests that the pause interrupted.
    SentAgain {
        /// The activities that are repeated, in order.
        what: Vec<Phrase>,
    },
    /// A model call was abandoned, because the worker died or the run was stopped. The tokens of
    /// the call's prompt are estimated. [`Event::TokensUsed`] does not include them.
    CallAbandoned {
        /// The length of the prompt, in tokens.
        tokens: u32,
        /// The cost of the prompt, in millionths of a dollar; `None` if a price is unknown.
        cost: Option<Micros>,
        /// The tool that made the model call, and the called model; `None` if the loop made the
        /// call.
        by: Option<Spender>,
    },
    /// The run waits for a timer. Chrome may stop the worker until then.
    Deferred {
        /// The end of the wait, in milliseconds since the Unix epoch.
        until_ms: u64,
    },
    /// Gloss was updated during the run. The run starts again, with its recorded content in the
    /// transcript.
    Renewed {
        /// The names of tools whose calls may or may not have been carried out. The run does not
        /// repeat these calls.
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
    /// The run ended. If the user continues the run, the run reports this event again at its next
    /// end (`response_complete`, DETAILS §11).
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Reading the page, before the first step.
    #[default]
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
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The run is active.
    #[default]
    Running,
    /// The run is halted until the user continues the run. Chrome may stop the worker until then.
    Paused,
    /// The run waits for the user's decision. Chrome may stop the worker until then.
    AwaitingUser,
    /// The answer is complete.
    Completed,
    /// A limit or the user ended the run.
    Terminated(Bound),
    /// The run could not continue.
    Failed,
}
