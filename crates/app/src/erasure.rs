//! Erases everything, and finishes an erasure that was cut off when the worker died.

use super::App;
use super::options::Outcome;
use super::preferences::unstored;
use gloss_agent::Failure;

impl App {
    /// Erases the conversations on disk if the user turned history off and the worker died before
    /// they were erased.
    pub(super) async fn close_history(&self) {
        if let Err(error) = self.runs.close_history().await {
            self.hub.warn(Failure::of_unerased(&error));
        }
    }

    /// Erases everything. Other commands wait until the erasure is finished.
    pub(super) async fn erase(&self) -> Outcome {
        let _one = self.erasing.lock().await;
        self.erase_all().await
    }

    /// Stops all runs and waits for their last writes. Then it erases keys, settings and memory,
    /// and at the end every run and page text.
    async fn erase_all(&self) -> Outcome {
        // If storage refuses this mark and the worker dies during the erasure, some data stays
        // stored.
        let _ = self.runs.begin_erasure().await;
        self.runs.stop_all().await;
        let settings = self.options.erase();
        // Facts and lessons are in local storage too, so they are erased together with the
        // settings.
        let cleared = self.memory.cleared(self.episodes.cleared(settings));
        let settings = cleared.await;
        match self.runs.erase().await {
            Ok(()) => settings,
            Err(error) => Outcome::Failed {
                failure: unstored(&error),
            },
        }
    }

    /// Finishes an erasure that was cut off when the worker died. Every command waits for this.
    pub(super) async fn end_erasure(&self) {
        let _one = self.erasing.lock().await;
        if self.runs.was_erasing()
            && let Outcome::Failed { failure } = Box::pin(self.erase_all()).await
        {
            self.hub.warn(failure);
        }
    }
}
