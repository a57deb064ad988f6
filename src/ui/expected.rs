//! The state that a page shows before the worker has confirmed the page's last commands.
//!
//! Example: the user sends a message while the worker starts. The page shows the new turn
//! at once. When the worker's snapshot contains that turn, the command is confirmed and is removed
//! here.

use crate::agent::{Event, Goal};
use crate::app::surface::{Command, Snapshot, TabContent, Update, UpdateResult};
use crate::durable::RunId;

/// The worker's snapshot, and the sent commands that the snapshot does not show yet.
#[derive(Debug, Default)]
pub struct ExpectedState {
    truth: Option<Snapshot>,
    /// In the order in which the commands were sent.
    unconfirmed: Vec<Command>,
    /// The last tab whose content was known, and that content.
    seen: Option<(i32, TabContent)>,
}

impl ExpectedState {
    /// Returns the worker's last snapshot, with all later updates applied.
    pub fn truth(&self) -> Option<&Snapshot> {
        self.truth.as_ref()
    }

    /// Returns the commands that the worker has not confirmed, oldest first.
    pub fn unconfirmed(&self) -> &[Command] {
        &self.unconfirmed
    }

    /// Adds a command that the page sends now.
    pub fn send(&mut self, command: Command) {
        if command == Command::NewChat {
            self.unconfirmed.clear();
        }
        // The choices of this message, such as its model, are the defaults of the next message.
        if let (
            Some(truth),
            Command::Start {
                tuning: Some(tuning),
                ..
            },
        ) = (&mut self.truth, &command)
        {
            truth.tuning = tuning.clone();
        }
        self.unconfirmed.push(command);
    }

    /// Replaces the snapshot. If the snapshot is the `first` on its port, returns the commands to
    /// send again.
    pub fn begin(&mut self, snapshot: Snapshot, first: bool) -> Vec<Command> {
        self.unconfirmed
            .retain(|command| !command.is_confirmed_by(&snapshot));
        if !first {
            // `NewChat` was sent on this port, so this snapshot answers it. Turns in the snapshot
            // began after it.
            self.unconfirmed
                .retain(|command| *command != Command::NewChat);
        }
        self.truth = Some(snapshot);
        if first {
            self.unconfirmed.clone()
        } else {
            Vec::new()
        }
    }

    /// Applies an update to the snapshot; returns `None` if there is no snapshot yet.
    pub fn apply(&mut self, update: &Update) -> Option<UpdateResult> {
        let truth = self.truth.as_mut()?;
        let applied = truth.apply(update);
        self.unconfirmed
            .retain(|command| !command.is_confirmed_by(truth));
        Some(applied)
    }

    /// Removes and returns the refused commands: the one that sent `message`, or all if `message`
    /// is `None`.
    pub fn refuse(&mut self, message: Option<&RunId>) -> Vec<Command> {
        let (refused, others) = split_refused(std::mem::take(&mut self.unconfirmed), message);
        self.unconfirmed = others;
        refused
    }

    /// Switches to another tab; returns the unconfirmed commands, which must not be sent for that
    /// tab.
    pub fn switch_tab(&mut self) -> Vec<Command> {
        if let Some(truth) = &mut self.truth {
            truth.beside = TabContent::Looking;
        }
        std::mem::take(&mut self.unconfirmed)
    }

    /// Forgets the tab's last content, because the tab may show another page by now.
    pub fn forget_tab(&mut self) {
        self.seen = None;
    }

    /// Returns the snapshot to show beside this tab, with the expected effect of unconfirmed
    /// commands.
    pub fn shown(&mut self, tab: Option<i32>, now_ms: u64) -> Snapshot {
        let mut shown = self.truth.clone().unwrap_or_else(Snapshot::unknown);
        shown.beside = beside(shown.beside, tab, &mut self.seen);
        expected(shown, &self.unconfirmed, now_ms)
    }
}

/// Returns the snapshot with the effects that these commands will have, applied in the order of the
/// commands.
pub fn expected(mut shown: Snapshot, commands: &[Command], now_ms: u64) -> Snapshot {
    for command in commands {
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
            | Command::CloseSite { .. }
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

/// Splits commands into refused ones and others. If a `message` was refused, only the command that
/// started that message is refused. Otherwise all commands are refused.
fn split_refused(commands: Vec<Command>, message: Option<&RunId>) -> (Vec<Command>, Vec<Command>) {
    commands
        .into_iter()
        .partition(|command| match (message, command) {
            (Some(message), Command::Start { run, .. }) => run == message,
            (Some(_), _) => false,
            (None, _) => true,
        })
}

/// Returns the draft, preceded by the questions of these commands, which were not sent.
pub fn restored_draft(commands: &[Command], draft: String) -> String {
    let questions = commands.iter().filter_map(|command| match command {
        Command::Start {
            goal: Goal::Ask { question },
            ..
        } => Some(question.clone()),
        _ => None,
    });
    let draft = Some(draft).filter(|draft| !draft.is_empty());
    questions.chain(draft).collect::<Vec<_>>().join("\n")
}

/// Returns the content of a tab. While the tab is examined again, its last content is shown,
/// because a card that disappears and returns would lose the focus. `seen` is the last tab whose
/// content was known, and that content.
fn beside(now: TabContent, tab: Option<i32>, seen: &mut Option<(i32, TabContent)>) -> TabContent {
    match (now, tab, &*seen) {
        (TabContent::Looking, Some(tab), Some((known, before))) if *known == tab => before.clone(),
        (now @ (TabContent::Page { .. } | TabContent::Unreadable { .. }), Some(tab), _) => {
            *seen = Some((tab, now.clone()));
            now
        }
        (now, _, _) => now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(run: &str, question: &str) -> Command {
        Command::Start {
            run: RunId(run.to_owned()),
            goal: Goal::Ask {
                question: question.to_owned(),
            },
            tuning: None,
            replaces: None,
        }
    }

    #[test]
    fn a_message_is_shown_before_the_worker_has_it() {
        let shown = expected(Snapshot::unknown(), &[ask("r1", "why?")], 7);
        assert_eq!(shown.turns.len(), 1);
        let shown = expected(shown, &[Command::NewChat], 8);
        assert!(shown.turns.is_empty());
    }

    #[test]
    fn what_a_dead_worker_did_not_confirm_is_repeated_on_the_next_port() {
        let mut state = ExpectedState::default();
        state.send(ask("r1", "one"));
        let repeated = state.begin(Snapshot::unknown(), true);
        assert_eq!(repeated, [ask("r1", "one")]);
        assert_eq!(state.shown(None, 7).turns.len(), 1);
        let later = state.begin(Snapshot::unknown(), false);
        assert!(later.is_empty(), "on the same port it was sent already");
        state.send(Command::NewChat);
        assert_eq!(state.unconfirmed(), [Command::NewChat]);
        state.begin(Snapshot::unknown(), false);
        assert!(state.unconfirmed().is_empty());
    }

    #[test]
    fn beside_another_tab_nothing_of_the_last_one_is_sent() {
        let mut state = ExpectedState::default();
        state.begin(Snapshot::unknown(), true);
        state.send(ask("r1", "one"));
        assert_eq!(state.switch_tab(), [ask("r1", "one")]);
        assert_eq!(state.shown(Some(1), 7).beside, TabContent::Looking);
        state.send(ask("r2", "two"));
        assert_eq!(state.refuse(None), [ask("r2", "two")]);
    }

    #[test]
    fn a_refusal_gives_the_words_back_before_what_was_typed_since() {
        let commands = vec![ask("r1", "one"), ask("r2", "two")];
        let (back, others) = split_refused(commands.clone(), Some(&RunId("r2".to_owned())));
        assert_eq!((back.len(), others.len()), (1, 1));
        assert_eq!(restored_draft(&back, "three".to_owned()), "two\nthree");
        let (back, others) = split_refused(commands, None);
        assert!(others.is_empty());
        assert_eq!(restored_draft(&back, String::new()), "one\ntwo");
    }

    #[test]
    fn a_tab_keeps_its_look_until_it_was_looked_at_again() {
        let page = TabContent::Unreadable {
            title: "A page".to_owned(),
            failure: crate::agent::Failure {
                code: "capture_no_access".to_owned(),
                title: crate::phrase::phrase("a"),
                remedy: crate::phrase::phrase("b"),
                recoverable: true,
                commands: Vec::new(),
            },
        };
        let mut seen = None;
        assert_eq!(beside(page.clone(), Some(1), &mut seen), page);
        assert_eq!(beside(TabContent::Looking, Some(1), &mut seen), page);
        assert_eq!(
            beside(TabContent::Looking, Some(2), &mut seen),
            TabContent::Looking
        );
    }
}
