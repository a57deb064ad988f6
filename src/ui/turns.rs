//! Facts about a snapshot: whether a turn has ended, which messages wait, which page is open.

use crate::agent::{Bound, Goal, MissingRight, Mode, Status};
use crate::app::surface::{CallState, Notice, QueuedMessage, Snapshot, TabContent, Turn};
use crate::durable::RunId;

/// The failure code of a page that Gloss needs a permission to read.
pub const NO_ACCESS: &str = "capture_no_access";
/// The code of the failure when the user closed the site of the tab.
pub const CLOSED: &str = "capture_closed";

/// Returns the question that a user typed; `None` if a button started the run.
pub fn typed(goal: &Goal) -> Option<String> {
    match goal {
        Goal::Ask { question } => Some(question.clone()),
        Goal::Summarize | Goal::Explain { .. } | Goal::GoOn => None,
    }
}

/// Returns true if the tab shows a page that Gloss can read, or could read with a permission.
pub fn has_page(beside: &TabContent) -> bool {
    match beside {
        TabContent::Page { .. } => true,
        TabContent::Unreadable { failure, .. } => failure.code == NO_ACCESS,
        TabContent::Looking | TabContent::Nothing => false,
    }
}

/// Returns true if a turn has ended.
pub fn is_over(status: Status) -> bool {
    status != Status::Paused && is_at_rest(status)
}

/// Returns true if a turn has ended or is paused. The content of such a turn doesn't change.
pub fn is_at_rest(status: Status) -> bool {
    !matches!(status, Status::Running | Status::AwaitingUser)
}

/// Returns the messages that wait for the active run, oldest first.
pub fn queued(shown: &Snapshot) -> Vec<QueuedMessage> {
    let messages = shown.running().into_iter().flat_map(|turn| &turn.messages);
    let waiting = messages.filter(|queued| queued.read_at_ms.is_none());
    waiting.cloned().collect()
}

/// Returns the draft after the user stopped a run: the messages that waited for the run, then the
/// draft.
pub fn draft_after_stop(shown: &Snapshot, draft: String) -> String {
    let waiting = queued(shown).into_iter();
    let words = waiting.filter_map(|queued| typed(&queued.goal));
    let draft = Some(draft).filter(|draft| !draft.trim().is_empty());
    words.chain(draft).collect::<Vec<_>>().join("\n")
}

/// Returns the notice that a turn was stopped or paused; `None` if the turn continued after the
/// notice.
pub fn halt(turn: &Turn) -> Option<Notice> {
    let last = turn.notices.last()?;
    let halts = matches!(
        (turn.status, last),
        (Status::Terminated(Bound::Stopped), Notice::Stopped { .. })
            | (Status::Paused, Notice::Paused { .. })
    );
    halts.then(|| last.clone())
}

/// Returns the time at which the user stopped the turn, in milliseconds since the Unix epoch.
/// `None` if the turn ended in another way.
pub fn halted_at(turn: &Turn) -> Option<u64> {
    match halt(turn) {
        Some(Notice::Stopped { at_ms }) => Some(at_ms),
        _ => None,
    }
}

/// Returns the time for which a turn was running, in milliseconds, once it is over.
pub fn duration(turn: &Turn) -> Option<u64> {
    turn.ended_at_ms.map(|_| turn.active_ms)
}

/// The tool that makes images.
pub const IMAGES: &str = "image_generate";

/// The key of a tool call: its run, the number of its step, and its id.
pub type CallKey = (RunId, u8, String);

/// Returns the tool calls of a turn that made images, in order, each with the image's description.
/// The description is `None` while the image is being made.
pub fn images_of(turn: &Turn) -> Vec<(CallKey, Option<String>)> {
    // No placeholder is shown while the user is asked for consent, or once the run is paused or
    // over.
    let works = turn.status == Status::Running && turn.wait.is_none();
    let calls = turn.steps.iter();
    let calls = calls.flat_map(|step| step.calls.iter().map(move |call| (step.number, call)));
    let images = calls.filter(|(_, call)| {
        let is_made = works && call.tool == IMAGES && call.state == CallState::Running;
        call.picture.is_some() || is_made
    });
    let key = |step, id: &str| (turn.run.clone(), step, id.to_owned());
    images
        .map(|(step, call)| (key(step, &call.id), call.picture.clone()))
        .collect()
}

/// The placeholder text of the empty message field. It says what the user can write now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// The user can say how to go on after a tool call whose outcome is unknown.
    WhatNext,
    /// The user can add a message to the active run.
    FollowUp,
    /// The user can ask the model without the agent.
    Plain,
    /// The user can ask a question, or send an empty message to continue a stopped run.
    OrGoOn,
    /// The user can ask a question, but no page can be read.
    Anything,
    /// The user can ask a question about the page.
    AboutPage,
}

/// Chooses the hint from the newest turn, the content of the tab, and the mode.
pub fn hint(last: Option<&Turn>, beside: &TabContent, mode: Mode) -> Hint {
    let asks_of_outcome = |turn: &Turn| {
        let need = turn.wait.as_ref().map(|wait| &wait.need);
        matches!(need, Some(MissingRight::Outcome { .. }))
    };
    let stopped = Status::Terminated(Bound::Stopped);
    if last.is_some_and(asks_of_outcome) {
        Hint::WhatNext
    } else if last.is_some_and(Turn::is_open) {
        Hint::FollowUp
    } else if mode == Mode::Plain {
        Hint::Plain
    } else if last.is_some_and(|turn| turn.status == stopped) {
        Hint::OrGoOn
    } else if matches!(beside, TabContent::Unreadable { .. } | TabContent::Nothing) {
        Hint::Anything
    } else {
        Hint::AboutPage
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::Event;
    use crate::app::surface::Command;
    use crate::ui::expected::expected;

    fn asked(runs: &[&str]) -> Snapshot {
        let ask = |run: &&str| Command::Start {
            run: RunId((*run).to_owned()),
            goal: Goal::Ask {
                question: format!("question {run}"),
            },
            tuning: None,
            replaces: None,
        };
        let commands: Vec<Command> = runs.iter().map(ask).collect();
        expected(Snapshot::unknown(), &commands, 1)
    }

    #[test]
    fn messages_to_a_running_turn_wait_and_come_back_when_it_is_stopped() {
        let shown = asked(&["a", "b", "c"]);
        assert_eq!(shown.turns.len(), 1);
        assert_eq!(queued(&shown).len(), 2);
        let draft = draft_after_stop(&shown, "typed".to_owned());
        assert_eq!(draft, "question b\nquestion c\ntyped");
        assert_eq!(
            draft_after_stop(&shown, " ".to_owned()),
            "question b\nquestion c"
        );
    }

    #[test]
    fn the_hint_says_what_a_message_would_be() {
        let shown = asked(&["a"]);
        let last = shown.turns.last();
        assert_eq!(
            hint(last, &TabContent::Nothing, Mode::Plain),
            Hint::FollowUp
        );
        assert_eq!(hint(None, &TabContent::Nothing, Mode::Plain), Hint::Plain);
        assert_eq!(
            hint(None, &TabContent::Nothing, Mode::Agent),
            Hint::Anything
        );
        assert_eq!(
            hint(None, &TabContent::Looking, Mode::Agent),
            Hint::AboutPage
        );
        assert!(images_of(&shown.turns[0]).is_empty());
    }

    #[test]
    fn a_running_turn_is_neither_over_nor_halted() {
        let mut shown = asked(&["a"]);
        let run = RunId("a".to_owned());
        assert!(!is_at_rest(shown.turns[0].status));
        assert_eq!(halt(&shown.turns[0]), None);
        shown.fold(
            &run,
            &Event::MessageTakenBack {
                message: run.clone(),
            },
            2,
        );
        assert!(is_at_rest(Status::Paused) && !is_over(Status::Paused));
        assert!(is_over(Status::Completed));
    }
}
