//! Confirmation of commands. The worker sends no acknowledgement. A command is confirmed when a
//! snapshot shows the effect of the command.

use super::{Command, Snapshot, TabContent, Turn};
use gloss_agent::{Bound, Status};
use gloss_durable::RunId;

impl Command {
    /// Returns true if `snapshot` shows that the worker has received this command. A surface that
    /// reconnects sends unconfirmed commands again. A command that is received twice has no further
    /// effect.
    pub fn is_confirmed_by(&self, snapshot: &Snapshot) -> bool {
        let status = |run: &RunId| {
            snapshot
                .turns
                .iter()
                .find(|turn| turn.run == *run)
                .map(|turn| turn.status)
        };
        let queued = |message: &RunId| {
            let mut all = snapshot.turns.iter().flat_map(|turn| &turn.messages);
            all.find(|queued| queued.message == *message)
        };
        match self {
            // These commands have no effect in a snapshot. Options pages get an
            // [`super::Reply::Options`] instead. [`super::Questions`] tracks the other commands,
            // except a hello, which needs no confirmation.
            Self::Hello { .. }
            | Self::Options { .. }
            | Self::History
            | Self::Export { .. }
            | Self::Inspect { .. }
            | Self::Picture { .. }
            | Self::EraseConversation { .. } => true,
            Self::Fork { run, .. } => status(run).is_some(),
            Self::Start { run, .. } => status(run).is_some() || queued(run).is_some(),
            Self::TakeBack { message } => queued(message).is_none_or(|q| q.read_at_ms.is_some()),
            Self::Permit { run, wait, .. } => {
                let mut turns = snapshot.turns.iter().filter(|turn| turn.run == *run);
                !turns.any(|turn| turn.wait.as_ref().is_some_and(|open| open.id == *wait))
            }
            Self::Stop { run } => {
                let turn = snapshot.turns.iter().find(|turn| turn.run == *run);
                !turn.is_some_and(Turn::is_open)
            }
            Self::Pause { run } => {
                !matches!(status(run), Some(Status::Running | Status::AwaitingUser))
            }
            Self::Continue { run } => {
                let status = status(run);
                status != Some(Status::Paused) && status != Some(Status::Terminated(Bound::Stopped))
            }
            Self::CloseSite { .. } => matches!(
                &snapshot.beside,
                TabContent::Unreadable { failure, .. } if failure.code == "capture_closed"
            ),
            Self::NewChat => snapshot.turns.is_empty(),
            Self::Unremember { fact } => {
                let known = snapshot.known.as_ref();
                known.is_some_and(|known| !known.contains(fact))
            }
            Self::Show { conversation } => snapshot.conversation.as_ref() == Some(conversation),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gloss_agent::{Event, Goal, Mode, ModelIdentity};
    use gloss_durable::Stop;
    use gloss_model::ModelChoice;

    fn snapshot(events: &[Event]) -> Snapshot {
        let mut snapshot = Snapshot::unknown();
        for event in events {
            snapshot.fold(&RunId("a".into()), event, 1);
        }
        snapshot
    }

    #[test]
    fn a_command_is_confirmed_by_what_it_changes() {
        let run = RunId("a".into());
        let started = Event::RunStarted {
            goal: Goal::Summarize,
            max_steps: 5,
            model: ModelIdentity::of(&ModelChoice::Embedded),
            mode: Mode::Agent,
        };
        let stopped = Event::RunEnded {
            status: Status::Terminated(Bound::Stopped),
        };
        let paused = Event::Paused { by: Stop::Pause };
        let empty = snapshot(&[]);
        let running = snapshot(std::slice::from_ref(&started));
        let held = snapshot(&[started.clone(), paused]);
        let halted = snapshot(&[started, stopped]);
        let start = Command::Start {
            run: run.clone(),
            goal: Goal::Summarize,
            tuning: None,
            replaces: None,
        };
        let stop = Command::Stop { run: run.clone() };
        let pause = Command::Pause { run: run.clone() };
        let go_on = Command::Continue { run };
        for (command, expected) in [
            (start, [false, true, true, true]),
            (stop, [true, false, false, true]),
            (pause, [true, false, true, true]),
            (go_on, [true, true, false, false]),
            (Command::NewChat, [true, false, false, false]),
        ] {
            let seen = [&empty, &running, &held, &halted].map(|s| command.is_confirmed_by(s));
            assert_eq!(seen, expected, "{command:?}");
        }
    }
}
