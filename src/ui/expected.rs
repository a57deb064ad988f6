//! What a page shows of commands that the worker has not confirmed yet.
//!
//! Driving example: a message is sent while the worker is being woken. Its turn is shown at
//! once; when the worker's snapshot has it, the command is confirmed and no longer kept.

use crate::agent::{Event, Goal};
use crate::app::surface::{Beside, Command, Snapshot};

/// The snapshot with the effect that these commands will have, in their order.
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

/// The commands that a refusal is about, and the others: a refusal of one message is about the
/// command that sent it, any other about all.
pub fn refused(
    commands: Vec<Command>,
    message: Option<&crate::host::RunId>,
) -> (Vec<Command>, Vec<Command>) {
    commands
        .into_iter()
        .partition(|command| match (message, command) {
            (Some(message), Command::Start { run, .. }) => run == message,
            (Some(_), _) => false,
            (None, _) => true,
        })
}

/// The draft with the questions of these commands before it, as they were not sent.
pub fn given_back(commands: &[Command], draft: String) -> String {
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

/// A tab that is looked at once more is shown as it was until the look is over: a card that goes
/// and comes back would take the focus. `seen` is a tab and its last known state.
pub fn beside(now: Beside, tab: Option<i32>, seen: &mut Option<(i32, Beside)>) -> Beside {
    match (now, tab, &*seen) {
        (Beside::Looking, Some(tab), Some((known, before))) if *known == tab => before.clone(),
        (now @ (Beside::Page { .. } | Beside::Unreadable { .. }), Some(tab), _) => {
            *seen = Some((tab, now.clone()));
            now
        }
        (now, _, _) => now,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::RunId;

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
    fn a_refusal_gives_the_words_back_before_what_was_typed_since() {
        let commands = vec![ask("r1", "one"), ask("r2", "two")];
        let (back, others) = refused(commands.clone(), Some(&RunId("r2".to_owned())));
        assert_eq!((back.len(), others.len()), (1, 1));
        assert_eq!(given_back(&back, "three".to_owned()), "two\nthree");
        let (back, others) = refused(commands, None);
        assert!(others.is_empty());
        assert_eq!(given_back(&back, String::new()), "one\ntwo");
    }

    #[test]
    fn a_tab_keeps_its_look_until_it_was_looked_at_again() {
        let page = Beside::Unreadable {
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
        assert_eq!(beside(Beside::Looking, Some(1), &mut seen), page);
        assert_eq!(beside(Beside::Looking, Some(2), &mut seen), Beside::Looking);
    }
}
