//! Everything erased, and what a death left of it.

use super::App;
use super::options::Outcome;
use super::preferences::unstored;
use gloss_agent::Failure;

impl App {
    /// Turned off in an earlier life that did not come to clear the disk.
    pub(super) async fn close_history(&self) {
        if let Err(error) = self.runs.close_history().await {
            self.hub.warn(Failure::of_unerased(&error));
        }
    }

    /// Erases all there is, and nobody does anything meanwhile.
    pub(super) async fn erase(&self) -> Outcome {
        let _one = self.erasing.lock().await;
        self.erase_all().await
    }

    /// Whatever writes is stopped first, and what is on its way has landed; then keys,
    /// settings and all that is known go, then every run and page text.
    async fn erase_all(&self) -> Outcome {
        // Refused, a death in the middle leaves what it did not come to.
        let _ = self.runs.begin_erasure().await;
        self.runs.still_all().await;
        let settings = self.options.erase();
        // They stand on the same shelf.
        let cleared = self.memory.cleared(self.episodes.cleared(settings));
        let settings = cleared.await;
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
            && let Outcome::Failed { failure } = Box::pin(self.erase_all()).await
        {
            self.hub.warn(failure);
        }
    }
}
