//! The browser's own model, as far as this page can tell.
//!
//! Driving example: the options page opens, asks the browser, and shows the model's row
//! only where there is one. A page sees what the worker's offscreen page will see: both
//! are windows. Asked when something shows it, and not before.

use crate::words::msg;
use gloss::app::surface::Offer;
use gloss::host::BuiltInError;
use gloss::host_browser::built_in::{Availability, available, download};
use gloss::model::BUILT_IN;
use sycamore::prelude::*;
use wasm_bindgen_futures::spawn_local;

/// What is known of it.
#[derive(Clone, Copy)]
pub(crate) struct BuiltIn {
    /// What the browser said last; nothing is there before it was asked.
    pub(crate) state: Signal<Availability>,
    /// How much of it is there, in percent, while this page has it downloaded.
    pub(crate) percent: Signal<Option<u8>>,
    /// Why that failed.
    pub(crate) failed: Signal<Option<String>>,
}

impl BuiltIn {
    /// Into the context.
    pub(crate) fn provide() {
        provide_context(Self {
            state: create_signal(Availability::Unavailable),
            percent: create_signal(None),
            failed: create_signal(None),
        });
    }

    /// From the context.
    pub(crate) fn here() -> Self {
        use_context::<Self>()
    }

    /// Asks the browser.
    pub(crate) fn look(self) {
        spawn_local(async move {
            self.state.set(available().await);
        });
    }

    /// The offers that can be shown: without it where the browser has none, unless it is
    /// `set` already.
    pub(crate) fn shown(self, mut offers: Vec<Offer>, set: &str) -> Vec<Offer> {
        if self.state.get() == Availability::Unavailable {
            offers.retain(|offer| offer.id != BUILT_IN || offer.id == set);
        }
        offers
    }

    /// What stands beside its name: where it answers, or what is still to be done.
    pub(crate) fn place(self) -> String {
        msg(match self.state.get() {
            Availability::Downloadable => "built_in_to_download",
            Availability::Downloading => "built_in_on_its_way",
            Availability::Available | Availability::Unavailable => "built_in_place",
        })
    }

    /// Has the browser download it; call it within a click.
    pub(crate) fn download(self) {
        self.failed.set(None);
        self.percent.set(Some(0));
        let done = download(move |share| {
            self.percent.set(Some((share * 100.0) as u8));
        });
        spawn_local(async move {
            let done = done.await;
            self.percent.set(None);
            self.failed.set(done.err().map(words));
            self.state.set(available().await);
        });
    }
}

/// The browser's words, without a full stop.
fn words(error: BuiltInError) -> String {
    match error {
        BuiltInError::TooLong { message }
        | BuiltInError::Refused { message }
        | BuiltInError::Failed { message } => message.trim_end_matches('.').to_owned(),
        BuiltInError::Unavailable
        | BuiltInError::Downloadable
        | BuiltInError::Downloading
        | BuiltInError::Cut => String::new(),
    }
}
