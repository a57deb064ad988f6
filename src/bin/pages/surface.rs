//! The state of the chat page: the snapshot as a signal, and the commands of the page's buttons.

use crate::browser;
use crate::connection::Connection;
use crate::loaded_image::Pictures;
use crate::prelude::*;
use crate::screen::PaintTarget;
use crate::tuning::Chosen;
use crate::words::editable_text;
use gloss::agent::trajectory::Trajectory;
use gloss::agent::{Failure, Goal, Status, Verdict};
use gloss::app::surface::{
    Command, ConversationSettings, ConversationSummary, MOST_QUEUED, QueuedMessage, Snapshot,
    TabContent, Turn,
};
use gloss::durable::RunId;
use gloss::ui::step_edit::Steered;
use gloss::ui::turns::{draft_after_stop, has_page, queued, typed};

/// The state of the chat page. Every component gets it from the context.
#[derive(Clone)]
pub(crate) struct Surface {
    /// The worker's last state, with the expected effect of unconfirmed commands.
    pub(crate) shown: Signal<Snapshot>,
    /// True once the worker has answered.
    pub(crate) known: Signal<bool>,
    /// The failure to show if the worker does not answer, or refused a request.
    pub(crate) trouble: Signal<Option<Failure>>,
    /// The text in the message field.
    pub(crate) draft: Signal<String>,
    /// The message field. It gets the focus when a focused button is removed.
    pub(crate) message: NodeRef,
    /// The scrolling log.
    pub(crate) log: NodeRef,
    /// True if there is new text below the visible part of the log.
    pub(crate) behind: Signal<bool>,
    /// The turn whose message the user is editing.
    pub(crate) editing: Signal<Option<RunId>>,
    /// True if the last message was not queued, because too many messages were waiting.
    pub(crate) queue_full: Signal<bool>,
    /// The turn whose trajectory is open.
    pub(crate) drawer: Signal<Option<RunId>>,
    /// The step of that turn that the user views; `None` for the newest state.
    pub(crate) viewed: Signal<Option<u8>>,
    /// The message that the user writes for a fork from the viewed step.
    pub(crate) fork_draft: Signal<String>,
    /// The part of a step that the user is editing.
    pub(crate) steered: Signal<Option<Steered>>,
    /// The trajectory that the worker sent for the open run.
    pub(crate) inspected: Signal<Option<(RunId, Trajectory)>>,
    /// The requested images of tool calls.
    pub(crate) pictures: Signal<Pictures>,
    /// True if thoughts are shown expanded; `None` means that the setting decides.
    pub(crate) thinking: Signal<Option<bool>>,
    /// True if the user pressed *Not now* when asked for permission to read this page.
    pub(crate) dismissed: Signal<bool>,
    /// The past conversations; `None` while their list is closed.
    pub(crate) past: Signal<Option<Vec<ConversationSummary>>>,
    /// The user's choices for the next message.
    pub(crate) chosen: Signal<Option<Chosen>>,
    /// The draft from before the user began to edit an earlier message.
    saved_draft: Signal<String>,
    connection: Connection,
}

impl Surface {
    pub(crate) fn new() -> Self {
        let screen = PaintTarget::new();
        Self {
            shown: screen.shown,
            known: screen.known,
            trouble: screen.trouble,
            draft: screen.draft,
            message: create_node_ref(),
            log: screen.log,
            behind: screen.behind,
            editing: create_signal(None),
            queue_full: create_signal(false),
            drawer: create_signal(None),
            viewed: create_signal(None),
            fork_draft: create_signal(String::new()),
            steered: create_signal(None),
            inspected: screen.inspected,
            pictures: screen.pictures,
            thinking: create_signal(None),
            dismissed: create_signal(false),
            past: screen.past,
            chosen: create_signal(None),
            saved_draft: create_signal(String::new()),
            connection: Connection::new(screen),
        }
    }

    /// Returns the state from the context.
    pub(crate) fn from_context() -> Self {
        use_context::<Self>()
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Starts a run, unless a run is active.
    pub(crate) fn start(&self, goal: Goal) {
        self.start_over(goal, None);
    }

    /// Starts a run that replaces the run `replaces`, unless a run is active.
    pub(crate) fn start_over(&self, goal: Goal, replaces: Option<RunId>) {
        if self.running().is_none() {
            self.send(goal, self.chosen_or_known(), replaces);
            self.chosen.set(None);
        }
        self.focus_message();
    }

    /// Starts the same goal again with the on-device model. The next message uses the chosen model
    /// again.
    pub(crate) fn start_on_device(&self, goal: Goal, replaces: RunId) {
        if self.running().is_none() {
            let tuning = self.tuning();
            let on_device = ConversationSettings {
                model: String::new(),
                ..tuning.clone()
            };
            self.send(goal, Some(on_device), Some(replaces));
            self.choose(tuning);
        }
        self.focus_message();
    }

    fn send(&self, goal: Goal, tuning: Option<ConversationSettings>, replaces: Option<RunId>) {
        let run = RunId(browser::unique_id());
        self.connection.send(Command::Start {
            run,
            goal,
            tuning,
            replaces,
        });
    }

    /// Summarises the page in the tab, if Gloss can read it.
    pub(crate) fn summarize(&self) {
        if self.shown.with_untracked(|shown| has_page(&shown.beside)) {
            self.start(Goal::Summarize);
        }
    }

    /// Sends the message, unless it is empty. While a run is active, the message is queued.
    pub(crate) fn ask(&self) {
        let question = self.draft.get_clone_untracked().trim().to_owned();
        if question.is_empty() {
            return;
        }
        if self.running().is_some() {
            let waiting = self.shown.with_untracked(|shown| queued(shown).len());
            if waiting >= MOST_QUEUED {
                self.queue_full.set(true);
                return;
            }
            self.draft.set(String::new());
            self.send(Goal::Ask { question }, self.chosen_or_known(), None);
            self.leave_unknown();
            return;
        }
        let edited = self.editing.get_clone_untracked();
        let explained = edited.as_ref().and_then(|run| self.goal_of(run));
        let goal = match explained {
            Some(Goal::Explain { .. }) => Goal::Explain {
                selection: question,
            },
            Some(Goal::Summarize | Goal::Ask { .. } | Goal::GoOn) | None => Goal::Ask { question },
        };
        self.leave_edit();
        self.start_over(goal, edited);
    }

    /// Withdraws a queued message. If the composer is empty, the message is put into it.
    pub(crate) fn take_back(&self, queued: &QueuedMessage) {
        let message = queued.message.clone();
        self.connection.send(Command::TakeBack { message });
        self.queue_full.set(false);
        if self.draft.with_untracked(|draft| draft.trim().is_empty())
            && let Some(words) = typed(&queued.goal)
        {
            self.draft.set(words);
        }
        self.focus_message();
    }

    /// Puts the message of a turn into the composer. The edited message will replace that turn.
    pub(crate) fn edit(&self, run: RunId, words: String) {
        if self.editing.with_untracked(Option::is_none) {
            self.saved_draft.set(self.draft.get_clone_untracked());
        }
        self.draft.set(words);
        self.editing.set(Some(run));
        self.focus_message();
    }

    /// Ends the editing of a message, and restores the draft from before. If no message is being
    /// edited, clears the draft.
    pub(crate) fn leave_edit(&self) {
        if self.editing.with_untracked(Option::is_some) {
            self.editing.set(None);
            let aside = self.saved_draft.get_clone_untracked();
            self.saved_draft.set(String::new());
            self.draft.set(aside);
        } else {
            self.draft.set(String::new());
        }
    }

    /// Starts to edit the last message: the newest queued message, or that of the last turn.
    pub(crate) fn edit_last(&self) {
        let (waiting, last) = self.shown.with_untracked(|shown| {
            let last = shown.turns.last().filter(|turn| !turn.is_open());
            let last = last.and_then(|turn| Some((turn.run.clone(), editable_text(&turn.goal)?)));
            (queued(shown).last().cloned(), last)
        });
        match (waiting, last) {
            (Some(waiting), _) => self.take_back(&waiting),
            (None, Some((run, words))) => self.edit(run, words),
            (None, None) => {}
        }
    }

    /// Stops the active run. Its queued messages return to the composer.
    pub(crate) fn stop(&self) {
        if let Some(run) = self.running() {
            let draft = self.draft.get_clone_untracked();
            let draft = self
                .shown
                .with_untracked(|shown| draft_after_stop(shown, draft));
            self.draft.set(draft);
            self.connection.send(Command::Stop { run });
        }
        self.focus_message();
    }

    /// Continues a stopped run.
    pub(crate) fn go_on(&self, run: RunId) {
        self.connection.send(Command::Continue { run });
        self.focus_message();
    }

    /// Sends the user's decision about the permission that a run waits for.
    pub(crate) fn permit(&self, run: RunId, wait: u64, verdict: Verdict) {
        let waits = self.shown.with_untracked(|shown| {
            let turn = shown.running().filter(|turn| turn.run == run);
            turn.is_some_and(|turn| turn.status == Status::AwaitingUser)
        });
        let command = Command::Permit { run, wait, verdict };
        // A permission may be reported twice: as the dialog's result and as an event.
        if waits && !self.connection.is_unconfirmed(&command) {
            self.connection.send(command);
        }
    }

    /// Starts a new conversation.
    pub(crate) fn new_chat(&self) {
        self.connection.send(Command::NewChat);
        if self.editing.with_untracked(Option::is_some) {
            self.leave_edit();
        }
        self.leave_drawer();
        self.focus_message();
    }

    fn running(&self) -> Option<RunId> {
        self.shown
            .with_untracked(|shown| shown.running().map(|turn| turn.run.clone()))
    }

    fn goal_of(&self, run: &RunId) -> Option<Goal> {
        self.shown.with_untracked(|shown| {
            let turn = shown.turns.iter().find(|turn| turn.run == *run);
            turn.map(|turn| turn.goal.clone())
        })
    }

    /// Returns a signal that is true while a run is active.
    pub(crate) fn is_running(&self) -> ReadSignal<bool> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.running().is_some()))
    }

    /// Returns the messages that wait for the active run as a signal, oldest first.
    pub(crate) fn queue(&self) -> ReadSignal<Vec<QueuedMessage>> {
        let shown = self.shown;
        create_selector(move || shown.with(queued))
    }

    /// Returns the content of the surface's tab, as a signal.
    pub(crate) fn beside(&self) -> ReadSignal<TabContent> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.beside.clone()))
    }

    pub(crate) fn last(&self) -> ReadSignal<Option<Turn>> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.turns.last().cloned()))
    }

    /// Returns a signal that is true if this run is the run of the newest turn.
    pub(crate) fn is_last(&self, run: &RunId) -> ReadSignal<bool> {
        let (shown, run) = (self.shown, run.clone());
        create_selector(move || {
            shown.with(|shown| shown.turns.last().is_some_and(|turn| turn.run == run))
        })
    }

    /// Returns a part of one turn, as a signal. Its readers are updated only when this part
    /// changes.
    pub(crate) fn of<T: PartialEq + 'static>(
        &self,
        run: &RunId,
        part: impl Fn(&Turn) -> T + 'static,
    ) -> ReadSignal<Option<T>> {
        let (shown, run) = (self.shown, run.clone());
        create_selector(move || {
            shown.with(|shown| shown.turns.iter().find(|turn| turn.run == run).map(&part))
        })
    }

    /// Focuses the message field, because the focused button is about to be removed.
    pub(crate) fn focus_message(&self) {
        focus(&self.message);
    }
}

pub(crate) fn focus(node: &NodeRef) {
    if let Some(element) = browser::html_element(*node) {
        // The call doesn't fail for an element that can be focused.
        let _ = element.focus();
    }
}
