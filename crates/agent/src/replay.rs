//! Replays an exported run: calls [`super::run`] with the recorded journal, in a simulated world
//! in which no effect is performed and nothing is stored.
//!
//! Example: after a change of a prompt, `cargo xtask replay tides.json` prints the path of the
//! first effect whose request differs from the recorded request. No request is sent. The replay
//! ends after the last record.

use crate::events::Closing;
use crate::export::Export;
use crate::run::services::Services;
use crate::trajectory::config_of;
use futures::FutureExt;
use gloss_durable::{
    Ctx, Entry, Fut, Halt, Journal, JournalEvent, Listener, Path, Record, RunId, StoreError, drive,
    has_ended,
};
use gloss_host::Host;
use gloss_host_sim::Sim;
use gloss_model::{
    AnswerOrigin, Model, ModelChoice, ModelError, ModelRegistry, Models, Reply, Request,
};
use gloss_reader::PageService;
use gloss_reader::retrieval::words_only;
use serde::Deserialize;
use std::rc::Rc;

/// The result of a replay.
#[derive(Debug, Clone, PartialEq)]
pub enum ReplayResult {
    /// The replay reached the recorded end.
    Ended(Closing),
    /// The replay stopped where the run waits for the user, or is paused.
    Rests {
        /// The path of the wait.
        path: Path,
    },
    /// The replay reached the last record, and the run would continue there.
    Unfinished {
        /// The path of the next effect.
        next: Path,
    },
    /// The replay differs from the records, because the code has changed.
    Diverged {
        /// The path of the first difference.
        path: Path,
        /// A description of the difference.
        why: String,
    },
}

/// Replays a run with the recorded outcomes. No effect is performed.
pub fn replay(export: &Export) -> ReplayResult {
    // The seed of the simulated world has no influence, because no effect is performed.
    let sim = Sim::new(0);
    for (hash, body) in &export.bodies {
        sim.life(u64::MAX, sim.host().blobs.put(hash, body.clone()));
    }
    // The first write ends the replay, because a replay must not record anything.
    sim.fail_writes_after(0, StoreError::Full);
    let host = Host {
        archive: None,
        ..sim.host()
    };
    let records = export.records.clone();
    let known = records.len();
    let Some(config) = config_of(&records) else {
        return diverged(Path::root(), "its configuration is unreadable");
    };
    let page_service = PageService::in_process(words_only());
    let models = Rc::new(SilentModels(ModelRegistry::new(
        host.clone(),
        Rc::new(page_service.clone()),
    )));
    let services = Services::new(&host, models, page_service);
    let journal = Journal::recovered(
        export.run.clone(),
        1,
        records,
        &host.ports(),
        Rc::new(NoListener),
    );
    let ctx = Ctx::new(journal.clone());
    let run = drive(&journal, super::run(&ctx, config, services));
    let Some(result) = sim.life(u64::MAX, run) else {
        return diverged(Path::root(), "it did not end");
    };
    let next = journal.read(|records| records.get(known).map(|record| record.path.clone()));
    match (result, next) {
        (Err(halt @ (Halt::Diverged { .. } | Halt::Twice { .. } | Halt::Unreadable { .. })), _) => {
            let path = place(&halt);
            diverged(path, &halt.to_string())
        }
        (_, Some(next)) if has_ended(&export.records) => {
            diverged(next, "the record ends before it")
        }
        (_, Some(next)) => ReplayResult::Unfinished { next },
        (Err(Halt::Parked { path }), None) => ReplayResult::Rests { path },
        (result, None) => against(&export.records, &Closing::of(&result)),
    }
}

/// Compares the end of a replay with the recorded end.
fn against(records: &[Record], closing: &Closing) -> ReplayResult {
    let recorded = records.iter().rev().find_map(|record| match &record.entry {
        Entry::Ended { body } => Some(Closing::deserialize(body).ok()),
        Entry::Continued => Some(None),
        _ => None,
    });
    match recorded.flatten() {
        Some(recorded) if recorded == *closing => ReplayResult::Ended(recorded),
        Some(recorded) => {
            let why = format!("it ends as {:?}, not {:?}", closing.status, recorded.status);
            diverged(Path::root(), &why)
        }
        None if gloss_durable::is_paused(records) => ReplayResult::Rests { path: Path::root() },
        None => ReplayResult::Unfinished { next: Path::root() },
    }
}

fn diverged(path: Path, why: &str) -> ReplayResult {
    let why = why.to_owned();
    ReplayResult::Diverged { path, why }
}

fn place(halt: &Halt) -> Path {
    match halt {
        Halt::Diverged { path } | Halt::Twice { path } | Halt::Unreadable { path, .. } => {
            path.clone()
        }
        _ => Path::root(),
    }
}

struct NoListener;

impl Listener for NoListener {
    fn on_event(&self, _: &RunId, _: &JournalEvent) {}
}

/// Models that never reply. Each has the same [`AnswerOrigin`] as the configured model.
struct SilentModels(ModelRegistry);

impl Models for SilentModels {
    fn of(&self, choice: &ModelChoice) -> Rc<dyn Model> {
        Rc::new(SilentModel(self.0.of(choice).voice()))
    }
}

struct SilentModel(AnswerOrigin);

impl Model for SilentModel {
    fn reply(&self, _: Request, _: gloss_durable::Sink) -> Fut<Result<Reply, ModelError>> {
        futures::future::pending().boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        self.0
    }
}
