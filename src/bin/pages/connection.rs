//! The Port to the worker: one handshake, one snapshot, then updates.
//!
//! Driving example: Chrome kills the worker in the middle of a run. The port
//! closes; because a run is at work, the page connects again at once, which
//! wakes the worker; the snapshot shows where the run stands, and whatever
//! command the snapshot does not show is sent once more. With nothing at work
//! the page stays away until it is needed, so that it keeps no worker alive.

use crate::chrome::{self, Port};
use crate::screen::Screen;
use crate::words::msg;
use crate::{browser, tabs};
use gloss::agent::Failure;
use gloss::app::surface::{Applied, Command, Reply, Snapshot, VERSION};
use gloss::host::TabId;
use gloss::phrase::phrase;
use serde::Serialize;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// How long the worker may take to answer a greeting.
const HANDSHAKE_MS: i32 = 2_000;
/// How often it is greeted before the page says that it does not answer.
const GREETINGS: u8 = 2;
/// How often a closed port is opened again before the page says so.
const LOSSES: u8 = 8;
/// The wait before the second time; doubled up to sixteenfold.
const RECONNECT_MS: i32 = 125;

/// A handle on the one connection.
#[derive(Clone)]
pub(crate) struct Connection(Rc<RefCell<State>>, Screen);

#[derive(Default)]
struct State {
    port: Option<Port>,
    /// Each port has its number: late words of an old one are ignored.
    generation: u32,
    /// Greetings since the last answer.
    greetings: u8,
    /// Ports that closed since the last answer.
    losses: u8,
    /// The worker has answered on this port.
    open: bool,
    place: Option<tabs::Place>,
    truth: Option<Snapshot>,
    /// What was asked and does not show yet, in order.
    unconfirmed: Vec<Command>,
    frame_asked: bool,
}

impl Connection {
    pub(crate) fn new(screen: Screen) -> Self {
        Self(Rc::default(), screen)
    }

    /// Connects, and keeps in step with the tab and the page's visibility.
    pub(crate) fn begin(&self) {
        let this = self.clone();
        wasm_bindgen_futures::spawn_local(async move {
            let place = tabs::current().await;
            this.0.borrow_mut().place = place;
            this.connect();
        });
        let this = self.clone();
        tabs::on_activated(move |place| this.activated(place));
        let this = self.clone();
        tabs::on_loaded(move |tab| {
            let ours = this.0.borrow().place.is_some_and(|place| place.tab == tab);
            if ours && browser::is_visible() {
                this.greet();
            }
        });
        let this = self.clone();
        let seen = Closure::<dyn Fn()>::new(move || {
            if browser::is_visible() && this.0.borrow().port.is_none() {
                this.retry();
            }
        });
        // Fails only for an event name that is none.
        let _ = sycamore::web::document()
            .add_event_listener_with_callback("visibilitychange", seen.as_ref().unchecked_ref());
        seen.forget();
    }

    /// Greets the worker anew after it did not answer.
    pub(crate) fn retry(&self) {
        {
            let mut state = self.0.borrow_mut();
            state.greetings = 0;
            state.losses = 0;
        }
        self.1.trouble.set(None);
        self.connect();
    }

    /// Sends a command; until a snapshot shows it, it is sent again after
    /// every new connection.
    pub(crate) fn send(&self, command: Command) {
        if command == Command::NewChat {
            self.0.borrow_mut().unconfirmed.clear();
        }
        self.1.trouble.set(None);
        let open = self.0.borrow().open;
        let posted = open && self.post(&command);
        self.0.borrow_mut().unconfirmed.push(command);
        if !posted {
            self.retry();
        }
        self.ask_frame();
    }

    fn activated(&self, place: tabs::Place) {
        let moved = {
            let mut state = self.0.borrow_mut();
            let ours = state.place.is_none_or(|old| old.window == place.window);
            if ours {
                state.place = Some(place);
                state.unconfirmed.clear();
            }
            ours
        };
        if moved {
            self.retry();
        }
    }

    /// Opens a port if there is none, and greets.
    fn connect(&self) {
        if self.0.borrow().port.is_none() {
            let info = tabs::object(&[("name", JsValue::from_str("surface"))]);
            let Ok(port) = chrome::connect(&info) else {
                self.report("surface_outdated");
                return;
            };
            let generation = {
                let mut state = self.0.borrow_mut();
                state.generation += 1;
                state.open = false;
                state.port = Some(port.clone());
                state.generation
            };
            self.listen(&port, generation);
        }
        self.greet();
    }

    fn listen(&self, port: &Port, generation: u32) {
        let this = self.clone();
        let heard = Closure::<dyn Fn(JsValue)>::new(move |message: JsValue| {
            if this.0.borrow().generation == generation {
                this.heard(message);
            }
        });
        port.on_message().add(heard.as_ref().unchecked_ref());
        let this = self.clone();
        let lost = Closure::<dyn Fn()>::new(move || {
            if this.0.borrow().generation == generation {
                this.lost();
            }
        });
        port.on_disconnect().add(lost.as_ref().unchecked_ref());
        // Both live as long as the port, which the browser drops.
        heard.forget();
        lost.forget();
    }

    /// Asks for a snapshot and waits for it.
    fn greet(&self) {
        let (tab, generation) = {
            let mut state = self.0.borrow_mut();
            state.greetings = state.greetings.saturating_add(1);
            (state.place.map(|place| TabId(place.tab)), state.generation)
        };
        let hello = Command::Hello {
            version: VERSION,
            tab,
            language: msg("language_tag"),
        };
        self.post(&hello);
        let this = self.clone();
        browser::after(HANDSHAKE_MS, move || this.waited(generation));
    }

    /// The worker had its time: greet it once more on a new port, or say so.
    fn waited(&self, generation: u32) {
        let unanswered = {
            let mut state = self.0.borrow_mut();
            let unanswered = state.generation == generation && state.greetings > 0;
            if unanswered && let Some(port) = state.port.take() {
                port.disconnect();
                state.open = false;
                // The closed port says no more.
                state.generation += 1;
            }
            unanswered.then_some(state.greetings)
        };
        match unanswered {
            Some(greetings) if greetings < GREETINGS => self.connect(),
            Some(_) => self.report("worker_silent"),
            None => {}
        }
    }

    /// The port closed. While something is at work it is opened again, at once
    /// and then ever later: a worker may be killed while it is being born.
    fn lost(&self) {
        let losses = {
            let mut state = self.0.borrow_mut();
            state.port = None;
            state.open = false;
            state.generation += 1;
            let running = state.truth.as_ref().is_some_and(|t| t.running().is_some());
            let wanted = running || !state.unconfirmed.is_empty() || state.greetings > 0;
            state.losses += 1;
            wanted.then_some(state.losses)
        };
        match losses {
            Some(losses) if losses <= LOSSES => self.connect_after(losses),
            Some(_) => self.report("worker_silent"),
            None => {}
        }
    }

    fn connect_after(&self, losses: u8) {
        // Silence is counted anew: the one that was greeted is dead.
        self.0.borrow_mut().greetings = 0;
        if losses == 1 {
            self.connect();
            return;
        }
        let wait_ms = RECONNECT_MS << i32::from(losses - 2).min(4);
        let (this, generation) = (self.clone(), self.0.borrow().generation);
        browser::after(wait_ms, move || {
            if this.0.borrow().generation == generation {
                this.connect();
            }
        });
    }

    fn post(&self, command: &Command) -> bool {
        let port = self.0.borrow().port.clone();
        let message = command.serialize(&serde_wasm_bindgen::Serializer::json_compatible());
        match (port, message) {
            (Some(port), Ok(message)) => port.post(&message).is_ok(),
            _ => false,
        }
    }

    fn heard(&self, message: JsValue) {
        match serde_wasm_bindgen::from_value::<Reply>(message) {
            Ok(Reply::Snapshot { snapshot }) => self.begun(snapshot),
            Ok(Reply::Update { update }) => {
                let applied = {
                    let mut state = self.0.borrow_mut();
                    let State {
                        truth, unconfirmed, ..
                    } = &mut *state;
                    truth.as_mut().map(|truth| {
                        let applied = truth.apply(&update);
                        unconfirmed.retain(|command| !command.is_confirmed_by(truth));
                        applied
                    })
                };
                match applied {
                    Some(Applied::Yes) => self.ask_frame(),
                    Some(Applied::Gap) => self.greet(),
                    Some(Applied::Old) | None => {}
                }
            }
            Ok(Reply::Refused { failure }) => {
                self.0.borrow_mut().unconfirmed.clear();
                self.1.trouble.set(Some(failure));
                self.ask_frame();
            }
            // Another version of the interface: this page is the old one.
            Err(_) => self.report("surface_outdated"),
        }
    }

    /// A snapshot came: send what it does not show.
    fn begun(&self, snapshot: Snapshot) {
        let again = {
            let mut state = self.0.borrow_mut();
            let first = !state.open;
            state.open = true;
            state.greetings = 0;
            state.losses = 0;
            state
                .unconfirmed
                .retain(|command| !command.is_confirmed_by(&snapshot));
            if !first {
                // Sent on this port: this snapshot is its answer, even if a
                // new turn stands in it already.
                state
                    .unconfirmed
                    .retain(|command| *command != Command::NewChat);
            }
            state.truth = Some(snapshot);
            if first {
                state.unconfirmed.clone()
            } else {
                Vec::new()
            }
        };
        self.1.trouble.set(None);
        for command in &again {
            self.post(command);
        }
        self.ask_frame();
    }

    fn report(&self, key: &str) {
        let title = match key {
            "surface_outdated" => phrase("surface_outdated_title"),
            _ => phrase("worker_silent_title"),
        };
        let remedy = match key {
            "surface_outdated" => phrase("surface_outdated_remedy"),
            _ => phrase("worker_silent_remedy"),
        };
        self.1.trouble.set(Some(Failure {
            code: key.to_owned(),
            title,
            remedy,
            recoverable: true,
            commands: Vec::new(),
        }));
    }

    /// Paints before the next frame, however much comes until then.
    fn ask_frame(&self) {
        if !std::mem::replace(&mut self.0.borrow_mut().frame_asked, true) {
            let this = self.clone();
            browser::next_frame(move || this.paint());
        }
    }

    fn paint(&self) {
        let (shown, known) = {
            let mut state = self.0.borrow_mut();
            state.frame_asked = false;
            (state.shown(), state.truth.is_some())
        };
        self.1.paint(shown, known);
    }
}

impl State {
    /// What the worker said, and the turns it was asked for meanwhile.
    fn shown(&self) -> Snapshot {
        let mut shown = self.truth.clone().unwrap_or_else(Snapshot::unknown);
        if self.unconfirmed.contains(&Command::NewChat) {
            shown.turns.clear();
        }
        for command in &self.unconfirmed {
            if let Command::Start {
                run,
                goal,
                tuning,
                replaces,
            } = command
            {
                shown.expect(run, goal, tuning, replaces.as_ref(), browser::now_ms());
            }
        }
        shown
    }
}
