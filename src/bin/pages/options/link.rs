//! The port to the worker. Every request has a number, and is repeated until the worker answers.

use crate::chrome::{self, Port, post};
use crate::prelude::*;
use gloss::app::options::{OptionsRequest, Outcome, State};
use gloss::app::surface::{Command, Reply, VERSION};
use gloss::host_browser::json;
use gloss::ui::requests::{AfterClose, Requests};
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
    port: Option<Port>,
    requests: Requests,
    answers: BTreeMap<u32, Then>,
}

impl Link {
    pub(crate) fn new(heard: impl Fn(LinkEvent) + 'static) -> Self {
        Self(Rc::default(), Rc::new(heard))
    }

    /// Connects to the worker and greets it. The count of closed ports starts again at 0.
    pub(crate) fn begin(&self) {
        self.0.borrow_mut().requests.reset_losses();
        if self.0.borrow().port.is_none() {
            self.connect();
        }
    }

    /// Sends a request; `then` receives its outcome.
    pub(crate) fn ask(&self, ask: OptionsRequest, then: Then) {
        let n = {
            let mut inner = self.0.borrow_mut();
            let n = inner.requests.add(ask.clone());
            inner.answers.insert(n, then);
            n
        };
        if !self.post(&Command::Options { n, ask }) {
            self.begin();
        }
    }

    fn connect(&self) {
        let Some(port) = chrome::open_port("options") else {
            (self.1)(LinkEvent::Outdated);
            return;
        };
        let (generation, unanswered) = {
            let mut inner = self.0.borrow_mut();
            inner.port = Some(port.clone());
            inner.requests.opened()
        };
        let (heard, lost) = (self.clone(), self.clone());
        port.listen(
            move |message| {
                if heard.0.borrow().requests.is_current(generation) {
                    heard.receive(&message);
                }
            },
            move || lost.lost(generation),
        );
        self.post(&Command::Hello {
            version: VERSION,
            tab: None,
            language: msg("language_tag"),
        });
        for (n, ask) in unanswered {
            self.post(&Command::Options { n, ask });
        }
    }

    fn lost(&self, generation: u32) {
        let lost = {
            let mut inner = self.0.borrow_mut();
            if !inner.requests.is_current(generation) {
                return;
            }
            inner.port = None;
            inner.requests.lost()
        };
        match lost {
            AfterClose::OpenAgain => self.connect(),
            AfterClose::Silence => (self.1)(LinkEvent::Silence),
            AfterClose::StayAway => {}
        }
    }

    fn post(&self, command: &Command) -> bool {
        let port = self.0.borrow().port.clone();
        port.is_some_and(|port| post(&port, command))
    }

    fn receive(&self, message: &JsValue) {
        match json::read::<Reply>(message) {
            Ok(Reply::Options { state, answered }) => {
                let then = {
                    let mut inner = self.0.borrow_mut();
                    inner.requests.answered(answered.as_ref().map(|it| it.n));
                    answered.and_then(|it| Some((inner.answers.remove(&it.n)?, it.outcome)))
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
