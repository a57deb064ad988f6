//! What is on the page: the worker's state as signals, and what may be asked.

use super::link::{Heard, Link};
use super::told::Told;
use gloss::agent::Failure;
use gloss::app::options::{Ask, Change, Outcome, State};
use gloss::app::preferences::Preferences;
use gloss::phrase::phrase;
use sycamore::prelude::*;

/// Handed to every component through the context.
#[derive(Clone)]
pub(crate) struct Page {
    /// What the worker last said.
    pub(crate) state: Signal<Option<State>>,
    /// Why it does not answer, or what it refused.
    pub(crate) trouble: Signal<Option<Failure>>,
    link: Link,
}

impl Page {
    pub(crate) fn new() -> Self {
        let state = create_signal(None);
        let trouble = create_signal(None);
        let link = Link::new(move |heard| match heard {
            Heard::State(told) => {
                trouble.set(None);
                state.set(Some(told));
            }
            Heard::Refused(failure) => trouble.set(Some(failure)),
            Heard::Silence => trouble.set(Some(Failure {
                code: "worker_silent".to_owned(),
                title: phrase("worker_silent_title"),
                remedy: phrase("worker_silent_remedy"),
                recoverable: true,
                commands: Vec::new(),
            })),
            Heard::Outdated => trouble.set(Some(Failure {
                code: "surface_outdated".to_owned(),
                title: phrase("surface_outdated_title"),
                remedy: phrase("surface_outdated_remedy"),
                recoverable: true,
                commands: Vec::new(),
            })),
        });
        Self {
            state,
            trouble,
            link,
        }
    }

    /// From the context.
    pub(crate) fn here() -> Self {
        use_context::<Self>()
    }

    /// Connects to the worker.
    pub(crate) fn begin(&self) {
        self.link.begin();
    }

    /// Tries again; another version needs the page anew.
    pub(crate) fn retry(&self) {
        let code = self
            .trouble
            .with_untracked(|it| it.as_ref().map(|it| it.code.clone()));
        if code.as_deref() == Some("worker_silent") {
            self.trouble.set(None);
            self.begin();
        } else {
            // Fails only in a page that is being closed.
            let _ = sycamore::web::window().location().reload();
        }
    }

    /// What is set.
    pub(crate) fn preferences(&self) -> ReadSignal<Preferences> {
        let state = self.state;
        create_selector(move || {
            state.with(|state| {
                state
                    .as_ref()
                    .map(|state| state.preferences.clone())
                    .unwrap_or_default()
            })
        })
    }

    /// Asks for something.
    pub(crate) fn ask(&self, ask: Ask, then: impl FnOnce(Outcome) + 'static) {
        self.link.ask(ask, then);
    }

    /// Sets one thing, and tells `told` what came of it.
    pub(crate) fn change(&self, change: Change, told: Signal<Told>) {
        self.ask(Ask::Change { change }, move |outcome| {
            told.set(Told::of(outcome));
        });
    }
}
