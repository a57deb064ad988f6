//! One run as a surface shows it: a fold over its events.

use super::{CallShown, CallState, Learned, Seam};
use gloss_agent::fork::Forked;
use gloss_agent::{
    Answer, Event, Failure, Goal, Mode, PageRead, Phase, RunUsage, Speaker, SpendingLimit, Status,
    Wait,
};
use gloss_durable::{RunId, silence_ms};
use gloss_markdown::Block;
use gloss_model::phrase::{Phrase, Said, phrase};
use gloss_model::{Choice, Finish, Micros};
use serde::{Deserialize, Serialize};

/// One run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Turn {
    /// Its id.
    pub run: RunId,
    /// What was asked.
    pub goal: Goal,
    /// Who answers.
    pub model: Speaker,
    /// Whether tools are used.
    pub mode: Mode,
    /// The page it read.
    pub page: Option<PageRead>,
    /// Where it stands.
    pub status: Status,
    /// What it waits for, while it awaits the person.
    pub wait: Option<Wait>,
    /// Until when it waits for a time, in milliseconds since the Unix epoch, with nothing
    /// at work meanwhile.
    pub until_ms: Option<u64>,
    /// What it is doing, while running.
    pub phase: Phase,
    /// The step, from 1; 0 before the first.
    pub step: u8,
    /// The bound on steps.
    pub max_steps: u8,
    /// The try of the model's call in flight, from 1.
    pub attempt: u8,
    /// The tool at work.
    pub tool: Option<String>,
    /// What its models used.
    pub usage: RunUsage,
    /// Budgets that are nearly used up.
    pub near: Vec<Near>,
    /// The fork that goes on where a budget ended it.
    pub more: Option<Forked>,
    /// When it began.
    pub started_at_ms: u64,
    /// When it last ended.
    pub ended_at_ms: Option<u64>,
    /// How long it has been at work: pauses, waits and the sleep between lives left out
    /// (DETAILS §2), in milliseconds.
    pub active_ms: u64,
    /// Since when it is at work beyond that; `None` while it is not.
    pub active_since_ms: Option<u64>,
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
    /// What was thought, done and observed (the trajectory).
    pub steps: Vec<StepShown>,
    /// Messages that came while it was at work, in order.
    pub messages: Vec<Queued>,
}

impl Turn {
    /// A turn of which nothing is known yet.
    pub fn new(run: RunId) -> Self {
        Self {
            run,
            goal: Goal::Summarize,
            model: Speaker::of(&Choice::Embedded),
            mode: Mode::Agent,
            page: None,
            status: Status::Running,
            wait: None,
            until_ms: None,
            phase: Phase::Reading,
            step: 0,
            max_steps: 0,
            attempt: 1,
            tool: None,
            usage: RunUsage::default(),
            near: Vec::new(),
            more: None,
            started_at_ms: 0,
            ended_at_ms: None,
            active_ms: 0,
            active_since_ms: None,
            growing: Vec::new(),
            answer: None,
            seams: Vec::new(),
            remarks: Vec::new(),
            failure: None,
            steps: Vec::new(),
            messages: Vec::new(),
        }
    }

    /// Folds one event in, which happened at `at_ms`.
    pub fn fold(&mut self, event: &Event, at_ms: u64) {
        // A charge is no moment of work: it may stand before a life's first word.
        if matches!(event, Event::CallAbandoned { .. }) {
            self.take(event, at_ms);
            return;
        }
        // What a life's first word ends was no work of anybody's.
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

    /// How long it has been at work by `now_ms`, in milliseconds.
    pub fn active_ms_at(&self, now_ms: u64) -> u64 {
        let since = self.active_since_ms.map(|since| silence_ms(since, now_ms));
        self.active_ms.saturating_add(since.unwrap_or_default())
    }

    /// Whether there is an answer that was cut off, by its length or on its way:
    /// it can be gone on with.
    pub fn is_cut(&self) -> bool {
        let broke_off = |failure: &Failure| failure.code == "model_cut";
        match &self.answer {
            Some(answer) => answer.finish == Finish::Length,
            None => self.failure.as_ref().is_some_and(broke_off) && !self.growing.is_empty(),
        }
    }
}

/// A budget of which a run has used up so much that the person is warned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Near {
    /// Which.
    pub budget: SpendingLimit,
    /// How much of it is used, in percent.
    pub percent: u8,
}

/// A message that came while a run was at work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Queued {
    /// Its id: the `run` that it was started with, and will have as a turn of its
    /// own if this run does not come to read it.
    pub message: RunId,
    /// What it asks for.
    pub goal: Goal,
    /// When the run read it; `None` while it waits.
    pub read_at_ms: Option<u64>,
}

/// A step of the loop.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepShown {
    /// From 1.
    pub number: u8,
    /// When it began.
    pub started_at_ms: u64,
    /// When the last thing in it happened.
    pub ended_at_ms: u64,
    /// Why the agent acts.
    pub thought: Option<Said>,
    /// What it called.
    pub calls: Vec<CallShown>,
    /// What the results mean.
    pub observation: Option<Said>,
    /// Whether the goal was met then.
    pub goal_met: bool,
    /// Tokens used in it.
    pub tokens: u32,
    /// What they cost; `None` where a price is not known.
    pub cost: Option<Micros>,
    /// The failed tries of its model calls, in order.
    pub failures: Vec<Failure>,
    /// What was learned from the calls that failed.
    #[serde(default)]
    pub reflections: Vec<Learned>,
}

impl StepShown {
    /// A step of which nothing is known but its beginning.
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

    /// How many of its calls are over, and how many there are; `None` where there is nothing
    /// to count.
    pub fn progress(&self) -> Option<(usize, usize)> {
        let all = self.calls.len();
        let over = self.calls.iter().filter(|call| call.state.is_over());
        let over = over.count();
        (all > 1 && over < all).then_some((over, all))
    }

    /// What its call at work is doing, where that says so.
    pub fn doing(&self) -> Option<&Phrase> {
        let mut at_work = self
            .calls
            .iter()
            .filter(|call| call.state == CallState::Running);
        at_work.find_map(|call| call.doing.as_ref())
    }

    /// What has not ended with the run was cut off, or never begun.
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

    /// A call begins; one of the same id was begun in another life, or failed, and
    /// keeps its place.
    pub(super) fn begin(&mut self, call: CallShown) {
        match self.calls.iter_mut().find(|known| known.id == call.id) {
            Some(known) => *known = call,
            None => self.calls.push(call),
        }
    }
}
