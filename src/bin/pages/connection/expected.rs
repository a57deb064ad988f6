//! What is shown of commands that the worker has not confirmed yet.

use super::{Connection, State};
use crate::browser;
use gloss::agent::{Event, Goal};
use gloss::app::surface::{Applied, Command, Snapshot, Update};

impl State {
    /// Folds in what the worker said; what that confirms is waited for no longer.
    pub(super) fn apply(&mut self, update: &Update) -> Option<Applied> {
        let truth = self.truth.as_mut()?;
        let applied = truth.apply(update);
        self.unconfirmed
            .retain(|command| !command.is_confirmed_by(truth));
        Some(applied)
    }

    /// What the worker said, and what was asked of it meanwhile.
    pub(super) fn shown(&mut self) -> Snapshot {
        let mut shown = self.truth.clone().unwrap_or_else(Snapshot::unknown);
        self.see(&mut shown.beside);
        let now_ms = browser::now_ms();
        for command in &self.unconfirmed {
            match command {
                Command::Start {
                    run,
                    goal,
                    tuning,
                    replaces,
                } => {
                    let tuning = tuning.clone().unwrap_or_else(|| shown.tuning.clone());
                    shown.expect(run, goal, &tuning, replaces.as_ref(), now_ms);
                }
                Command::TakeBack { message } => {
                    let message = message.clone();
                    if let Some(run) = shown.running().map(|turn| turn.run.clone()) {
                        shown.fold(&run, &Event::MessageTakenBack { message }, now_ms);
                    }
                }
                Command::NewChat => shown.turns.clear(),
                Command::Unremember { fact } => {
                    if let Some(known) = &mut shown.known {
                        known.remove(fact);
                    }
                }
                Command::Hello { .. }
                | Command::History
                | Command::Options { .. }
                | Command::Show { .. }
                | Command::Fork { .. }
                | Command::Permit { .. }
                | Command::Stop { .. }
                | Command::Pause { .. }
                | Command::Export { .. }
                | Command::Inspect { .. }
                | Command::Picture { .. }
                | Command::EraseConversation { .. }
                | Command::Continue { .. } => {}
            }
        }
        shown
    }
}

/// What was sent last is what the next message starts from.
pub(super) fn retune(truth: &mut Snapshot, sent: &Command) {
    if let Command::Start {
        tuning: Some(tuning),
        ..
    } = sent
    {
        truth.tuning = tuning.clone();
    }
}

impl Connection {
    /// Typed words come back to the composer, before what was typed since.
    pub(super) fn give_back(&self, commands: &[Command]) {
        for command in commands.iter().rev() {
            if let Command::Start {
                goal: Goal::Ask { question },
                ..
            } = command
            {
                let draft = self.draft.get_clone_untracked();
                let rest = if draft.is_empty() { "" } else { "\n" };
                self.draft.set(format!("{question}{rest}{draft}"));
            }
        }
    }
}
