//! What is shown of commands that the worker has not confirmed yet.

use super::State;
use crate::browser;
use gloss::agent::Event;
use gloss::app::surface::{Command, Snapshot};

impl State {
    /// What the worker said, and what was asked of it meanwhile.
    pub(super) fn shown(&self) -> Snapshot {
        let mut shown = self.truth.clone().unwrap_or_else(Snapshot::unknown);
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
                | Command::EraseConversation { .. }
                | Command::Continue { .. } => {}
            }
        }
        shown
    }
}
