//! The state of the options page: the worker's state as a signal, and requests to the worker.

use super::feedback::Feedback;
use super::link::{Link, LinkEvent};
use crate::prelude::*;
use crate::save::save_as;
use gloss::agent::{Failure, failure};
use gloss::app::options::{Change, OptionsRequest, Outcome, State};
use gloss::app::preferences::Preferences;
use gloss::model::Profile;

/// The state of the options page. Every component gets it from the context.
#[derive(Clone)]
pub(crate) struct Page {
    /// The last state that the worker sent.
    pub(crate) state: Signal<Option<State>>,
    /// The failure to show if the worker does not answer, or refused a request.
    pub(crate) trouble: Signal<Option<Failure>>,
    link: Link,
}

impl Page {
    pub(crate) fn new() -> Self {
        let state = create_signal(None);
        let trouble = create_signal(None);
        let link = Link::new(move |heard| match heard {
            LinkEvent::State(now) => {
                trouble.set(None);
                state.set(Some(now));
            }
            LinkEvent::Refused(failure) => trouble.set(Some(failure)),
            LinkEvent::Silence => trouble.set(Some(failure("worker_silent"))),
            LinkEvent::Outdated => trouble.set(Some(failure("surface_outdated"))),
        });
        Self {
            state,
            trouble,
            link,
        }
    }

    /// Returns the state from the context.
    pub(crate) fn from_context() -> Self {
        use_context::<Self>()
    }

    pub(crate) fn begin(&self) {
        self.link.begin();
    }

    /// Tries to connect again. If the worker has another version, reloads the page.
    pub(crate) fn retry(&self) {
        let is_silent =
            |it: &Option<Failure>| it.as_ref().is_some_and(|it| it.code == "worker_silent");
        if self.trouble.with_untracked(is_silent) {
            self.trouble.set(None);
            self.begin();
        } else {
            crate::browser::reload();
        }
    }

    /// Returns a part of the worker's state as a signal. Before the worker has answered, the part
    /// has its default value.
    pub(crate) fn of<T: Default + PartialEq + 'static>(
        &self,
        part: impl Fn(&State) -> T + 'static,
    ) -> ReadSignal<T> {
        let state = self.state;
        create_selector(move || state.with(|state| state.as_ref().map(&part).unwrap_or_default()))
    }

    pub(crate) fn preferences(&self) -> ReadSignal<Preferences> {
        self.of(|state| state.preferences.clone())
    }

    /// Returns [`State::counted_since_ms`] as a signal. It changes when the user erases everything.
    pub(crate) fn counted_since(&self) -> ReadSignal<Option<u64>> {
        self.of(|state| Some(state.counted_since_ms))
    }

    /// Sends a request; `then` is called with its outcome.
    pub(crate) fn ask(&self, ask: OptionsRequest, then: impl FnOnce(Outcome) + 'static) {
        self.link.ask(ask, Box::new(then));
    }

    /// Sends a request and shows its outcome in `feedback`. Calls `done` if the request succeeded.
    pub(crate) fn ask_for(
        &self,
        ask: OptionsRequest,
        feedback: Signal<Feedback>,
        done: impl FnOnce() + 'static,
    ) {
        self.ask(ask, move |outcome| {
            let is_done = matches!(outcome, Outcome::Saved | Outcome::Erased);
            // The control may have been removed before the answer.
            if feedback.is_alive() {
                feedback.set(Feedback::of(outcome));
            }
            if is_done {
                done();
            }
        });
    }

    /// Requests a file and saves it; a failure is shown.
    pub(crate) fn export(&self, ask: OptionsRequest, name: String, feedback: Signal<Feedback>) {
        self.ask(ask, move |outcome| match outcome {
            Outcome::Exported { text } => save_as(&name, &text),
            other => feedback.set(Feedback::of(other)),
        });
    }

    /// Changes one setting, and shows the outcome in `feedback`.
    pub(crate) fn change(&self, change: Change, feedback: Signal<Feedback>) {
        self.ask_for(OptionsRequest::Change { change }, feedback, || {});
    }
}

/// Returns the profile of the answering model. If no profile answers by default, returns the first
/// profile.
pub(crate) fn main_profile(set: &Preferences) -> Option<Profile> {
    let main = set
        .profiles
        .iter()
        .find(|it| Some(&it.id) == set.answers.as_ref());
    main.or(set.profiles.first()).cloned()
}
