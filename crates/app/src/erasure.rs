//! Erases all data of the user, and finishes an erasure that the worker's death interrupted.

use super::App;
use super::options::Outcome;
use super::preferences::unstored;
use gloss_agent::Failure;

impl App {
    /// Erases the conversations on disk if the user turned history off. Does nothing if a worker
    /// has already erased them.
    pub(super) async fn close_history(&self) {
        if let Err(error) = self.runs.close_history().await {
            self.hub.warn(Failure::of_unerased(&error));
        }
    }

    /// Erases all data. Other commands wait until the erasure is finished.
    pub(super) async fn erase(&self) -> Outcome {
        let _one = self.erasing.lock().await;
        self.erase_all().await
    }

    /// Stops all runs and waits for their last writes. Then erases keys, settings and memory, and
    /// at the end every run and page text.
    async fn erase_all(&self) -> Outcome {
        // If storage refuses the record that an erasure began, the erasure still starts. If the
        // worker dies during such an erasure, the next worker doesn't finish it.
        let _ = self.runs.begin_erasure().await;
        self.runs.stop_all().await;
        let settings = self.options.erase();
        // Facts and lessons are in local storage too, so they are erased together with the
        // settings.
        let cleared = self.memory.cleared(self.episodes.cleared(settings));
        let settings = cleared.await;
        self.host.grants.revoke_all().await;
        match self.runs.erase().await {
            Ok(()) => settings,
            Err(error) => Outcome::Failed {
                failure: unstored(&error),
            },
        }
    }

    /// Finishes an erasure that the worker's death interrupted. Every command waits until this
    /// future resolves.
    pub(super) async fn end_erasure(&self) {
        let _one = self.erasing.lock().await;
        if self.runs.was_erasing()
            && let Outcome::Failed { failure } = Box::pin(self.erase_all()).await
        {
            self.hub.warn(failure);
        }
    }
}
