//! The problems between this page and the worker.

use gloss::agent::Failure;
use gloss::phrase::phrase;

/// The failure of a worker that does not answer.
pub(crate) fn silent() -> Failure {
    Failure {
        code: "worker_silent".to_owned(),
        title: phrase("worker_silent_title"),
        remedy: phrase("worker_silent_remedy"),
        recoverable: true,
        commands: Vec::new(),
    }
}

/// The failure of a page that has another version than the worker.
pub(crate) fn outdated() -> Failure {
    Failure {
        code: "surface_outdated".to_owned(),
        title: phrase("surface_outdated_title"),
        remedy: phrase("surface_outdated_remedy"),
        recoverable: true,
        commands: Vec::new(),
    }
}
