//! Applies events to the snapshot that a surface shows.

use super::{
    CallShown, CallState, ConversationSettings, LearnedLesson, LimitWarning, ModelOption, Notice,
    QueuedMessage, Snapshot, StepShown, TabContent, Turn, Update,
};
use gloss_agent::fork::ForkOrigin;
use gloss_agent::{Event, Goal, Status, Wait};
use gloss_durable::RunId;
use gloss_tools::ToolLabel;

/// The result of [`Snapshot::apply`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdateResult {
    /// The update had the expected number, and was applied.
    Yes,
    /// The snapshot already included the update.
    Old,
    /// An earlier update is missing, or the update is from another worker. The surface must ask for
    /// a snapshot.
    Gap,
}

impl Snapshot {
    /// Applies an update if its number is one more than the number of the last update.
    pub fn apply(&mut self, update: &Update) -> UpdateResult {
        if update.epoch != self.epoch || update.n > self.n + 1 {
            return UpdateResult::Gap;
        }
        if update.n <= self.n {
            return UpdateResult::Old;
        }
        self.n = update.n;
        self.fold(&update.run, &update.event, update.at_ms);
        UpdateResult::Yes
    }

    /// Applies an event to the turn of `run`. A run without a turn is first added as a turn.
    pub fn fold(&mut self, run: &RunId, event: &Event, at_ms: u64) {
        if !self.turns.iter().any(|turn| turn.run == *run) {
            self.turns.push(Turn::new(run.clone()));
        }
        if let Some(turn) = self.turns.iter_mut().find(|turn| turn.run == *run) {
            turn.fold(event, at_ms);
        }
    }

    /// Shows a message that the worker has not confirmed yet. It is shown as a turn, or as a queued
    /// message of the open turn.
    pub fn expect(
        &mut self,
        run: &RunId,
        goal: &Goal,
        tuning: &ConversationSettings,
        replaces: Option<&RunId>,
        now_ms: u64,
    ) {
        let goal = goal.clone();
        let open = self.turns.iter_mut().rev().find(|turn| turn.is_open());
        if let Some(turn) = open.filter(|_| !matches!(goal, Goal::Explain { .. })) {
            let message = run.clone();
            turn.fold(&Event::MessageQueued { message, goal }, now_ms);
            return;
        }
        self.turns.retain(|turn| Some(&turn.run) != replaces);
        let offer = self.offers.iter().find(|offer| offer.id == tuning.model);
        let started = Event::RunStarted {
            goal,
            max_steps: 0,
            model: offer.map(ModelOption::speaker).unwrap_or_default(),
            mode: tuning.mode,
        };
        self.fold(run, &started, now_ms);
    }

    /// Returns true if the surface needs a worker now: a turn is running, or the page is being
    /// read. Turns that wait for the user or for a time need no worker.
    pub fn needs_worker(&self) -> bool {
        let works = |turn: &Turn| turn.status == Status::Running && turn.until_ms.is_none();
        self.beside == TabContent::Looking || self.turns.iter().any(works)
    }

    /// Returns the earliest time at which a turn stops waiting, in milliseconds since the Unix
    /// epoch. `None` if no turn waits for a time.
    pub fn goes_on_at_ms(&self) -> Option<u64> {
        let open = self.turns.iter().filter(|turn| turn.is_open());
        open.filter_map(|turn| turn.until_ms).min()
    }

    /// Returns the turn that is running, paused, or waiting for the user.
    pub fn running(&self) -> Option<&Turn> {
        self.turns.iter().rev().find(|turn| turn.is_open())
    }

    /// Creates a snapshot for a surface that has received none yet.
    pub fn unknown() -> Self {
        Self::default()
    }
}

impl Turn {
    /// Returns true if the turn is running, paused, or waiting for the user.
    pub fn is_open(&self) -> bool {
        matches!(
            self.status,
            Status::Running | Status::Paused | Status::AwaitingUser
        )
    }

    /// Applies an event to the turn.
    #[expect(clippy::too_many_lines, reason = "one arm an event, all of them here")]
    pub(super) fn take(&mut self, event: &Event, at_ms: u64) {
        match event {
            Event::RunStarted {
                goal,
                max_steps,
                model,
                mode,
            } => {
                self.goal = goal.clone();
                self.started_at_ms = at_ms;
                self.max_steps = *max_steps;
                self.model = model.clone();
                self.mode = *mode;
            }
            Event::Forked { step, .. } => self.notices.push(Notice::Forked { step: *step }),
            Event::PageRead { page } => self.page = Some(page.clone()),
            Event::PhaseChanged {
                phase,
                step,
                max_steps,
            } => {
                self.status = Status::Running;
                self.phase = *phase;
                self.step = *step;
                self.max_steps = *max_steps;
                self.until_ms = None;
                self.tool = None;
                // Another model call or tool call follows. The streamed text was not the final
                // answer, or the text will be streamed again.
                self.growing.clear();
            }
            Event::AnswerGrew { frozen, tail } => {
                self.growing.truncate(*frozen);
                self.growing.extend_from_slice(tail);
            }
            Event::AnswerRestarted => {
                self.growing.clear();
                self.restart(at_ms);
            }
            Event::AnswerGiven { answer } => {
                self.growing.clear();
                self.remarks.clone_from(&answer.remarks);
                self.answer = Some(answer.clone());
            }
            Event::Compacted { before, after } => self.notices.push(Notice::Compacted {
                before: *before,
                after: *after,
            }),
            Event::Resumed => self.resume(&[], at_ms),
            Event::AskedAgain { what } => self.resume(what, at_ms),
            Event::SentAgain { what } => self.send_again(what),
            Event::Deferred { until_ms } => self.until_ms = Some(*until_ms),
            Event::Renewed { unknown } => self.renew(unknown, at_ms),
            Event::Stopped => self.notices.push(Notice::Stopped { at_ms }),
            Event::Paused { by } => {
                self.status = Status::Paused;
                // The pause ends the request for a permission. The run repeats that request after
                // the pause.
                self.wait = None;
                self.notices.push(Notice::Paused {
                    at_ms,
                    by: *by,
                    until_ms: None,
                    again: Vec::new(),
                });
            }
            Event::Continued => {
                if let Some(Notice::Paused { until_ms, .. }) = self.notices.last_mut() {
                    until_ms.get_or_insert(at_ms);
                }
                self.status = Status::Running;
                self.ended_at_ms = None;
                self.failure = None;
            }
            Event::Failed { failure } => self.failure = Some(failure.clone()),
            Event::RunEnded { status } => {
                self.status = *status;
                self.ended_at_ms = Some(at_ms);
                self.steps.iter_mut().for_each(StepShown::cut_off);
                self.tool = None;
                self.wait = None;
                self.until_ms = None;
            }
            Event::PermissionNeeded { wait } => {
                self.status = Status::AwaitingUser;
                self.wait = Some(wait.clone());
            }
            Event::PermissionAnswered { verdict } => {
                self.status = Status::Running;
                if let Some(Wait { need, .. }) = self.wait.take() {
                    let verdict = verdict.clone();
                    self.notices.push(Notice::Permission {
                        at_ms,
                        need,
                        verdict,
                    });
                }
            }
            Event::ModelChanged { from, to, failure } => {
                self.model = to.clone();
                self.attempt = 1;
                self.notices.push(Notice::ModelChanged {
                    from: from.clone(),
                    to: to.clone(),
                    failure: failure.clone().map(Box::new),
                });
            }
            Event::MessageQueued { message, goal } => self.messages.push(QueuedMessage {
                message: message.clone(),
                goal: goal.clone(),
                read_at_ms: None,
            }),
            Event::MessageTakenBack { message } => {
                self.messages.retain(|queued| queued.message != *message);
            }
            Event::MessageRead { message } => {
                let mut messages = self.messages.iter_mut();
                if let Some(queued) = messages.find(|queued| queued.message == *message) {
                    queued.read_at_ms = Some(at_ms);
                }
            }
            Event::TokensUsed { .. } | Event::CallAbandoned { .. } => self.charge(event, at_ms),
            Event::BudgetNear { budget, percent } => self.near.push(LimitWarning {
                budget: *budget,
                percent: *percent,
            }),
            Event::ModelRetried {
                attempt, failure, ..
            } => {
                self.attempt = *attempt;
                self.growing.clear();
                let failure = failure.clone();
                self.in_step(self.step, at_ms, |step| step.failures.push(failure));
            }
            Event::ThoughtFormed { step, thought } => {
                let thought = Some(thought.clone());
                self.in_step(*step, at_ms, |step| step.thought = thought);
            }
            Event::CallsChosen { calls } => {
                for label in calls {
                    let ToolLabel {
                        step,
                        call,
                        tool,
                        arguments,
                    } = label;
                    let chosen = CallShown::of(call, tool, arguments, CallState::Pending);
                    self.in_step(*step, at_ms, |step| step.begin(chosen));
                }
            }
            Event::ToolStarted {
                step,
                call,
                tool,
                arguments,
            } => {
                self.tool = Some(tool.clone());
                let begun = CallShown::of(call, tool, arguments, CallState::Running);
                self.in_step(*step, at_ms, |step| step.begin(begun));
            }
            Event::ToolProgressed { step, call, doing } => {
                self.in_call(*step, call, at_ms, |shown| {
                    shown.doing = Some(doing.clone());
                });
            }
            Event::ToolFinished {
                step,
                call,
                tool: _,
                end,
                summary,
                duration_ms,
                tokens,
                cost,
                picture,
                saved_facts,
                role_calls: _,
            } => self.in_call(*step, call, at_ms, |shown| {
                shown.state = CallState::from(*end);
                shown.doing = None;
                shown.summary = Some(summary.clone());
                shown.duration_ms = *duration_ms;
                shown.tokens = *tokens;
                shown.cost = *cost;
                shown.picture.clone_from(picture);
                shown.saved_facts.clone_from(saved_facts);
            }),
            Event::ObservationMade {
                step,
                observation,
                goal_met,
            } => self.in_step(*step, at_ms, |step| {
                step.observation = Some(observation.clone());
                step.goal_met = *goal_met;
            }),
            Event::Reflected { step, reflection } => self.in_step(*step, at_ms, |step| {
                step.reflections.push(LearnedLesson {
                    id: reflection.id.clone(),
                    analysis: reflection.analysis.clone(),
                    fix: reflection.fix.clone(),
                    applied_in: None,
                });
            }),
            Event::ReflectionApplied { ids, step } => {
                let learned = self.steps.iter_mut().flat_map(|step| &mut step.reflections);
                for learned in learned.filter(|it| ids.contains(&it.id)) {
                    learned.applied_in = Some(*step);
                }
            }
            Event::BoundHit { more, .. } => {
                let step = self.step;
                self.more = more.clone().map(|edit| ForkOrigin { step, edit });
            }
            Event::AnswerRefused { .. } => {}
        }
    }

    /// Changes the step with this number, and sets the step's end to `at_ms`. A missing step is
    /// added.
    pub(super) fn in_step(&mut self, number: u8, at_ms: u64, change: impl FnOnce(&mut StepShown)) {
        if !self.steps.iter().any(|step| step.number == number) {
            self.steps.push(StepShown::begun(number, at_ms));
        }
        if let Some(step) = self.steps.iter_mut().find(|step| step.number == number) {
            change(step);
            step.ended_at_ms = at_ms;
        }
    }

    /// Changes a tool call of a step. Does nothing if the step has no call with this id.
    fn in_call(&mut self, number: u8, id: &str, at_ms: u64, change: impl FnOnce(&mut CallShown)) {
        self.in_step(number, at_ms, |step| {
            if let Some(call) = step.calls.iter_mut().find(|call| call.id == id) {
                change(call);
            }
        });
    }
}
