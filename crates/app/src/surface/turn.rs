//! One run as a surface shows it: a fold over its events.

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
    /// Its id.
    pub run: RunId,
    /// The goal of the run.
    pub goal: Goal,
    /// The model that answers.
    pub model: ModelIdentity,
    /// The mode: as an agent with tools, or without.
    pub mode: Mode,
    /// The page that the run read.
    pub page: Option<PageRead>,
    /// The run's status.
    pub status: Status,
    /// The permission that the run waits for, while it awaits the user.
    pub wait: Option<Wait>,
    /// The time until which the run waits with nothing running, in milliseconds since the Unix
    /// epoch.
    pub until_ms: Option<u64>,
    /// The current phase, while running.
    pub phase: Phase,
    /// The current step, from 1; 0 before the first.
    pub step: u8,
    /// The limit on steps.
    pub max_steps: u8,
    /// The attempt of the model call in flight, from 1.
    pub attempt: u8,
    /// The running tool.
    pub tool: Option<String>,
    /// The usage of the run's models.
    pub usage: RunUsage,
    /// Limits that are nearly reached.
    pub near: Vec<LimitWarning>,
    /// The fork that can continue the run after a limit ended it.
    pub more: Option<ForkOrigin>,
    /// The start of the run, in milliseconds since the Unix epoch.
    pub started_at_ms: u64,
    /// The last end of the run, in milliseconds since the Unix epoch.
    pub ended_at_ms: Option<u64>,
    /// The running time without pauses, waits and the gaps between lives (DETAILS §2), in
    /// milliseconds.
    pub active_ms: u64,
    /// The start of the running time not yet in `active_ms`; `None` while the run is not running.
    pub active_since_ms: Option<u64>,
    /// The streamed part of the answer; empty once the answer is complete.
    pub growing: Vec<Block>,
    /// The complete answer.
    pub answer: Option<Answer>,
    /// Unusual events of the run, in order.
    pub seams: Vec<Notice>,
    /// Notes under the answer, about a limit or low confidence.
    pub remarks: Vec<Phrase>,
    /// The reason of a failure.
    pub failure: Option<Failure>,
    /// The thoughts, tool calls and observations (the trajectory).
    pub steps: Vec<StepShown>,
    /// Messages that arrived while the run was active, in order.
    pub messages: Vec<QueuedMessage>,
}

impl Turn {
    /// A turn without any events yet.
    pub fn new(run: RunId) -> Self {
        Self {
            run,
            attempt: 1,
            ..Self::default()
        }
    }

    /// A run as its records make it, with the timeline that it follows from.
    pub(crate) fn of(run: &RunId, records: &[Record]) -> (Timeline, Self) {
        let (mut timeline, mut turn) = (Timeline::default(), Self::new(run.clone()));
        for record in records {
            for event in timeline.read(record) {
                turn.fold(&event, record.at_ms);
            }
        }
        (timeline, turn)
    }

    /// Folds in one event, which happened at `at_ms`.
    pub fn fold(&mut self, event: &Event, at_ms: u64) {
        // A charge does not show that the run was active: it may come before a life's first event.
        if matches!(event, Event::CallAbandoned { .. }) {
            self.take(event, at_ms);
            return;
        }
        // The run was not active before a life's first event.
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

    /// The running time by `now_ms`, in milliseconds.
    pub fn active_ms_at(&self, now_ms: u64) -> u64 {
        let since = self.active_since_ms.map(|since| silence_ms(since, now_ms));
        self.active_ms.saturating_add(since.unwrap_or_default())
    }

    /// Returns true if the answer was cut off, by its length limit or by a lost connection, and can
    /// be continued.
    pub fn is_cut(&self) -> bool {
        let broke_off = |failure: &Failure| failure.code == "model_cut";
        match &self.answer {
            Some(answer) => answer.finish == Finish::Length,
            None => self.failure.as_ref().is_some_and(broke_off) && !self.growing.is_empty(),
        }
    }
}

/// A limit of which so much is used that the user is warned.
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
    /// Its id: the `run` that it was started with. If this run does not read the message, a later
    /// turn with that id does.
    pub message: RunId,
    /// The goal of the message.
    pub goal: Goal,
    /// The time at which the run read it; `None` while it waits.
    pub read_at_ms: Option<u64>,
}

/// A step of the loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepShown {
    /// The step's number, from 1.
    pub number: u8,
    /// The start of the step, in milliseconds since the Unix epoch.
    pub started_at_ms: u64,
    /// The last event of the step, in milliseconds since the Unix epoch.
    pub ended_at_ms: u64,
    /// The reason for the step's tool calls.
    pub thought: Option<DisplayText>,
    /// The tool calls.
    pub calls: Vec<CallShown>,
    /// The meaning of the results.
    pub observation: Option<DisplayText>,
    /// True if the model judged the goal to be met.
    pub goal_met: bool,
    /// Tokens used in the step.
    pub tokens: u32,
    /// The cost of those tokens; `None` if a price is unknown.
    pub cost: Option<Micros>,
    /// The failed attempts of the step's model calls, in order.
    pub failures: Vec<Failure>,
    /// Lessons from the failed tool calls.
    #[serde(default)]
    pub reflections: Vec<LearnedLesson>,
}

impl StepShown {
    /// A step that has just begun.
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

    /// The number of finished calls and of all calls; `None` with fewer than two calls or when all
    /// are finished.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let all = self.calls.len();
        let over = self.calls.iter().filter(|call| call.state.is_over());
        let over = over.count();
        (all > 1 && over < all).then_some((over, all))
    }

    /// The stage of the running call, if it reports one.
    pub fn doing(&self) -> Option<&Phrase> {
        let mut at_work = self
            .calls
            .iter()
            .filter(|call| call.state == CallState::Running);
        at_work.find_map(|call| call.doing.as_ref())
    }

    /// Marks calls that did not end with the run: running ones as failed, pending ones as skipped.
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

    /// Adds a call. One with a known id was begun in another life, or failed, and keeps its place.
    pub(super) fn begin(&mut self, call: CallShown) {
        match self.calls.iter_mut().find(|known| known.id == call.id) {
            Some(known) => *known = call,
            None => self.calls.push(call),
        }
    }
}
