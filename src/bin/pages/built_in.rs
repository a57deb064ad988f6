//! The state of the browser's built-in model, as the browser last reported it to this page.
//!
//! Example: the options page opens and asks the browser for the model's availability. The
//! page shows the model's row only if the browser has a model. The worker's offscreen page will
//! get the same answer, because both pages are windows. A page asks the browser only when it shows
//! something about the model.

use crate::prelude::*;
use gloss::app::surface::ModelOption;
use gloss::host::BuiltInError;
use gloss::host_browser::built_in::{Availability, available, download};
use gloss::model::BUILT_IN;
use wasm_bindgen_futures::spawn_local;

/// The state of the built-in model.
#[derive(Clone, Copy)]
pub(crate) struct BuiltIn {
    /// The availability that the browser last reported; `Unavailable` before the first report.
    pub(crate) state: Signal<Availability>,
    /// The downloaded share in percent, while this page downloads the model.
    pub(crate) percent: Signal<Option<u8>>,
    /// The reason why the last download failed.
    pub(crate) failed: Signal<Option<String>>,
}

impl BuiltIn {
    /// Provides a new state as a context for all components.
    pub(crate) fn provide() {
        provide_context(Self {
            state: create_signal(Availability::Unavailable),
            percent: create_signal(None),
            failed: create_signal(None),
        });
    }

    /// Returns the state from the context.
    pub(crate) fn from_context() -> Self {
        use_context::<Self>()
    }

    /// Asks the browser for the availability.
    pub(crate) fn refresh(self) {
        spawn_local(async move {
            self.state.set(available().await);
        });
    }

    /// Returns the models to offer. The built-in model is included if the browser has one, or if
    /// the user has already chosen it (`set`).
    pub(crate) fn shown(self, mut offers: Vec<ModelOption>, set: &str) -> Vec<ModelOption> {
        if self.state.get() == Availability::Unavailable {
            offers.retain(|offer| offer.id != BUILT_IN || offer.id == set);
        }
        offers
    }

    /// Returns the text beside the model's name: where the model runs, or what the user still has
    /// to do.
    pub(crate) fn status_text(self) -> String {
        msg(match self.state.get() {
            Availability::Downloadable => "built_in_to_download",
            Availability::Downloading => "built_in_on_its_way",
            Availability::Available | Availability::Unavailable => "built_in_place",
        })
    }

    /// Starts the download. Chrome allows the call only while a click is handled.
    pub(crate) fn download(self) {
        self.failed.set(None);
        self.percent.set(Some(0));
        let done = download(move |share| {
            self.percent.set(Some((share * 100.0) as u8));
        });
        spawn_local(async move {
            let done = done.await;
            self.percent.set(None);
            self.failed.set(done.err().map(message));
            self.state.set(available().await);
        });
    }
}

/// Returns the browser's message, without a full stop.
fn message(error: BuiltInError) -> String {
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
