//! Erasing everything, and finishing an erasure that a worker's death cut off.

use super::App;
use super::options::Outcome;
use super::preferences::unstored;
use gloss_agent::Failure;

impl App {
    /// Finishes clearing the disk if history was turned off in an earlier life that died before
    /// that.
    pub(super) async fn close_history(&self) {
        if let Err(error) = self.runs.close_history().await {
            self.hub.warn(Failure::of_unerased(&error));
        }
    }

    /// Erases everything; other work waits meanwhile.
    pub(super) async fn erase(&self) -> Outcome {
        let _one = self.erasing.lock().await;
        self.erase_all().await
    }

    /// Stops all writers and waits for their last writes. Then erases keys, settings and memory,
    /// and after them every run and page text.
    async fn erase_all(&self) -> Outcome {
        // If this write is refused and the worker dies midway, the rest stays stored.
        let _ = self.runs.begin_erasure().await;
        self.runs.stop_all().await;
        let settings = self.options.erase();
        // Facts and lessons are in the same local storage as the settings.
        let cleared = self.memory.cleared(self.episodes.cleared(settings));
        let settings = cleared.await;
        match self.runs.erase().await {
            Ok(()) => settings,
            Err(error) => Outcome::Failed {
                failure: unstored(&error),
            },
        }
    }

    /// Finishes an erasure that a worker's death cut off, before anything else is done.
    pub(super) async fn end_erasure(&self) {
        let _one = self.erasing.lock().await;
        if self.runs.was_erasing()
            && let Outcome::Failed { failure } = Box::pin(self.erase_all()).await
        {
            self.hub.warn(failure);
        }
    }
}
