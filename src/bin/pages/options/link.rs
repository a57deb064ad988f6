//! The Port to the worker: every wish has a number, and is asked until answered.
//!
//! Each wish changes nothing if it is done twice, so what a dying worker left
//! unanswered is asked again of the next one. With nothing to ask the page stays
//! away, so that it keeps no worker alive.

use crate::chrome::{self, Port};
use crate::tabs;
use crate::words::msg;
use gloss::app::options::{Ask, Outcome, State};
use gloss::app::surface::{Command, Reply, VERSION};
use serde::Serialize;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// How often a closed port is opened again before the page says so.
const LOSSES: u8 = 4;

/// What the page handler.
pub(crate) enum Heard {
    /// How things stand.
    State(State),
    /// The worker refuses this page.
    Refused(gloss::agent::Failure),
    /// No worker answers.
    Silence,
    /// The worker speaks another version.
    Outdated,
}

type Then = Box<dyn FnOnce(Outcome)>;

/// A handle on the one connection.
#[derive(Clone)]
pub(crate) struct Link(Rc<RefCell<Inner>>, Rc<dyn Fn(Heard)>);

#[derive(Default)]
struct Inner {
    port: Option<Port>,
    /// Late words of an old port are ignored.
    generation: u32,
    losses: u8,
    greeted: bool,
    last: u32,
    unanswered: BTreeMap<u32, (Ask, Then)>,
}

impl Link {
    pub(crate) fn new(heard: impl Fn(Heard) + 'static) -> Self {
        Self(Rc::default(), Rc::new(heard))
    }

    /// Connects and greets, from the first loss again.
    pub(crate) fn begin(&self) {
        self.0.borrow_mut().losses = 0;
        if self.0.borrow().port.is_none() {
            self.connect();
        }
    }

    /// Asks for something; `then` gets what came of it.
    pub(crate) fn ask(&self, ask: Ask, then: impl FnOnce(Outcome) + 'static) {
        let n = {
            let mut inner = self.0.borrow_mut();
            inner.last += 1;
            let n = inner.last;
            inner.unanswered.insert(n, (ask.clone(), Box::new(then)));
            n
        };
        let posted = self.post(&Command::Options { n, ask });
        if !posted {
            self.begin();
        }
    }

    fn connect(&self) {
        let info = tabs::object(&[("name", JsValue::from_str("options"))]);
        let Ok(port) = chrome::connect(&info) else {
            (self.1)(Heard::Outdated);
            return;
        };
        let (generation, unanswered) = {
            let mut inner = self.0.borrow_mut();
            inner.generation += 1;
            inner.greeted = false;
            inner.port = Some(port.clone());
            let unanswered: Vec<(u32, Ask)> = inner
                .unanswered
                .iter()
                .map(|(n, (ask, _))| (*n, ask.clone()))
                .collect();
            (inner.generation, unanswered)
        };
        self.listen(&port, generation);
        self.post(&Command::Hello {
            version: VERSION,
            tab: None,
            language: msg("language_tag"),
        });
        for (n, ask) in unanswered {
            self.post(&Command::Options { n, ask });
        }
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

    fn lost(&self) {
        let wanted = {
            let mut inner = self.0.borrow_mut();
            inner.port = None;
            inner.generation += 1;
            inner.losses = inner.losses.saturating_add(1);
            let wanted = !inner.greeted || !inner.unanswered.is_empty();
            wanted.then_some(inner.losses)
        };
        match wanted {
            Some(losses) if losses <= LOSSES => self.connect(),
            Some(_) => (self.1)(Heard::Silence),
            None => {}
        }
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
            Ok(Reply::Options { state, answered }) => {
                let then = {
                    let mut inner = self.0.borrow_mut();
                    inner.losses = 0;
                    inner.greeted = true;
                    answered.and_then(|answered| {
                        let (_, then) = inner.unanswered.remove(&answered.n)?;
                        Some((then, answered.outcome))
                    })
                };
                (self.1)(Heard::State(state));
                if let Some((then, outcome)) = then {
                    then(outcome);
                }
            }
            Ok(Reply::Refused { failure, .. }) => (self.1)(Heard::Refused(failure)),
            // Said to chat pages only.
            Ok(
                Reply::Snapshot { .. }
                | Reply::Update { .. }
                | Reply::History { .. }
                | Reply::Exported { .. }
                | Reply::Inspected { .. }
                | Reply::Picture { .. },
            ) => {}
            Err(_) => (self.1)(Heard::Outdated),
        }
    }
}
