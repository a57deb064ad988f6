//! A simulated world that records the effects on it, effects for tests, and a run for tests.

use futures::channel::oneshot;
use futures::future::join_all;
use gloss_durable::{
    Call, Class, Ctx, Effect, Entry, Fingerprint, Fut, Halt, Journal, JournalEvent, Listener, Path,
    Record, RunId, Stop, Unreadable, drive, read_batches,
};
use gloss_host::Host;
use gloss_host_sim::Sim;
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The world outside the run.
pub(super) struct World {
    pub(super) sim: Sim,
    /// The effects that were performed, with their idempotency keys.
    pub(super) done: RefCell<Vec<(Class, String, Path)>>,
    /// Effects that began in this life.
    pub(super) begun: RefCell<Vec<Path>>,
    /// The tick at which the last effect began.
    pub(super) last_begun_at: Cell<u64>,
    /// The effects that were dropped before their end in this life.
    pub(super) dropped: RefCell<Vec<Path>>,
    /// True if an effect was dropped only after its stop had been recorded.
    pub(super) dropped_late: Cell<bool>,
    /// The events that this life's listener got.
    pub(super) told: RefCell<Vec<JournalEvent>>,
    /// The records that this life found in the store.
    pub(super) found: RefCell<Vec<Record>>,
    pub(super) journal: RefCell<Option<Rc<Journal>>>,
    /// True if the listener asserts that each record is in the store when its event arrives.
    pub(super) checks_told: Cell<bool>,
    /// True if the run has an archive.
    pub(super) files: Cell<bool>,
}

pub(super) fn run_id() -> RunId {
    RunId("toy".to_owned())
}

impl World {
    pub(super) fn new(seed: u64) -> Rc<Self> {
        Rc::new(Self {
            sim: Sim::new(seed),
            done: RefCell::default(),
            begun: RefCell::default(),
            last_begun_at: Cell::default(),
            dropped: RefCell::default(),
            dropped_late: Cell::default(),
            told: RefCell::default(),
            found: RefCell::default(),
            journal: RefCell::default(),
            checks_told: Cell::new(false),
            files: Cell::new(false),
        })
    }

    pub(super) fn stored(&self) -> Vec<Record> {
        let mut runs = read_batches(self.sim.batches());
        runs.remove(&run_id())
            .map_or_else(Vec::new, |run| run.unwrap().1)
    }

    pub(super) fn told_records(&self) -> Vec<Record> {
        let told = self.told.borrow();
        let records = told.iter().filter_map(|told| match told {
            JournalEvent::Record(record) => Some(record.clone()),
            JournalEvent::Delta { .. } => None,
        });
        records.collect()
    }

    pub(super) fn stop_at(self: &Rc<Self>, tick: u64) {
        let world = self.clone();
        self.sim.at_tick(tick, move || {
            if let Some(journal) = world.journal.borrow().as_ref() {
                journal.stop(Stop::User);
            }
        });
    }

    /// Runs one life of a worker. It resumes the run, or begins the run if nothing is stored.
    pub(super) fn life<F: Future<Output = Result<String, Halt>>>(
        self: &Rc<Self>,
        kill_at: u64,
        run: impl FnOnce(Ctx, Rc<World>) -> F,
    ) -> Option<Result<String, Failure>> {
        self.begun.take();
        self.last_begun_at.take();
        self.dropped.take();
        self.told.take();
        self.found.take();
        self.journal.take();
        let host = self.host();
        self.sim.life(kill_at, async {
            let journal = self.open(&host).await?;
            *self.journal.borrow_mut() = Some(journal.clone());
            let run = run(Ctx::new(journal.clone()), self.clone());
            drive(&journal, run).await.map_err(Failure::Halt)
        })
    }

    /// Runs one life after the user continued the run.
    pub(super) fn continued<F: Future<Output = Result<String, Halt>>>(
        self: &Rc<Self>,
        run: impl FnOnce(Ctx, Rc<World>) -> F,
    ) -> Result<String, Failure> {
        let host = self.host();
        let life = self.sim.life(u64::MAX, async {
            let journal = self.open(&host).await?;
            self.told.take();
            journal.mark(&Path::root(), Entry::Continued);
            let journal = journal.next_life();
            *self.journal.borrow_mut() = Some(journal.clone());
            let run = run(Ctx::new(journal.clone()), self.clone());
            drive(&journal, run).await.map_err(Failure::Halt)
        });
        life.unwrap()
    }

    /// Returns a host. The host has an archive only if `files` is true.
    pub(super) fn host(&self) -> Host {
        let host = self.sim.host();
        let archive = host.archive.clone().filter(|_| self.files.get());
        Host { archive, ..host }
    }

    pub(super) async fn open(self: &Rc<Self>, host: &Host) -> Result<Rc<Journal>, Failure> {
        let listener = self.clone();
        let mut loaded = host.store.load_all().await;
        if self.files.get() {
            loaded = loaded.map(|_| self.sim.batches());
        }
        let loaded = loaded.map_err(|error| Failure::Halt(error.into()))?;
        match read_batches(loaded).remove(&run_id()) {
            None => Ok(Journal::begin(
                run_id(),
                &"brief",
                "r1",
                &host.ports(),
                listener,
            )),
            Some(Ok((batches, records))) => {
                self.found.borrow_mut().clone_from(&records);
                let journal =
                    Journal::recovered(run_id(), batches, records, &host.ports(), listener);
                journal.mark(&Path::root(), Entry::Resumed);
                Ok(journal)
            }
            Some(Err(unreadable)) => Err(Failure::Unreadable(unreadable)),
        }
    }
}

impl Listener for World {
    fn on_event(&self, run: &RunId, told: &JournalEvent) {
        assert_eq!(*run, run_id());
        if self.checks_told.get() {
            let stored = self.stored();
            match told {
                JournalEvent::Record(record) => {
                    assert_eq!(stored.get(record.seq as usize), Some(record));
                }
                JournalEvent::Delta { intent, .. } => assert!((*intent as usize) < stored.len()),
            }
        }
        self.told.borrow_mut().push(told.clone());
    }
}

/// The reason for which a life did not end with the answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Failure {
    Halt(Halt),
    Unreadable(Unreadable),
}

/// The behaviour of a toy effect.
#[derive(Clone, Copy)]
pub(super) enum Does {
    /// Returns its answer at once.
    Say,
    /// Streams this many pieces first.
    Stream(usize),
    /// Returns more than fits into a record.
    Big,
}

/// An effect for tests. Its answer depends on its request.
pub(super) struct Toy {
    pub(super) world: Rc<World>,
    pub(super) class: Class,
    pub(super) asks: String,
    pub(super) does: Does,
}

impl Toy {
    pub(super) fn new(world: &Rc<World>, class: Class, does: Does, asks: &str) -> Self {
        Self {
            world: world.clone(),
            class,
            asks: asks.to_owned(),
            does,
        }
    }

    pub(super) fn safe(world: &Rc<World>, asks: &str) -> Self {
        Self::new(world, Class::Safe, Does::Say, asks)
    }
}

impl Effect for Toy {
    type Outcome = String;
    const KIND: &'static str = "toy";
    const CLASS: Class = Class::Safe;

    fn class(&self) -> Class {
        self.class
    }

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of(&self.asks)
    }

    fn perform(self, call: Call) -> Fut<String> {
        let (world, path) = (self.world.clone(), call.key.path.clone());
        world.begun.borrow_mut().push(path.clone());
        world.last_begun_at.set(world.sim.ticks());
        let watch = Watch {
            world: world.clone(),
            path: path.clone(),
            over: false,
        };
        Box::pin(async move {
            let mut watch = watch;
            let (class, asks) = (self.class, self.asks);
            let answer = match self.does {
                Does::Say => format!("<{asks}>"),
                Does::Stream(pieces) => {
                    for piece in 0..pieces {
                        world.sim.send(|| ()).await;
                        call.sink.text(&format!("é{piece} "));
                    }
                    format!("<{}>", asks.len())
                }
                Does::Big => "€".repeat(11 * 1024),
            };
            let outside = world.clone();
            let came_about = move || {
                outside.done.borrow_mut().push((class, asks, path));
                answer
            };
            let answer = world.sim.send(came_about).await;
            watch.over = true;
            answer
        })
    }
}

/// A guard that notices when an effect is dropped before its end.
struct Watch {
    world: Rc<World>,
    path: Path,
    over: bool,
}

impl Drop for Watch {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        self.world.dropped.borrow_mut().push(self.path.clone());
        if let Some(journal) = self.world.journal.borrow().as_ref() {
            let records = journal.read(<[_]>::to_vec);
            let last = records.iter().rfind(|record| record.path == self.path);
            if last.is_some_and(|record| matches!(record.entry, Entry::Stopped { .. })) {
                self.world.dropped_late.set(true);
            }
        }
    }
}

/// A run with every kind of step except effects of class External.
pub(super) async fn tame(ctx: Ctx, world: Rc<World>) -> Result<String, Halt> {
    toy_run(ctx, world, Class::Keyed).await
}

/// A run that also performs an External effect in each round.
pub(super) async fn wild(ctx: Ctx, world: Rc<World>) -> Result<String, Halt> {
    toy_run(ctx, world, Class::External).await
}

async fn toy_run(ctx: Ctx, world: Rc<World>, acts: Class) -> Result<String, Halt> {
    let big = Toy::new(&world, Class::Safe, Does::Big, "page");
    let page = ctx.step("page", big).await?;
    ctx.note("size", "size", &page.len())?;
    let mut said = String::new();
    for round in 0..2 {
        let ctx = ctx.at(round);
        let asks = format!("{round}{said}");
        let reason = Toy::new(&world, Class::Safe, Does::Stream(2), &asks);
        let thought = ctx.step("reason", reason).await?;
        let branches = [Class::Safe, Class::Keyed, acts].into_iter().enumerate();
        let branches = branches.map(|(place, class)| {
            let (ctx, asks) = (ctx.at("act").at(place), format!("{asks}/{place}"));
            let world = &world;
            async move {
                let toy = Toy::new(world, class, Does::Say, &asks);
                let called = ctx.step("call", toy).await?;
                ctx.step("grade", Toy::safe(world, &called)).await
            }
        });
        let results: Result<Vec<String>, Halt> = join_all(branches).await.into_iter().collect();
        said = format!("{thought}{}", results?.len());
        ctx.note("said", "said", &said)?;
        ctx.durable().await?;
    }
    let large = Toy::new(&world, Class::Keyed, Does::Big, &said);
    let large = ctx.step("keep", large).await?;
    Ok(format!("{said} {} {}", page.len(), large.len()))
}

/// The facts of a journal: outcomes, notes and the configuration, by path. The result doesn't
/// depend on the order of the records or on the number of lives.
pub(super) fn facts(records: &[Record]) -> BTreeSet<String> {
    let fact = |record: &Record| match &record.entry {
        Entry::Outcome { .. } | Entry::Note { .. } | Entry::Begun { .. } => {
            Some(format!("{} {:?}", record.path, record.entry))
        }
        Entry::Intent { fingerprint, .. } => Some(format!("{} {fingerprint:?}", record.path)),
        _ => None,
    };
    records.iter().filter_map(fact).collect()
}

/// The paths with a recorded outcome.
pub(super) fn finished(records: &[Record]) -> BTreeSet<Path> {
    let outcome = |record: &&Record| matches!(record.entry, Entry::Outcome { .. });
    let path = |record: &Record| record.path.clone();
    records.iter().filter(outcome).map(path).collect()
}

/// An effect that waits until the test lets it end.
pub(super) struct Waits(pub(super) oneshot::Receiver<()>);

impl Effect for Waits {
    type Outcome = ();
    const KIND: &'static str = "waits";
    const CLASS: Class = Class::Safe;

    fn fingerprint(&self) -> Fingerprint {
        Fingerprint::default()
    }

    fn perform(self, _: Call) -> Fut<()> {
        Box::pin(async move { self.0.await.unwrap() })
    }
}
