//! Keeping what is stored within its bounds.

use super::{Run, Runs};
use crate::durable::{Body, Entry, Record};
use crate::host::RunId;

/// What finished runs may take of the 10 MB that Chrome's session storage has.
/// All of it is read at each birth of the worker.
const KEPT_BYTES: usize = 2 * 1024 * 1024;

impl Runs {
    /// Keeps what is stored within its bound: the oldest runs that have ended go
    /// first, and with the last run that names it each large body.
    pub(super) async fn make_room(&self) {
        let mut doomed = Vec::new();
        {
            let mut runs = self.known.borrow_mut();
            let mut ended: Vec<(u64, RunId)> = runs
                .iter()
                .filter(|(_, run)| run.has_ended() && !run.holds_messages())
                .map(|(id, run)| (run.begun_at_ms(), id.clone()))
                .collect();
            ended.sort_unstable();
            // The newest stays, however large.
            ended.pop();
            let mut total: usize = runs.values().map(Run::bytes).sum();
            for (_, id) in ended {
                if total <= KEPT_BYTES {
                    break;
                }
                total -= runs.remove(&id).map_or(0, |run| run.bytes());
                doomed.push(id);
            }
        }
        if doomed.is_empty() {
            return;
        }
        for run in doomed {
            self.hub.forget(&run);
            // What could not be erased now is loaded, and erased, in a later life.
            let _ = self.host.store.erase(&run).await;
        }
        let _ = self.host.blobs.retain(self.named_blobs()).await;
    }

    fn named_blobs(&self) -> Vec<String> {
        let runs = self.known.borrow();
        let named = runs.values().flat_map(|run| {
            let mut named = run.journal.read(blobs);
            // Put away already, while their record is on its way.
            named.extend(run.journal.kept());
            named
        });
        named.collect()
    }

    /// Erases large bodies that no run names: after a restart of the browser or
    /// an update nothing is stored, and a page's text must not outlive its run.
    pub(in crate::app) async fn sweep(&self) {
        if self.empty.replace(false) && self.known.borrow().is_empty() {
            // What could not be erased now is tried again in the next life.
            let _ = self.host.blobs.retain(Vec::new()).await;
        }
    }
}

/// The large bodies that records name.
fn blobs(records: &[Record]) -> Vec<String> {
    let named = records.iter().filter_map(|record| match &record.entry {
        Entry::Outcome {
            body: Body::Blob(hash),
        } => Some(hash.clone()),
        _ => None,
    });
    named.collect()
}
