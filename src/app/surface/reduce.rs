//! The reducer: how an event changes what a surface shows.

use super::{Seam, Snapshot, Turn, Update};
use crate::agent::{Event, Goal, Phase, Status};
use crate::host::RunId;
use crate::markdown;

/// Whether an update could be folded in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// It was the next one.
    Yes,
    /// It was in the snapshot already.
    Old,
    /// Updates are missing, or the worker is another: ask for a snapshot.
    Gap,
}

impl Snapshot {
    /// Folds the next update in.
    pub fn apply(&mut self, update: &Update) -> Applied {
        if update.epoch != self.epoch || update.n > self.n + 1 {
            return Applied::Gap;
        }
        if update.n <= self.n {
            return Applied::Old;
        }
        self.n = update.n;
        self.fold(&update.run, &update.event);
        Applied::Yes
    }

    /// Folds an event of `run` in; a run not seen before becomes a turn.
    pub fn fold(&mut self, run: &RunId, event: &Event) {
        if !self.turns.iter().any(|turn| turn.run == *run) {
            self.turns.push(Turn::new(run.clone()));
        }
        if let Some(turn) = self.turns.iter_mut().find(|turn| turn.run == *run) {
            turn.fold(event);
        }
    }

    /// The turn at work, if one is.
    pub fn running(&self) -> Option<&Turn> {
        self.turns
            .iter()
            .rev()
            .find(|turn| turn.status == Status::Running)
    }
}

impl Turn {
    /// A turn of which nothing is known yet.
    pub fn new(run: RunId) -> Self {
        Self {
            run,
            goal: Goal::Summarize,
            page: None,
            status: Status::Running,
            phase: Phase::Reading,
            step: 0,
            max_steps: 0,
            tool: None,
            tokens: 0,
            started_at_ms: 0,
            ended_at_ms: None,
            growing: Vec::new(),
            answer: None,
            seams: Vec::new(),
            remarks: Vec::new(),
            failure: None,
        }
    }

    /// Folds one event in.
    pub fn fold(&mut self, event: &Event) {
        match event {
            Event::RunStarted {
                goal,
                at_ms,
                max_steps,
            } => {
                self.goal = goal.clone();
                self.started_at_ms = *at_ms;
                self.max_steps = *max_steps;
            }
            Event::PageRead { page } => self.page = Some(page.clone()),
            Event::PhaseChanged {
                phase,
                step,
                max_steps,
            } => {
                self.phase = *phase;
                self.step = *step;
                self.max_steps = *max_steps;
                self.tool = None;
                // Another call follows: what had grown was no answer, or grows anew.
                self.growing.clear();
            }
            Event::ToolStarted { tool, .. } => self.tool = Some(tool.clone()),
            Event::AnswerGrew { frozen, tail } => {
                self.growing.truncate(*frozen);
                self.growing.extend_from_slice(tail);
            }
            Event::BlockGrew { frozen, kept, tail } => {
                markdown::grow(&mut self.growing, *frozen, *kept, tail);
            }
            Event::AnswerRestarted { at_ms } => {
                self.growing.clear();
                self.seams.push(Seam::Restarted { at_ms: *at_ms });
            }
            Event::AnswerGiven { answer } => {
                self.growing.clear();
                self.remarks.clone_from(&answer.remarks);
                self.answer = Some(answer.clone());
            }
            Event::TokensUsed { total } => self.tokens = *total,
            Event::Resumed { at_ms } => self.seams.push(Seam::Resumed { at_ms: *at_ms }),
            Event::Stopped { at_ms } => self.seams.push(Seam::Stopped { at_ms: *at_ms }),
            Event::Continued { .. } => {
                self.status = Status::Running;
                self.ended_at_ms = None;
                self.failure = None;
            }
            Event::Failed { failure } => self.failure = Some(failure.clone()),
            Event::RunEnded { status, at_ms } => {
                self.status = *status;
                self.ended_at_ms = Some(*at_ms);
                self.tool = None;
            }
            Event::AnswerRefused { .. }
            | Event::BoundHit { .. }
            | Event::ThoughtFormed { .. }
            | Event::ToolFinished { .. }
            | Event::ObservationMade { .. } => {}
        }
    }
}
