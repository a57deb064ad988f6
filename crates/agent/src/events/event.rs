//! What happens in a run, as its surfaces and its log are told.
//!
//! One enum, two readers (SPEC §11): the interface folds events into what it
//! shows, the log lists them. What follows from an effect is derived from the
//! journal's records by [`crate::Timeline`]; what the loop itself states
//! (a thought, an observation, a bound) is noted in the journal as its event.

use crate::config::{Edit, Goal, Mode, Reflection};
use crate::events::{Answer, Bound, Failure, Speaker, Spender, SpendingLimit, Verdict, Wait};
use gloss_durable::{RunId, Stop};
use gloss_markdown::Block;
use gloss_model::Micros;
use gloss_model::phrase::{Phrase, Said};
use gloss_tools::{Aided, CallEnd, Minded, ToolLabel};
use serde::{Deserialize, Serialize};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// The run began.
    RunStarted {
        /// What is asked for.
        goal: Goal,
        /// The most steps it may take.
        max_steps: u8,
        /// Who answers.
        model: Speaker,
        /// Whether tools are used.
        mode: Mode,
    },
    /// The run goes on from the middle of another.
    Forked {
        /// The other.
        from: RunId,
        /// The step at which it was forked, from 1.
        step: u8,
        /// What was changed there.
        edit: Edit,
        /// The last record that both have.
        seq: u64,
    },
    /// The run waits for a permission that only the person can give.
    PermissionNeeded {
        /// Which.
        wait: Wait,
    },
    /// The person answered; the run goes on with it or without.
    PermissionAnswered {
        /// How.
        verdict: Verdict,
    },
    /// A message came while the run was at work, and waits to be read.
    MessageQueued {
        /// Its id.
        message: RunId,
        /// What it asks for.
        goal: Goal,
    },
    /// The person took a waiting message back.
    MessageTakenBack {
        /// Its id.
        message: RunId,
    },
    /// The agent read a waiting message.
    MessageRead {
        /// Its id.
        message: RunId,
    },
    /// A model's call failed and is made again.
    ModelRetried {
        /// The try that follows, from 2.
        attempt: u8,
        /// What was the matter.
        failure: Failure,
        /// The wait before it.
        wait_ms: u64,
    },
    /// Another model took over.
    ModelChanged {
        /// Who answered until now.
        from: Speaker,
        /// Who answers from here on.
        to: Speaker,
        /// Why, where the one before failed.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        failure: Option<Failure>,
    },
    /// The page was captured.
    PageRead {
        /// What was read.
        page: PageRead,
    },
    /// The run went over to another phase, or to the same one of a new step.
    PhaseChanged {
        /// Which.
        phase: Phase,
        /// The step, from 1.
        step: u8,
        /// The bound on steps as known now.
        max_steps: u8,
    },
    /// The agent said why it acts.
    ThoughtFormed {
        /// The step, from 1.
        step: u8,
        /// The thought.
        thought: Said,
    },
    /// The calls of a step were chosen and wait their turn: told where there are several, or
    /// where some are not made.
    CallsChosen {
        /// In order.
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
        /// What it is called with, as JSON.
        #[serde(default)]
        arguments: String,
    },
    /// A call of several steps went on to the next.
    ToolProgressed {
        /// The step, from 1.
        step: u8,
        /// The call's id.
        call: String,
        /// What it is doing.
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
        /// How.
        #[serde(alias = "success")]
        end: CallEnd,
        /// The observation in one line (SPEC §4).
        summary: Phrase,
        /// How long it took.
        duration_ms: u64,
        /// What the image shows that it gave; its bytes are asked for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
        /// What became of the facts that it was to remember.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        minded: Vec<Minded>,
        /// What a model reads of it, estimated in tokens.
        #[serde(default)]
        tokens: u32,
        /// What it asked of models itself came to, in millionths of a dollar; `None` where a
        /// price is not known.
        #[serde(default)]
        cost: Option<Micros>,
        /// What that was, all tries together: a large outcome is not in its record, and who
        /// counts what the run used looks at no other.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        aided: Vec<Aided>,
    },
    /// The agent said what the results mean.
    ObservationMade {
        /// The step, from 1.
        step: u8,
        /// The observation.
        observation: Said,
        /// Whether the goal is met.
        goal_met: bool,
    },
    /// The confidence gate refused an answer.
    AnswerRefused {
        /// The step, from 1.
        step: u8,
        /// The answer's confidence, 0 to 1.
        confidence: f32,
        /// What the style asks for, 0 to 1.
        threshold: f32,
    },
    /// The growing answer: what stands before `frozen` stays, the rest is `tail`.
    AnswerGrew {
        /// How many blocks stay as they are.
        frozen: usize,
        /// The blocks after them.
        tail: Vec<Block>,
    },
    /// The worker died inside the call that wrote the growing answer: the call
    /// is made again from the start.
    AnswerRestarted,
    /// The answer, whole.
    AnswerGiven {
        /// The answer.
        answer: Answer,
    },
    /// Tokens used so far by the run.
    TokensUsed {
        /// Input and output together.
        total: u32,
        /// What they cost, in millionths of a dollar; `None` where a price is not known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        cost: Option<Micros>,
        /// The tool that asked a model itself, and which; `None`: the run asked its own.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<Spender>,
    },
    /// A call failed: why, and what to do instead.
    Reflected {
        /// The step, from 1.
        step: u8,
        /// What was learned.
        reflection: Reflection,
    },
    /// What was learned was in view when its tool was called again.
    ReflectionApplied {
        /// The reflections' ids.
        ids: Vec<String>,
        /// The step in which it was, from 1.
        step: u8,
    },
    /// What is old of the run was written anew, shorter, so that it fits.
    Compacted {
        /// What all of it cost a model to read, estimated in tokens.
        before: u32,
        /// What it costs now.
        after: u32,
    },
    /// A budget is nearly used up; told once for each.
    BudgetNear {
        /// Which.
        budget: SpendingLimit,
        /// How much of it is used, in percent.
        percent: u8,
    },
    /// A bound ended the loop; the answer says so.
    BoundHit {
        /// Which.
        bound: Bound,
        /// What a fork would change to go on, where that would help.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        more: Option<Edit>,
    },
    /// The worker died and the run went on without repeating anything.
    Resumed,
    /// The worker died while calls were under way: steps of theirs are sent once more.
    AskedAgain {
        /// What they do, in the order of their places.
        what: Vec<Phrase>,
    },
    /// The run goes on behind a pause that cut calls off: steps of theirs are sent once more.
    SentAgain {
        /// What they do, in the order of their places.
        what: Vec<Phrase>,
    },
    /// What was asked of a model was given up, by the worker's death or a stop: its prompt is
    /// charged, by estimate. In no total of [`Event::TokensUsed`].
    CallAbandoned {
        /// Of the prompt.
        tokens: u32,
        /// What they cost, in millionths of a dollar; `None` where a price is not known.
        cost: Option<Micros>,
        /// The tool that asked a model itself, and which; `None`: the run asked its own.
        by: Option<Spender>,
    },
    /// The run waits for a time; no worker need live until then.
    Deferred {
        /// Until when, in milliseconds since the Unix epoch.
        until_ms: u64,
    },
    /// Gloss was updated: the run goes on afresh with what was gathered.
    Renewed {
        /// The tools of the calls of which it is not known whether they were carried
        /// out; they are not repeated.
        unknown: Vec<String>,
    },
    /// The user stopped the run.
    Stopped,
    /// The run stands still until the user lets it go on.
    Paused {
        /// Who halted it.
        by: Stop,
    },
    /// The user let a stopped or paused run go on.
    Continued,
    /// The run could not go on.
    Failed {
        /// Why, and what to do.
        failure: Failure,
    },
    /// The run ended; exactly once for each end (`response_complete`, DETAILS §11).
    RunEnded {
        /// How.
        status: Status,
    },
}

/// What a page's capture gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageRead {
    /// Its title.
    pub title: String,
    /// Its address.
    pub url: String,
    /// Chrome's id of the document.
    pub document: String,
    /// The words of its main content.
    pub words: u32,
}

/// The phases of SPEC §11.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Reading the page, before the first step.
    Reading,
    /// Reason.
    Thinking,
    /// Act.
    Executing,
    /// Observe.
    Analysing,
    /// Learning from a failure.
    Reflecting,
    /// Writing the answer.
    Synthesising,
}

/// Where a run stands (DETAILS §2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// At work.
    Running,
    /// Stands still until the person lets it go on; no worker need live.
    Paused,
    /// Waits for the person; no worker need live.
    AwaitingUser,
    /// The answer stands.
    Completed,
    /// A bound or the user ended it.
    Terminated(Bound),
    /// It could not go on.
    Failed,
}
