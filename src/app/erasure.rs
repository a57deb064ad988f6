//! Everything erased, and what a death left of it.

use super::App;
use super::options::Outcome;
use super::preferences::unstored;
use crate::agent::Failure;

impl App {
    /// Turned off in an earlier life that did not come to clear the disk.
    pub(super) async fn close_history(&self) {
        if let Err(error) = self.runs.close_history().await {
            self.hub.warn(Failure::of_unerased(&error));
        }
    }

    /// Keys and settings, then every run and page text.
    pub(super) async fn erase(&self) -> Outcome {
        // Refused, a death in the middle leaves what it did not come to.
        let _ = self.runs.begin_erasure().await;
        let settings = self.options.erase().await;
        self.episodes.drop_all();
        match self.runs.erase().await {
            Ok(()) => settings,
            Err(error) => Outcome::Failed {
                failure: unstored(&error),
            },
        }
    }

    /// Ends an erasure that a death cut off, before anything else is done.
    pub(super) async fn end_erasure(&self) {
        let _one = self.erasing.lock().await;
        if self.runs.was_erasing()
            && let Outcome::Failed { failure } = Box::pin(self.erase()).await
        {
            self.hub.warn(failure);
        }
    }
}
