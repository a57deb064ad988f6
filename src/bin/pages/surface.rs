//! What is on screen: the snapshot as signals, and the commands of its buttons.

use crate::browser;
use crate::connection::Connection;
use crate::picture::Pictures;
use crate::steering::Steered;
use crate::tuning::Chosen;
use gloss::agent::trajectory::Trajectory;
use gloss::agent::{Failure, Goal, Status, Verdict};
use gloss::app::surface::{Beside, Command, Past, Queued, Snapshot, Tuning, Turn};
use gloss::durable::RunId;
use gloss::ui::turns::{draft_after_stop, has_page, queued, typed};
use sycamore::prelude::*;

/// How many messages may wait for a run at work.
const MOST_QUEUED: usize = 3;

/// Handed to every component through the context.
#[derive(Clone)]
pub(crate) struct Surface {
    /// What the worker last said, and what was asked of it meanwhile.
    pub(crate) shown: Signal<Snapshot>,
    /// Whether the worker has answered at all.
    pub(crate) known: Signal<bool>,
    /// Why the worker does not answer, or what it refused.
    pub(crate) trouble: Signal<Option<Failure>>,
    /// The message being written.
    pub(crate) draft: Signal<String>,
    /// Where it is written; takes the focus back when a button goes.
    pub(crate) message: NodeRef,
    /// What is read, and scrolls.
    pub(crate) log: NodeRef,
    /// New text stands below what is in view.
    pub(crate) behind: Signal<bool>,
    /// The turn whose message is being edited.
    pub(crate) editing: Signal<Option<RunId>>,
    /// A message was not queued, as too many wait.
    pub(crate) queue_full: Signal<bool>,
    /// The turn whose trajectory is open.
    pub(crate) drawer: Signal<Option<RunId>>,
    /// The step of it that is viewed, if the person stepped back.
    pub(crate) viewed: Signal<Option<u8>>,
    /// What is written there, to be sent into a fork.
    pub(crate) fork_draft: Signal<String>,
    /// The part of a step that is being edited.
    pub(crate) steered: Signal<Option<Steered>>,
    /// What the worker said of the run whose trajectory is open.
    pub(crate) inspected: Signal<Option<(RunId, Trajectory)>>,
    /// The images that calls gave, as far as they were asked for.
    pub(crate) pictures: Signal<Pictures>,
    /// Whether thoughts stand open, where that differs from the setting.
    pub(crate) thinking: Signal<Option<bool>>,
    /// The person does not want to be asked for this page now.
    pub(crate) dismissed: Signal<bool>,
    /// The conversations there are, while they are listed.
    pub(crate) past: Signal<Option<Vec<Past>>>,
    /// What was chosen since the last message.
    pub(crate) chosen: Signal<Option<Chosen>>,
    /// What was being written when an edit began.
    put_aside: Signal<String>,
    connection: Connection,
}

impl Surface {
    pub(crate) fn new() -> Self {
        let shown = create_signal(Snapshot::unknown());
        let known = create_signal(false);
        let trouble = create_signal(None);
        let draft = create_signal(String::new());
        let log = create_node_ref();
        let behind = create_signal(false);
        let past = create_signal(None);
        let inspected = create_signal(None);
        let pictures = create_signal(Pictures::default());
        let screen = crate::screen::Screen {
            shown,
            known,
            trouble,
            log,
            behind,
        };
        Self {
            shown,
            known,
            trouble,
            draft,
            message: create_node_ref(),
            log,
            behind,
            editing: create_signal(None),
            queue_full: create_signal(false),
            drawer: create_signal(None),
            viewed: create_signal(None),
            fork_draft: create_signal(String::new()),
            steered: create_signal(None),
            inspected,
            pictures,
            thinking: create_signal(None),
            dismissed: create_signal(false),
            past,
            chosen: create_signal(None),
            put_aside: create_signal(String::new()),
            connection: Connection::new(screen, draft, past, inspected, pictures),
        }
    }

    /// From the context.
    pub(crate) fn here() -> Self {
        use_context::<Self>()
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// Starts a run, unless one is at work.
    pub(crate) fn start(&self, goal: Goal) {
        self.start_over(goal, None);
    }

    /// Starts a run in place of another, unless one is at work.
    pub(crate) fn start_over(&self, goal: Goal, replaces: Option<RunId>) {
        if self.running().is_none() {
            self.send(goal, self.chosen_or_known(), replaces);
            self.chosen.set(None);
        }
        self.focus_message();
    }

    /// The same once more, answered on the device; the next message goes to the
    /// model that was chosen.
    pub(crate) fn start_on_device(&self, goal: Goal, replaces: RunId) {
        if self.running().is_none() {
            let tuning = self.tuning();
            let on_device = Tuning {
                model: String::new(),
                ..tuning.clone()
            };
            self.send(goal, Some(on_device), Some(replaces));
            self.choose(tuning);
        }
        self.focus_message();
    }

    fn send(&self, goal: Goal, tuning: Option<Tuning>, replaces: Option<RunId>) {
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

    /// Sends the message, unless it is empty; queues it while a run is at work.
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

    /// Takes a queued message back, into the composer if that is empty.
    pub(crate) fn take_back(&self, queued: &Queued) {
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

    /// Puts the words of a turn into the composer, to be sent in their place.
    pub(crate) fn edit(&self, run: RunId, words: String) {
        if self.editing.with_untracked(Option::is_none) {
            self.put_aside.set(self.draft.get_clone_untracked());
        }
        self.draft.set(words);
        self.editing.set(Some(run));
        self.focus_message();
    }

    /// Leaves the edited words, and comes back to what was being written.
    pub(crate) fn leave_edit(&self) {
        if self.editing.with_untracked(Option::is_some) {
            self.editing.set(None);
            let aside = self.put_aside.get_clone_untracked();
            self.put_aside.set(String::new());
            self.draft.set(aside);
        } else {
            self.draft.set(String::new());
        }
    }

    /// Edits the last message: the newest that waits, or that of the last turn.
    pub(crate) fn edit_last(&self) {
        let (waiting, last) = self.shown.with_untracked(|shown| {
            let last = shown.turns.last().filter(|turn| !turn.is_open());
            let last = last.and_then(|turn| Some((turn.run.clone(), said_by_person(&turn.goal)?)));
            (queued(shown).last().cloned(), last)
        });
        match (waiting, last) {
            (Some(waiting), _) => self.take_back(&waiting),
            (None, Some((run, words))) => self.edit(run, words),
            (None, None) => {}
        }
    }

    /// Stops the run at work. What waited for it comes back into the composer.
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

    /// Lets a stopped run go on.
    pub(crate) fn go_on(&self, run: RunId) {
        self.connection.send(Command::Continue { run });
        self.focus_message();
    }

    /// Tells the run what became of the permission it waits for.
    pub(crate) fn permit(&self, run: RunId, wait: u64, verdict: Verdict) {
        let waits = self.shown.with_untracked(|shown| {
            let turn = shown.running().filter(|turn| turn.run == run);
            turn.is_some_and(|turn| turn.status == Status::AwaitingUser)
        });
        let command = Command::Permit { run, wait, verdict };
        // Chrome may tell it twice: by the dialog's answer and by its event.
        if waits && !self.connection.is_unconfirmed(&command) {
            self.connection.send(command);
        }
    }

    /// Begins an empty conversation.
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

    /// Whether a run is at work.
    pub(crate) fn is_running(&self) -> ReadSignal<bool> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.running().is_some()))
    }

    /// The messages that wait for the run at work, oldest first.
    pub(crate) fn queue(&self) -> ReadSignal<Vec<Queued>> {
        let shown = self.shown;
        create_selector(move || shown.with(queued))
    }

    /// What stands beside.
    pub(crate) fn beside(&self) -> ReadSignal<Beside> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.beside.clone()))
    }

    /// The newest turn, if there is one.
    pub(crate) fn last(&self) -> ReadSignal<Option<Turn>> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.turns.last().cloned()))
    }

    /// Whether this run is that of the newest turn.
    pub(crate) fn is_last(&self, run: &RunId) -> ReadSignal<bool> {
        let (shown, run) = (self.shown, run.clone());
        create_selector(move || {
            shown.with(|shown| shown.turns.last().is_some_and(|turn| turn.run == run))
        })
    }

    /// One thing about one turn, so that the rest of the page stays as it is
    /// when it changes.
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

    /// Gives the focus to the message, as a button that had it is about to go.
    pub(crate) fn focus_message(&self) {
        focus(&self.message);
    }
}

/// A goal in the words that can be edited.
pub(crate) fn said_by_person(goal: &Goal) -> Option<String> {
    match goal {
        Goal::Ask { question } => Some(question.clone()),
        Goal::Explain { selection } => Some(selection.clone()),
        Goal::Summarize => Some(crate::words::msg("summarize_page")),
        Goal::GoOn => None,
    }
}

/// Moves the focus.
pub(crate) fn focus(node: &NodeRef) {
    if let Some(element) = browser::html_element(*node) {
        // Fails for nothing that can be focused.
        let _ = element.focus();
    }
}
