//! The state of the chat page: the snapshot as signals, and the commands of its buttons.

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
    Command, ConversationSettings, ConversationSummary, QueuedMessage, Snapshot, TabContent, Turn,
};
use gloss::durable::RunId;
use gloss::ui::step_edit::Steered;
use gloss::ui::turns::{draft_after_stop, has_page, queued, typed};

/// The maximum number of messages that wait for an active run.
const MOST_QUEUED: usize = 3;

/// The page's state. Every component gets it from the context.
#[derive(Clone)]
pub(crate) struct Surface {
    /// The worker's last state, with the commands that it has not confirmed yet.
    pub(crate) shown: Signal<Snapshot>,
    /// True once the worker has answered.
    pub(crate) known: Signal<bool>,
    /// The reason why the worker does not answer, or the request that it refused.
    pub(crate) trouble: Signal<Option<Failure>>,
    /// The message being written.
    pub(crate) draft: Signal<String>,
    /// The message field; it takes the focus when a focused button is removed.
    pub(crate) message: NodeRef,
    /// The scrolling log.
    pub(crate) log: NodeRef,
    /// True if there is new text below the view.
    pub(crate) behind: Signal<bool>,
    /// The turn whose message is being edited.
    pub(crate) editing: Signal<Option<RunId>>,
    /// True if a message was not queued because too many wait.
    pub(crate) queue_full: Signal<bool>,
    /// The turn whose trajectory is open.
    pub(crate) drawer: Signal<Option<RunId>>,
    /// The viewed step of that turn, if the user stepped back.
    pub(crate) viewed: Signal<Option<u8>>,
    /// The message that the user writes for a fork from that step.
    pub(crate) fork_draft: Signal<String>,
    /// The part of a step that is being edited.
    pub(crate) steered: Signal<Option<Steered>>,
    /// The trajectory that the worker sent for the open run.
    pub(crate) inspected: Signal<Option<(RunId, Trajectory)>>,
    /// The images of tool calls, as far as they were requested.
    pub(crate) pictures: Signal<Pictures>,
    /// True if thoughts are unfolded; `None` follows the setting.
    pub(crate) thinking: Signal<Option<bool>>,
    /// True if the user doesn't want to be asked for this page now.
    pub(crate) dismissed: Signal<bool>,
    /// The past conversations, while they are listed.
    pub(crate) past: Signal<Option<Vec<ConversationSummary>>>,
    /// The choices since the last message.
    pub(crate) chosen: Signal<Option<Chosen>>,
    /// The draft that an edit replaced.
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

    /// The state from the context.
    pub(crate) fn from_context() -> Self {
        use_context::<Self>()
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Starts a run, unless one is active.
    pub(crate) fn start(&self, goal: Goal) {
        self.start_over(goal, None);
    }

    /// Starts a run that replaces another, unless one is active.
    pub(crate) fn start_over(&self, goal: Goal, replaces: Option<RunId>) {
        if self.running().is_none() {
            self.send(goal, self.chosen_or_known(), replaces);
            self.chosen.set(None);
        }
        self.focus_message();
    }

    /// Starts the same goal again on the device; the next message uses the chosen model again.
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

    /// Summarises the page, if there is one.
    pub(crate) fn summarize(&self) {
        if self.shown.with_untracked(|shown| has_page(&shown.beside)) {
            self.start(Goal::Summarize);
        }
    }

    /// Sends the message, unless it is empty; queues it while a run is active.
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

    /// Withdraws a queued message, and puts it into the composer if that is empty.
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

    /// Puts the message of a turn into the composer; what the user sends replaces that turn.
    pub(crate) fn edit(&self, run: RunId, words: String) {
        if self.editing.with_untracked(Option::is_none) {
            self.saved_draft.set(self.draft.get_clone_untracked());
        }
        self.draft.set(words);
        self.editing.set(Some(run));
        self.focus_message();
    }

    /// Ends the edit, and restores the draft from before it.
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

    /// Edits the last message: the newest queued one, or that of the last turn.
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

    /// Sends the run the user's decision about the permission that it waits for.
    pub(crate) fn permit(&self, run: RunId, wait: u64, verdict: Verdict) {
        let waits = self.shown.with_untracked(|shown| {
            let turn = shown.running().filter(|turn| turn.run == run);
            turn.is_some_and(|turn| turn.status == Status::AwaitingUser)
        });
        let command = Command::Permit { run, wait, verdict };
        // Chrome may report it twice: by the dialog's answer and by its event.
        if waits && !self.connection.is_unconfirmed(&command) {
            self.connection.send(command);
        }
    }

    /// Starts an empty conversation.
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

    /// True if a run is active.
    pub(crate) fn is_running(&self) -> ReadSignal<bool> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.running().is_some()))
    }

    /// The messages that wait for the active run, oldest first.
    pub(crate) fn queue(&self) -> ReadSignal<Vec<QueuedMessage>> {
        let shown = self.shown;
        create_selector(move || shown.with(queued))
    }

    /// The page beside the surface.
    pub(crate) fn beside(&self) -> ReadSignal<TabContent> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.beside.clone()))
    }

    /// The newest turn, if there is one.
    pub(crate) fn last(&self) -> ReadSignal<Option<Turn>> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.turns.last().cloned()))
    }

    /// True if this run is that of the newest turn.
    pub(crate) fn is_last(&self, run: &RunId) -> ReadSignal<bool> {
        let (shown, run) = (self.shown, run.clone());
        create_selector(move || {
            shown.with(|shown| shown.turns.last().is_some_and(|turn| turn.run == run))
        })
    }

    /// A part of one turn, so that the rest of the page isn't updated when it changes.
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

    /// Focuses the message, because the focused button is about to be removed.
    pub(crate) fn focus_message(&self) {
        focus(&self.message);
    }
}

/// Focuses an element.
pub(crate) fn focus(node: &NodeRef) {
    if let Some(element) = browser::html_element(*node) {
        // Doesn't fail for an element that can be focused.
        let _ = element.focus();
    }
}
