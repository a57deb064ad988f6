//! The failures of the connection between this page and the worker.

use gloss::agent::Failure;
use gloss::phrase::phrase;

/// The failure that is shown while the worker does not answer.
pub(crate) fn silent() -> Failure {
    Failure {
        code: "worker_silent".to_owned(),
        title: phrase("worker_silent_title"),
        remedy: phrase("worker_silent_remedy"),
        recoverable: true,
        commands: Vec::new(),
    }
}

/// The failure that is shown if this page and the worker have different versions.
pub(crate) fn outdated() -> Failure {
    Failure {
        code: "surface_outdated".to_owned(),
        title: phrase("surface_outdated_title"),
        remedy: phrase("surface_outdated_remedy"),
        recoverable: true,
        commands: Vec::new(),
    }
}
