//! A run as a surface shows it, computed from the run's events.

use super::{CallShown, CallState, LearnedLesson, Notice};
use gloss_agent::fork::ForkOrigin;
use gloss_agent::{
    Answer, Event, Failure, Goal, Mode, ModelIdentity, PageRead, Phase, RunUsage, SpendingLimit,
    Status, Timeline, Wait,
};
use gloss_durable::{Record, RunId, silence_ms};
use gloss_markdown::Block;
use gloss_model::phrase::{DisplayText, Phrase, phrase};
use gloss_model::{Finish, Micros};
use serde::{Deserialize, Serialize};

/// One run of a conversation.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// The run's id.
    pub run: RunId,
    /// The goal of the run.
    pub goal: Goal,
    /// The model that answers.
    pub model: ModelIdentity,
    /// The mode: with tools as an agent, or a single answer.
    pub mode: Mode,
    /// The page that the run read.
    pub page: Option<PageRead>,
    /// The run's status.
    pub status: Status,
    /// The user's decision that the run waits for; `None` if the run doesn't wait for the user.
    pub wait: Option<Wait>,
    /// The time until which the run waits without a worker, in milliseconds since the Unix epoch.
    pub until_ms: Option<u64>,
    /// The current phase of the step.
    pub phase: Phase,
    /// The number of the current step, from 1; 0 before the first step.
    pub step: u8,
    /// The maximum number of steps.
    pub max_steps: u8,
    /// The number of the attempt at the current model call, from 1.
    pub attempt: u8,
    /// The name of the running tool.
    pub tool: Option<String>,
    /// The usage of the run's models.
    pub usage: RunUsage,
    /// The limits that are nearly reached.
    pub near: Vec<LimitWarning>,
    /// The fork that continues the run after it reached a limit. `None` if the run did not reach
    /// one.
    pub more: Option<ForkOrigin>,
    /// The start of the run, in milliseconds since the Unix epoch.
    pub started_at_ms: u64,
    /// The time at which the run last ended, in milliseconds since the Unix epoch.
    pub ended_at_ms: Option<u64>,
    /// The time during which the run was active, in milliseconds. Pauses, waits and the time
    /// between two workers are not included.
    pub active_ms: u64,
    /// The start of the active time that `active_ms` doesn't include yet, in milliseconds since the
    /// Unix epoch. `None` while the run is not active.
    pub active_since_ms: Option<u64>,
    /// The part of the answer that was streamed so far. It is empty once the answer is complete.
    pub growing: Vec<Block>,
    /// The complete answer.
    pub answer: Option<Answer>,
    /// The notices about unusual events of the run, in order.
    pub notices: Vec<Notice>,
    /// Remarks under the answer, for example that a limit was reached or that the confidence is
    /// low.
    pub remarks: Vec<Phrase>,
    /// The reason for which the run failed.
    pub failure: Option<Failure>,
    /// The steps, with thoughts, tool calls and observations.
    pub steps: Vec<StepShown>,
    /// The messages that arrived while the run was active, in order.
    pub messages: Vec<QueuedMessage>,
}

impl Turn {
    /// Creates a turn without any events.
    pub fn new(run: RunId) -> Self {
        Self {
            run,
            attempt: 1,
            ..Self::default()
        }
    }

    /// Returns the turn and the timeline that result from a run's records.
    pub(crate) fn of(run: &RunId, records: &[Record]) -> (Timeline, Self) {
        let (mut timeline, mut turn) = (Timeline::default(), Self::new(run.clone()));
        for record in records {
            for event in timeline.read(record) {
                turn.fold(&event, record.at_ms);
            }
        }
        (timeline, turn)
    }

    /// Applies an event that happened at `at_ms`.
    pub fn fold(&mut self, event: &Event, at_ms: u64) {
        // This event may be the first one after the worker died. It doesn't mean that the run was
        // active before.
        if matches!(event, Event::CallAbandoned { .. }) {
            self.take(event, at_ms);
            return;
        }
        // These events are the first ones after the worker died. The run was not active before
        // them.
        if !matches!(
            event,
            Event::Resumed | Event::AskedAgain { .. } | Event::AnswerRestarted
        ) {
            self.active_ms = self.active_ms_at(at_ms);
        }
        self.take(event, at_ms);
        let works = self.status == Status::Running && self.until_ms.is_none();
        self.active_since_ms = works.then_some(at_ms);
    }

    /// Returns the active time until `now_ms`, in milliseconds.
    pub fn active_ms_at(&self, now_ms: u64) -> u64 {
        let since = self.active_since_ms.map(|since| silence_ms(since, now_ms));
        self.active_ms.saturating_add(since.unwrap_or_default())
    }

    /// Returns true if the answer is incomplete and can be continued. The answer was cut off by its
    /// length limit or by a lost connection.
    pub fn is_cut(&self) -> bool {
        let broke_off = |failure: &Failure| failure.code == "model_cut";
        match &self.answer {
            Some(answer) => answer.finish == Finish::Length,
            None => self.failure.as_ref().is_some_and(broke_off) && !self.growing.is_empty(),
        }
    }
}

/// A warning that a limit is nearly reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LimitWarning {
    /// The limit.
    pub budget: SpendingLimit,
    /// The used share, in percent.
    pub percent: u8,
}

/// A message that arrived while a run was active.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueuedMessage {
    /// The message's id: the `run` of the command that sent the message. If the active run doesn't
    /// read the message, a later turn with this id answers it.
    pub message: RunId,
    /// The goal of the message.
    pub goal: Goal,
    /// The time at which the run read the message, in milliseconds since the Unix epoch. `None`
    /// while it is unread.
    pub read_at_ms: Option<u64>,
}

/// A step of the run: a thought, its tool calls, and an observation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepShown {
    /// The step's number, from 1.
    pub number: u8,
    /// The start of the step, in milliseconds since the Unix epoch.
    pub started_at_ms: u64,
    /// The time of the step's last event, in milliseconds since the Unix epoch.
    pub ended_at_ms: u64,
    /// The thought: the model's reason for the step's tool calls.
    pub thought: Option<DisplayText>,
    /// The step's tool calls.
    pub calls: Vec<CallShown>,
    /// The observation: the model's conclusion from the tool results.
    pub observation: Option<DisplayText>,
    /// True if the model judged the goal to be met.
    pub goal_met: bool,
    /// The number of tokens used in the step.
    pub tokens: u32,
    /// The cost of the step's tokens; `None` if a price is unknown.
    pub cost: Option<Micros>,
    /// The failures of the step's model calls, in order.
    pub failures: Vec<Failure>,
    /// The lessons from the step's failed tool calls.
    #[serde(default)]
    pub reflections: Vec<LearnedLesson>,
}

impl StepShown {
    /// Creates a step that has just begun.
    pub(super) fn begun(number: u8, at_ms: u64) -> Self {
        Self {
            number,
            started_at_ms: at_ms,
            ended_at_ms: at_ms,
            thought: None,
            calls: Vec::new(),
            observation: None,
            goal_met: false,
            tokens: 0,
            cost: Some(0),
            failures: Vec::new(),
            reflections: Vec::new(),
        }
    }

    /// Returns the number of finished calls and the number of all calls. `None` if there are fewer
    /// than two calls or all are finished.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let all = self.calls.len();
        let over = self.calls.iter().filter(|call| call.state.is_over());
        let over = over.count();
        (all > 1 && over < all).then_some((over, all))
    }

    /// Returns the stage of the running call, if the call reports one.
    pub fn doing(&self) -> Option<&Phrase> {
        let mut at_work = self
            .calls
            .iter()
            .filter(|call| call.state == CallState::Running);
        at_work.find_map(|call| call.doing.as_ref())
    }

    /// Marks the calls that had not ended when the run ended. Running calls become failed, and
    /// pending calls become skipped.
    pub(super) fn cut_off(&mut self) {
        for call in &mut self.calls {
            let (state, words) = match call.state {
                CallState::Pending => (CallState::Skipped, "tool_not_begun"),
                CallState::Running => (CallState::Failed, "tool_cut_off"),
                CallState::Completed
                | CallState::Failed
                | CallState::TimedOut
                | CallState::Skipped
                | CallState::Rejected => continue,
            };
            call.state = state;
            call.doing = None;
            call.summary = Some(phrase(words));
        }
    }

    /// Adds a call. A call with the id of a known call replaces it at the same position in the
    /// list.
    pub(super) fn begin(&mut self, call: CallShown) {
        match self.calls.iter_mut().find(|known| known.id == call.id) {
            Some(known) => *known = call,
            None => self.calls.push(call),
        }
    }
}
