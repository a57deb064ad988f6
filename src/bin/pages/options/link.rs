//! The port to the worker. Every request has a number. A new port repeats the unanswered requests.
//!
//! Example: the worker dies with two requests unanswered. The page opens a port, sends a
//! greeting, and repeats both requests. The worker carries out each request only once. If no request is unanswered, the
//! page opens no port, because an open port keeps the worker alive.

use crate::browser;
use crate::chrome::{self, Port, post};
use crate::prelude::*;
use gloss::app::options::{OptionsRequest, Outcome, State};
use gloss::app::surface::reconnect::{Next, Reconnect, Ticket};
use gloss::app::surface::{Command, Reply, VERSION, displayed};
use gloss::host_browser::json;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// A message from the connection to the page.
pub(crate) enum LinkEvent {
    /// The worker sent its state.
    State(State),
    /// The worker refused a request of this page.
    Refused(gloss::agent::Failure),
    /// No worker answers.
    Silence,
    /// The worker and the page have different versions.
    Outdated,
}

type Then = Box<dyn FnOnce(Outcome)>;

/// A handle to the page's connection, of which there is only one.
#[derive(Clone)]
pub(crate) struct Link(Rc<RefCell<Inner>>, Rc<dyn Fn(LinkEvent)>);

#[derive(Default)]
struct Inner {
    line: Reconnect,
    port: Option<Port>,
    /// The number of the last request.
    last: u32,
    unanswered: BTreeMap<u32, (OptionsRequest, Then)>,
}

impl Link {
    pub(crate) fn new(heard: impl Fn(LinkEvent) + 'static) -> Self {
        Self(Rc::default(), Rc::new(heard))
    }

    /// Opens a port to the worker or greets it. The page tries again as often as at the beginning.
    pub(crate) fn begin(&self) {
        let next = self.0.borrow_mut().line.wanted();
        self.act(next);
    }

    /// Sends a request; `then` receives its outcome.
    pub(crate) fn ask(&self, ask: OptionsRequest, then: Then) {
        let n = {
            let mut inner = self.0.borrow_mut();
            inner.last += 1;
            let n = inner.last;
            inner.unanswered.insert(n, (ask.clone(), then));
            n
        };
        if !self.post(&Command::Options { n, ask }) {
            self.begin();
        }
    }

    fn act(&self, next: Next) {
        match next {
            Next::Rest => {}
            Next::Open => self.connect(),
            Next::OpenAfter { wait_ms } => {
                let (this, port) = (self.clone(), self.0.borrow().line.port());
                browser::after(wait_ms.cast_signed(), move || {
                    if this.0.borrow().line.port() == port {
                        this.connect();
                    }
                });
            }
            Next::Greet => self.greet(),
            Next::Reopen | Next::Tell => (self.1)(LinkEvent::Silence),
        }
    }

    fn connect(&self) {
        let Some(port) = chrome::open_port("options") else {
            (self.1)(LinkEvent::Outdated);
            return;
        };
        let ticket = self.0.borrow_mut().line.opened();
        self.0.borrow_mut().port = Some(port.clone());
        let (heard, lost) = (self.clone(), self.clone());
        port.listen(
            move |message| {
                if heard.0.borrow().line.port() == ticket {
                    heard.receive(&message);
                }
            },
            move || lost.lost(ticket),
        );
        self.greet();
        let unanswered: Vec<_> = {
            let inner = self.0.borrow();
            let asks = inner.unanswered.iter();
            asks.map(|(n, (ask, _))| (*n, ask.clone())).collect()
        };
        for (n, ask) in unanswered {
            self.post(&Command::Options { n, ask });
        }
    }

    fn greet(&self) {
        self.0.borrow_mut().line.greeted();
        self.post(&Command::Hello {
            version: VERSION,
            tab: None,
            language: msg("language_tag"),
        });
    }

    fn lost(&self, port: Ticket) {
        let next = {
            let mut inner = self.0.borrow_mut();
            if port == inner.line.port() {
                inner.port = None;
            }
            let is_busy = !inner.unanswered.is_empty();
            inner.line.lost(port, is_busy)
        };
        self.act(next);
    }

    fn post(&self, command: &Command) -> bool {
        let port = self.0.borrow().port.clone();
        port.is_some_and(|port| post(&port, command))
    }

    fn receive(&self, message: &JsValue) {
        match json::text(message).and_then(|it| displayed::<Reply>(&it)) {
            Ok(Reply::Options { state, answered }) => {
                let then = {
                    let mut inner = self.0.borrow_mut();
                    inner.line.answered();
                    answered.and_then(|it| Some((inner.unanswered.remove(&it.n)?.1, it.outcome)))
                };
                (self.1)(LinkEvent::State(state));
                if let Some((then, outcome)) = then {
                    then(outcome);
                }
            }
            Ok(Reply::Refused { failure, .. }) => (self.1)(LinkEvent::Refused(failure)),
            // The worker sends these replies to chat pages only.
            Ok(
                Reply::Snapshot { .. }
                | Reply::Update { .. }
                | Reply::History { .. }
                | Reply::Exported { .. }
                | Reply::Inspected { .. }
                | Reply::Picture { .. },
            ) => {}
            Err(_) => (self.1)(LinkEvent::Outdated),
        }
    }
}
