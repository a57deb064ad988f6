//! What is on screen: the snapshot as signals, and the commands of its buttons.

use crate::browser;
use crate::connection::Connection;
use gloss::agent::{Failure, Goal, Status};
use gloss::app::surface::{Beside, Command, Snapshot, Turn};
use gloss::host::RunId;
use sycamore::prelude::*;

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
        let connection = Connection::new(crate::screen::Screen {
            shown,
            known,
            trouble,
            log,
            behind,
        });
        Self {
            shown,
            known,
            trouble,
            draft,
            message: create_node_ref(),
            log,
            behind,
            connection,
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
        if self.running().is_none() {
            let run = RunId(browser::unique_id());
            let tuning = self.shown.with_untracked(|shown| shown.tuning.clone());
            self.connection.send(Command::Start {
                run,
                goal,
                tuning,
                replaces: None,
            });
        }
        self.focus_message();
    }

    /// Summarises the page, if it can be read.
    pub(crate) fn summarize(&self) {
        if self.readable() {
            self.start(Goal::Summarize);
        }
    }

    /// Sends the message, unless it is empty.
    pub(crate) fn ask(&self) {
        let question = self.draft.get_clone_untracked().trim().to_owned();
        if !question.is_empty() && self.running().is_none() {
            self.draft.set(String::new());
            self.start(Goal::Ask { question });
        }
    }

    /// Stops the run at work.
    pub(crate) fn stop(&self) {
        if let Some(run) = self.running() {
            self.connection.send(Command::Stop { run });
        }
        self.focus_message();
    }

    /// Lets a stopped run go on.
    pub(crate) fn go_on(&self, run: RunId) {
        self.connection.send(Command::Continue { run });
        self.focus_message();
    }

    /// Begins an empty conversation.
    pub(crate) fn new_chat(&self) {
        self.connection.send(Command::NewChat);
        self.focus_message();
    }

    fn running(&self) -> Option<RunId> {
        self.shown
            .with_untracked(|shown| shown.running().map(|turn| turn.run.clone()))
    }

    fn readable(&self) -> bool {
        self.shown
            .with_untracked(|shown| matches!(shown.beside, Beside::Page { .. }))
    }

    /// Whether a run is at work.
    pub(crate) fn is_running(&self) -> ReadSignal<bool> {
        let shown = self.shown;
        create_selector(move || shown.with(|shown| shown.running().is_some()))
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

/// Whether a turn is over.
pub(crate) fn is_over(status: Status) -> bool {
    !matches!(status, Status::Running | Status::AwaitingUser)
}

/// Moves the focus.
pub(crate) fn focus(node: &NodeRef) {
    use wasm_bindgen::JsCast;
    if let Some(element) = node
        .try_get()
        .and_then(|node| node.dyn_into::<web_sys::HtmlElement>().ok())
    {
        // Fails for nothing that can be focused.
        let _ = element.focus();
    }
}
