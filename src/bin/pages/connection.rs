//! The port to the worker. The page sends a greeting, and receives one snapshot and then updates.
//!
//! Example: Chrome kills the worker in the middle of a run, and the port closes.
//! [`Reconnect`] decides when to connect again, which wakes the worker. The new snapshot shows the
//! run's state. The page repeats each command that the snapshot does not show.

use crate::chrome::{self, Port};
use crate::loaded_image::LoadedImage;
use crate::prelude::*;
use crate::screen::PaintTarget;
use crate::{browser, tabs};
use gloss::agent::{Failure, failure};
use gloss::app::surface::reconnect::{HANDSHAKE_MS, Next, Reconnect, Ticket};
use gloss::app::surface::{Command, Questions, Reply, Snapshot, UpdateResult, VERSION, displayed};
use gloss::host::TabId;
use gloss::host_browser::json;
use gloss::ui::expected::{ExpectedState, restored_draft};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::JsValue;

/// A waiting run continues at a planned time. This many milliseconds later, a page without a port
/// connects again.
const LOOKS_AFTER_MS: u64 = 1_000;

/// A handle to the page's connection, of which there is only one.
#[derive(Clone)]
pub(crate) struct Connection {
    state: Rc<RefCell<State>>,
    screen: PaintTarget,
}

#[derive(Default)]
struct State {
    line: Reconnect,
    port: Option<Port>,
    place: Option<tabs::TabLocation>,
    expected: ExpectedState,
    /// The requests that the worker answers with a message rather than with the snapshot.
    questions: Questions,
    frame_asked: bool,
}

impl Connection {
    pub(crate) fn new(screen: PaintTarget) -> Self {
        Self {
            state: Rc::default(),
            screen,
        }
    }

    /// Connects to the worker, and follows changes of the tab and of the page's visibility.
    pub(crate) fn begin(&self) {
        let this = self.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let place = tabs::current().await;
            this.state.borrow_mut().place = place;
            this.retry();
        });
        let this = self.clone();
        tabs::on_activated(move |place| this.activated(place));
        let this = self.clone();
        tabs::on_loaded(move |tab| {
            if this.tab() == Some(tab) {
                // The tab may show another page by now.
                this.state.borrow_mut().expected.forget_tab();
                if browser::is_visible() {
                    this.retry();
                }
            }
        });
        let this = self.clone();
        browser::on_seen(move || {
            if this.state.borrow().line.is_closed() {
                this.retry();
            }
        });
    }

    /// Returns the tab beside which the surface is shown.
    pub(crate) fn tab(&self) -> Option<i32> {
        self.state.borrow().place.map(|place| place.tab)
    }

    /// Greets the worker again, because the worker did not answer or its last answer may be
    /// outdated.
    pub(crate) fn retry(&self) {
        self.screen.trouble.set(None);
        let next = self.state.borrow_mut().line.wanted();
        self.act(next);
    }

    /// Sends a command. Each new connection repeats the command, until a snapshot shows its
    /// effect.
    pub(crate) fn send(&self, command: Command) {
        self.screen.trouble.set(None);
        let open = self.state.borrow().line.is_open();
        let posted = open && self.post(&command);
        self.state.borrow_mut().expected.send(command);
        if !posted {
            self.retry();
        }
        self.ask_frame();
    }

    /// Sends a request that the worker answers with a message rather than with the snapshot.
    pub(crate) fn ask(&self, command: &Command) {
        self.screen.trouble.set(None);
        self.state.borrow_mut().questions.ask(command.clone());
        let open = self.state.borrow().line.is_open();
        if open && self.post(command) {
            self.state.borrow_mut().questions.posted(command);
        } else {
            self.retry();
        }
    }

    /// Returns true if an equal command was sent, and no snapshot shows its effect yet.
    pub(crate) fn is_unconfirmed(&self, command: &Command) -> bool {
        self.state.borrow().expected.unconfirmed().contains(command)
    }

    fn act(&self, next: Next) {
        match next {
            Next::Rest => {}
            Next::Open => self.open(),
            Next::OpenAfter { wait_ms } => {
                let (this, port) = (self.clone(), self.state.borrow().line.port());
                browser::after(wait_ms.cast_signed(), move || {
                    if this.state.borrow().line.port() == port {
                        this.open();
                    }
                });
            }
            Next::Greet => self.greet(),
            Next::Reopen => {
                self.close();
                self.open();
            }
            Next::Tell => {
                self.close();
                self.tell(failure("worker_silent"));
            }
        }
    }

    /// Opens a port and greets the worker.
    fn open(&self) {
        let Some(port) = chrome::open_port("surface") else {
            self.tell(failure("surface_outdated"));
            return;
        };
        let ticket = {
            let mut state = self.state.borrow_mut();
            state.port = Some(port.clone());
            state.line.opened()
        };
        let (heard, lost) = (self.clone(), self.clone());
        port.listen(
            move |message| {
                if heard.state.borrow().line.port() == ticket {
                    heard.on_message(&message);
                }
            },
            move || lost.lost(ticket),
        );
        self.greet();
    }

    fn close(&self) {
        let port = self.state.borrow_mut().port.take();
        if let Some(port) = port {
            port.disconnect();
        }
    }

    fn lost(&self, port: Ticket) {
        let next = {
            let mut state = self.state.borrow_mut();
            let needed = state.expected.truth().is_some_and(Snapshot::needs_worker);
            let asked = !state.expected.unconfirmed().is_empty() || !state.questions.is_empty();
            let busy = needed || asked;
            if state.line.port() == port {
                state.port = None;
            }
            state.line.lost(port, busy)
        };
        self.act(next);
        self.look_again();
    }

    /// Connects again when a waiting run continues. The worker continues the run even without this
    /// page.
    fn look_again(&self) {
        let until_ms = {
            let state = self.state.borrow();
            let closed = state.expected.truth().filter(|_| state.line.is_closed());
            closed.and_then(Snapshot::goes_on_at_ms)
        };
        let Some(until_ms) = until_ms else { return };
        let this = self.clone();
        let left_ms = until_ms.saturating_sub(browser::now_ms());
        let wait_ms = left_ms.saturating_add(LOOKS_AFTER_MS);
        browser::after(i32::try_from(wait_ms).unwrap_or(i32::MAX), move || {
            if this.state.borrow().line.is_closed() {
                this.retry();
            }
        });
    }

    /// Asks the worker for a snapshot.
    fn greet(&self) {
        let (tab, ticket) = {
            let mut state = self.state.borrow_mut();
            let tab = state.place.map(|place| TabId(place.tab));
            (tab, state.line.greeted())
        };
        let hello = Command::Hello {
            version: VERSION,
            tab,
            language: msg("language_tag"),
        };
        self.post(&hello);
        let this = self.clone();
        browser::after(HANDSHAKE_MS.cast_signed(), move || {
            let next = this.state.borrow_mut().line.waited(ticket);
            this.act(next);
        });
    }

    fn post(&self, command: &Command) -> bool {
        let port = self.state.borrow().port.clone();
        port.is_some_and(|port| chrome::post(&port, command))
    }

    fn on_message(&self, message: &JsValue) {
        let reply = json::text(message).and_then(|it| displayed::<Reply>(&it));
        if let Ok(reply) = &reply {
            self.state.borrow_mut().questions.hear(reply);
        }
        match reply {
            Ok(Reply::Snapshot { snapshot }) => self.begun(snapshot),
            Ok(Reply::Update { update }) => {
                let applied = self.state.borrow_mut().expected.apply(&update);
                match applied {
                    Some(UpdateResult::Yes) => self.ask_frame(),
                    Some(UpdateResult::Gap) => self.greet(),
                    Some(UpdateResult::Old) | None => {}
                }
            }
            Ok(Reply::History { conversations }) => self.screen.past.set(Some(conversations)),
            Ok(Reply::Exported { run, text }) => {
                crate::save::run(self.state.borrow().expected.truth(), &run, &text);
            }
            Ok(Reply::Inspected { run, trajectory }) => {
                // A trajectory of a later version is not shown.
                if let Ok(trajectory) = displayed(&trajectory) {
                    self.screen.inspected.set(Some((run, trajectory)));
                }
            }
            Ok(Reply::Picture {
                run,
                step,
                call,
                image,
            }) => LoadedImage::keep(self.screen.pictures, (run, step, call), image),
            Ok(Reply::Refused { failure, message }) => {
                let refused = self.state.borrow_mut().expected.refuse(message.as_ref());
                self.give_back(&refused);
                self.screen.trouble.set(Some(failure));
                self.ask_frame();
            }
            // The worker sends this reply to options pages only.
            Ok(Reply::Options { .. }) => {}
            // The worker has another version of the interface: this page is the old one.
            Err(_) => self.tell(failure("surface_outdated")),
        }
    }

    /// Stores a snapshot, and repeats the commands whose effect it does not show.
    fn begun(&self, snapshot: Snapshot) {
        let again = {
            let mut state = self.state.borrow_mut();
            let first = state.line.answered();
            let mut again = state.expected.begin(snapshot, first);
            if first {
                again.extend(state.questions.on_new_line());
            }
            again
        };
        self.screen.trouble.set(None);
        for command in &again {
            self.post(command);
        }
        self.ask_frame();
    }

    /// Puts the messages of unsent commands back into the composer.
    fn give_back(&self, commands: &[Command]) {
        self.screen.draft.set(restored_draft(
            commands,
            self.screen.draft.get_clone_untracked(),
        ));
    }

    /// Handles the activation of another tab. If the tab is in this window, it is now the tab of
    /// the surface.
    fn activated(&self, place: tabs::TabLocation) {
        let unsent = {
            let mut state = self.state.borrow_mut();
            let ours = state.place.is_none_or(|old| old.window == place.window);
            ours.then(|| {
                state.place = Some(place);
                state.expected.switch_tab()
            })
        };
        if let Some(unsent) = unsent {
            self.give_back(&unsent);
            self.retry();
        }
    }

    fn tell(&self, failure: Failure) {
        self.screen.trouble.set(Some(failure));
    }

    /// Requests a paint in the next frame. Many updates before that frame cause only one paint.
    fn ask_frame(&self) {
        if !std::mem::replace(&mut self.state.borrow_mut().frame_asked, true) {
            let this = self.clone();
            browser::next_frame(move || this.paint());
        }
    }

    fn paint(&self) {
        let (shown, known) = {
            let mut state = self.state.borrow_mut();
            state.frame_asked = false;
            let tab = state.place.map(|place| place.tab);
            let shown = state.expected.shown(tab, browser::now_ms());
            (shown, state.expected.truth().is_some())
        };
        self.screen.paint(shown, known);
    }
}
