//! Replaying an exported run: the same [`super::run`] on the recorded journal, in
//! a world that does nothing and keeps nothing.
//!
//! Driving example: `cargo xtask replay tides.json` after a prompt was changed
//! names the first step that now asks something else. Nothing is sent anywhere:
//! what the record lacks is where it ends.

use crate::events::Closing;
use crate::export::Export;
use crate::lessons::Episodes;
use crate::run::services::Services;
use crate::trajectory::config_of;
use futures::FutureExt;
use gloss_durable::{
    Ctx, Entry, Fut, Halt, Journal, Listener, Path, Record, RunId, StoreError, Told, drive,
    has_ended,
};
use gloss_host::Host;
use gloss_host_sim::Sim;
use gloss_model::{Available, Choice, Model, ModelError, Models, Purse, Reply, Request, Voice};
use gloss_reader::Study;
use gloss_reader::retrieval::Retrieval;
use gloss_tools as tools;
use serde::Deserialize;
use std::rc::Rc;

/// What a replay came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Replayed {
    /// To the end that is recorded.
    Ended(Closing),
    /// To where the run waits for the person, or stands still.
    Rests {
        /// Where.
        path: Path,
    },
    /// To the end of the record, in the middle of the run.
    Unfinished {
        /// What would come next.
        next: Path,
    },
    /// Not as recorded: the code is another one.
    Diverged {
        /// Where.
        path: Path,
        /// How.
        why: String,
    },
}

/// Replays a run. Nothing but what is recorded happens.
pub fn replay(export: &Export) -> Replayed {
    // The seed matters to nothing: no effect is done.
    let sim = Sim::new(0);
    for (hash, body) in &export.bodies {
        sim.life(u64::MAX, sim.host().blobs.put(hash, body.clone()));
    }
    // A replay records nothing: the first thing to be written ends it.
    sim.fail_writes_after(0, StoreError::Full);
    let host = Host {
        archive: None,
        ..sim.host()
    };
    let records = export.records.clone();
    let known = records.len();
    let Some(brief) = config_of(&records) else {
        return diverged(Path::root(), "its configuration is unreadable");
    };
    let study = Study::here(Retrieval::with(None));
    let services = Services {
        models: Rc::new(Silent(Available::new(host.clone(), Rc::new(study.clone())))),
        tabs: host.tabs.clone(),
        clock: host.clock.clone(),
        tools: tools::all(&host, &study),
        study,
        purse: Purse::new(&host),
        episodes: Episodes::new(&host),
        search: gloss_web::search::Desk::new(&host),
        memory: gloss_memory::Memory::new(&host),
        switches: Rc::default(),
    };
    let journal = Journal::recovered(export.run.clone(), 1, records, &host.ports(), Rc::new(Deaf));
    let ctx = Ctx::new(journal.clone());
    let run = drive(&journal, super::run(&ctx, brief, services));
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
        (_, Some(next)) => Replayed::Unfinished { next },
        (Err(Halt::Parked { path }), None) => Replayed::Rests { path },
        (result, None) => against(&export.records, &Closing::of(&result)),
    }
}

/// Compares the end of a replay with the recorded one.
fn against(records: &[Record], closing: &Closing) -> Replayed {
    let recorded = records.iter().rev().find_map(|record| match &record.entry {
        Entry::Ended { body } => Some(Closing::deserialize(body).ok()),
        Entry::Continued => Some(None),
        _ => None,
    });
    match recorded.flatten() {
        Some(recorded) if recorded == *closing => Replayed::Ended(recorded),
        Some(recorded) => {
            let why = format!("it ends as {:?}, not {:?}", closing.status, recorded.status);
            diverged(Path::root(), &why)
        }
        None if gloss_durable::is_paused(records) => Replayed::Rests { path: Path::root() },
        None => Replayed::Unfinished { next: Path::root() },
    }
}

fn diverged(path: Path, why: &str) -> Replayed {
    let why = why.to_owned();
    Replayed::Diverged { path, why }
}

fn place(halt: &Halt) -> Path {
    match halt {
        Halt::Diverged { path } | Halt::Twice { path } | Halt::Unreadable { path, .. } => {
            path.clone()
        }
        _ => Path::root(),
    }
}

struct Deaf;

impl Listener for Deaf {
    fn told(&self, _: &RunId, _: &Told) {}
}

/// Models that are what they were, and answer nothing.
struct Silent(Available);

impl Models for Silent {
    fn of(&self, choice: &Choice) -> Rc<dyn Model> {
        Rc::new(Mute(self.0.of(choice).voice()))
    }
}

struct Mute(Voice);

impl Model for Mute {
    fn reply(&self, _: Request, _: gloss_durable::Sink) -> Fut<Result<Reply, ModelError>> {
        futures::future::pending().boxed_local()
    }

    fn voice(&self) -> Voice {
        self.0
    }
}
