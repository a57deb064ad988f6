//! A worker in the simulator, its surfaces, and a slow model.

use futures::FutureExt;
use futures::future::{join, join_all};
use gloss::agent::{Event, Failure, Goal, Services};
use gloss::app::surface::{
    Command, ConversationSettings, ConversationSummary, Reply as Say, Snapshot, Turn, UpdateResult,
    VERSION,
};
use gloss::app::{App, Panic, SurfaceId};
use gloss::durable::{Fut, RunId, Sink, StoredBatch};
use gloss::host::{Assets, Capture, TabId};
use gloss::host_sim::Sim;
use gloss::model::{
    AnswerOrigin, Control, Image, Model, ModelChoice, ModelError, Part, Purpose, Reply, Request,
    Role, ToolCall,
};
use gloss::page::{Document, ReadError};
use gloss::page_service::{InProcessModules, PageModules, PageService};
use gloss::phrase::DisplayText;
use gloss::retrieval::{Compare, words_only};
use gloss_documents::DocumentKind;
use serde_json::json;
use std::cell::RefCell;
use std::rc::Rc;
use std::task::Waker;

pub(crate) const TAB: TabId = TabId(7);
pub(crate) const NEVER: u64 = u64::MAX;
pub(crate) const PANEL: SurfaceId = SurfaceId(1);

pub(crate) fn article(paragraphs: usize) -> Capture {
    let paragraph = |n: usize| {
        format!(
            "<p>The tide at port {n} rises because the Moon pulls on the sea. \
             Springs come when the Sun and the Moon pull together, and neaps when they do not. \
             A harbour of depth {n} answers later than the open sea does.</p>"
        )
    };
    let body: String = (1..=paragraphs).map(paragraph).collect();
    Capture {
        document: "d1".to_owned(),
        url: "https://coastlines.example/tides".to_owned(),
        title: "The arithmetic of the tides".to_owned(),
        language: "en".to_owned(),
        html: format!(
            "<html lang=en><head><title>The arithmetic of the tides</title></head>\
             <body><article><h1>The arithmetic of the tides</h1>{body}</article></body></html>"
        ),
        selection: None,
        pdf: None,
    }
}

/// A world with a tab that shows the article.
pub(crate) fn world(seed: u64) -> Sim {
    let sim = Sim::new(seed);
    sim.set_page(TAB, Ok(article(12)));
    sim
}

/// All batches, in session storage and on disk.
pub(crate) fn recorded(sim: &Sim) -> Vec<StoredBatch> {
    sim.batches()
}

pub(crate) fn run_id() -> RunId {
    RunId("run".to_owned())
}

pub(crate) fn start(run: &str, goal: Goal) -> Command {
    start_so(run, goal, Some(Snapshot::unknown().tuning), None)
}

/// The command that starts a run with these choices.
pub(crate) fn start_by(run: &str, goal: Goal, tuning: ConversationSettings) -> Command {
    start_so(run, goal, Some(tuning), None)
}

/// The command that starts a turn that replaces another turn.
pub(crate) fn start_over(run: &str, goal: Goal, replaces: &str) -> Command {
    let tuning = Snapshot::unknown().tuning;
    start_so(run, goal, Some(tuning), Some(RunId(replaces.to_owned())))
}

fn start_so(
    run: &str,
    goal: Goal,
    tuning: Option<ConversationSettings>,
    replaces: Option<RunId>,
) -> Command {
    Command::Start {
        run: RunId(run.to_owned()),
        goal,
        tuning,
        replaces,
    }
}

pub(crate) fn ask() -> Goal {
    Goal::Ask {
        question: "Why do springs come?".to_owned(),
    }
}

pub(crate) fn hello(tab: TabId) -> Command {
    Command::Hello {
        version: VERSION,
        tab: Some(tab),
        language: "en".to_owned(),
    }
}

/// A surface that applies updates as the real pages do.
#[derive(Default)]
pub(crate) struct Surface {
    pub(crate) snapshot: Option<Snapshot>,
    pub(crate) events: Vec<Event>,
    /// All events that the surface received, in order, each with its run.
    pub(crate) updates: Vec<(RunId, Event)>,
    /// The task that watches the surface. It is woken when the surface changes.
    pub(crate) watcher: Option<Waker>,
    pub(crate) refused: Vec<Failure>,
    pub(crate) past: Vec<ConversationSummary>,
    pub(crate) exported: Vec<String>,
    pub(crate) inspected: Vec<String>,
    pub(crate) pictures: Vec<Option<Image>>,
    pub(crate) gaps: u32,
}

impl Surface {
    pub(crate) fn turns(&self) -> Vec<Turn> {
        self.snapshot.clone().expect("a snapshot").turns
    }

    /// The only turn of the surface.
    pub(crate) fn turn(&self) -> Turn {
        let turns = self.turns();
        assert_eq!(turns.len(), 1, "{turns:?}");
        assert_eq!(self.gaps, 0);
        turns[0].clone()
    }
}

pub(crate) fn listen(app: &App, id: SurfaceId) -> Rc<RefCell<Surface>> {
    let surface = Rc::new(RefCell::new(Surface::default()));
    connect(app, id, &surface);
    surface
}

/// Connects a surface, which may have received updates in earlier lives.
pub(crate) fn connect(app: &App, id: SurfaceId, surface: &Rc<RefCell<Surface>>) {
    let heard = surface.clone();
    let hear = move |say: &Say| {
        let mut surface = heard.borrow_mut();
        match say {
            Say::Snapshot { snapshot } => surface.snapshot = Some(snapshot.clone()),
            Say::Update { update } => {
                surface.events.push(update.event.clone());
                let told = (update.run.clone(), update.event.clone());
                surface.updates.push(told);
                let applied = surface.snapshot.as_mut().map(|s| s.apply(update));
                if applied != Some(UpdateResult::Yes) {
                    surface.gaps += 1;
                }
            }
            Say::History { conversations } => surface.past.clone_from(conversations),
            Say::Exported { text, .. } => surface.exported.push(text.clone()),
            Say::Picture { image, .. } => surface.pictures.push(image.clone()),
            Say::Inspected { trajectory, .. } => surface.inspected.push(trajectory.clone()),
            Say::Refused { failure, .. } => surface.refused.push(failure.clone()),
            Say::Options { .. } => unreachable!("no options page is connected"),
        }
        let watcher = surface.watcher.take();
        drop(surface);
        if let Some(watcher) = watcher {
            watcher.wake();
        }
    };
    app.connect(id, Rc::new(hear));
}

/// A choice of models in which every role has the same model.
pub(crate) struct Same(pub(crate) Rc<dyn Model>);

impl gloss::model::Models for Same {
    fn of(&self, _: &ModelChoice) -> Rc<dyn Model> {
        self.0.clone()
    }
}

/// Reads pages in this process. The simulator decides about delays and failures.
struct Modules {
    sim: Sim,
    inner: InProcessModules,
}

impl PageModules for Modules {
    fn read(&self, html: String, url: String) -> Fut<Result<Rc<Document>, ReadError>> {
        let (works, read) = (self.sim.reading(), self.inner.read(html, url));
        Box::pin(async move {
            if works.await {
                return read.await;
            }
            let message = "unreachable executed".to_owned();
            Err(ReadError::Failed { message })
        })
    }

    fn read_document(
        &self,
        bytes: Vec<u8>,
        kind: DocumentKind,
        url: String,
    ) -> Fut<Result<Rc<Document>, ReadError>> {
        self.inner.read_document(bytes, kind, url)
    }

    fn perform(&self, page: Option<Rc<Document>>, task: String) -> Fut<Result<String, ReadError>> {
        self.inner.perform(page, task)
    }
}

/// The file of the sentence model in the simulated package.
pub(crate) const MODEL: &str = "sentence-model.bin";

/// A sentence model that takes as long as a file of the package, for which springs mean neaps.
fn model_in(assets: &Rc<dyn Assets>) -> Compare {
    let assets = assets.clone();
    Rc::new(move |comparison| {
        let assets = assets.clone();
        Box::pin(async move {
            let near = |text: &String| f32::from(u8::from(text.contains("neap")));
            match assets.load(MODEL).await {
                Ok(_) => comparison.texts.iter().map(near).collect(),
                Err(_) => Vec::new(),
            }
        })
    })
}

/// One life of a worker. It finds stored data, resumes runs, and receives commands.
pub(crate) struct Life {
    pub(crate) sim: Sim,
    pub(crate) app: Rc<App>,
    pub(crate) panel: Rc<RefCell<Surface>>,
    pub(crate) panic: Option<Panic>,
}

impl Life {
    pub(crate) fn new(sim: &Sim, epoch: u64, model: &Rc<dyn Model>) -> Self {
        Self::with(sim, epoch, Rc::new(Same(model.clone())))
    }

    pub(crate) fn with(sim: &Sim, epoch: u64, models: Rc<dyn gloss::model::Models>) -> Self {
        let host = sim.host();
        let page_service = PageService::new(Rc::new(Modules {
            sim: sim.clone(),
            inner: InProcessModules::new(model_in(&host.assets)),
        }));
        let services = Services::new(&host, models, page_service);
        Self::with_services(sim, epoch, services, Rc::default())
    }

    /// A life whose runs use these services. Its panel may have received updates in earlier lives.
    pub(crate) fn with_services(
        sim: &Sim,
        epoch: u64,
        services: Services,
        panel: Rc<RefCell<Surface>>,
    ) -> Self {
        let app = App::with_services(sim.host(), epoch, services);
        connect(&app, PANEL, &panel);
        Self {
            sim: sim.clone(),
            app,
            panel,
            panic: None,
        }
    }

    /// Resumes the runs while the panel sends `commands`. Returns true when all work is done, and
    /// false if the worker is killed before.
    pub(crate) fn until(&self, kill_at: u64, commands: &[Command]) -> bool {
        self.live(kill_at, async {
            let said = commands.iter().map(|command| self.say(PANEL, command));
            join(self.app.resume(), join_all(said)).await;
        })
    }

    /// Starts the worker, sends the panel's hello, and then runs `work`. Returns false if the
    /// worker is killed.
    pub(crate) fn live(&self, kill_at: u64, work: impl Future<Output = ()>) -> bool {
        let whole = async {
            self.app.load(self.panic.clone()).await;
            self.say(PANEL, &hello(TAB)).await;
            work.await;
        };
        self.sim.life(kill_at, whole.boxed_local()).is_some()
    }

    pub(crate) fn say(&self, surface: SurfaceId, command: &Command) -> Fut<()> {
        let said = self.app.clone().command(surface, command.clone());
        said.boxed_local()
    }

    /// Stops the run at this tick, as the user does.
    pub(crate) fn stop_at(&self, tick: u64) {
        let stop = self.say(PANEL, &Command::Stop { run: run_id() });
        self.sim.at_tick(tick, move || {
            stop.now_or_never().expect("stopping waits for nothing");
        });
    }

    pub(crate) fn turn(&self) -> Turn {
        self.panel.borrow().turn()
    }
}

/// The turn of a run whose worker is not killed, and the number of ticks that it took.
pub(crate) fn whole(seed: u64, model: Models, goal: &Goal) -> (Turn, u64) {
    let sim = world(seed);
    let life = Life::new(&sim, 1, &model(&sim));
    assert!(life.until(NEVER, &[start("run", goal.clone())]));
    (life.turn(), sim.ticks())
}

/// The first tick at which `so` is true for the panel's only turn, while the panel sends
/// `commands`.
pub(crate) fn seen_at(life: &Life, commands: &[Command], so: fn(&Turn) -> bool) -> u64 {
    let seen = Rc::new(RefCell::new(None));
    for tick in 0..600 {
        let (seen, panel) = (seen.clone(), life.panel.clone());
        life.sim.at_tick(tick, move || {
            let snapshot = panel.borrow().snapshot.clone();
            let turns = snapshot.map_or_else(Vec::new, |snapshot| snapshot.turns);
            if turns.iter().any(so) {
                seen.borrow_mut().get_or_insert(tick);
            }
        });
    }
    assert!(life.until(NEVER, commands));
    let seen = *seen.borrow();
    seen.expect("it is seen so")
}

/// The tick at which the panel sees the end of a run that is not killed. Copying the run to disk
/// takes longer.
pub(crate) fn ended_at(seed: u64, model: Models, goal: &Goal) -> u64 {
    let sim = world(seed);
    let life = Life::new(&sim, 1, &model(&sim));
    let commands = [start("run", goal.clone())];
    seen_at(&life, &commands, |turn| !turn.is_open())
}

/// Creates the model for a world.
pub(crate) type Models = fn(&Sim) -> Rc<dyn Model>;

pub(crate) fn steady(sim: &Sim) -> Rc<dyn Model> {
    thinking(sim, answer)
}

/// A model whose replies take some ticks, and depend only on the request.
pub(crate) fn thinking(sim: &Sim, reply: impl Fn(&Request) -> Reply + 'static) -> Rc<dyn Model> {
    let (sim, reply) = (sim.clone(), Rc::new(reply));
    Rc::new(Steady { sim, reply })
}

pub(crate) fn embedded() -> Rc<dyn Model> {
    Rc::new(PageService::in_process(words_only()))
}

struct Steady {
    sim: Sim,
    reply: Rc<dyn Fn(&Request) -> Reply>,
}

impl Model for Steady {
    fn reply(&self, request: Request, sink: Sink) -> Fut<Result<Reply, ModelError>> {
        let (sim, reply) = (self.sim.clone(), self.reply.clone());
        async move {
            sim.send(|| ()).await;
            let reply = reply(&request);
            for word in reply.text.split_inclusive(' ') {
                sink.text(word);
                sim.send(|| ()).await;
            }
            Ok(reply)
        }
        .boxed_local()
    }

    fn voice(&self) -> AnswerOrigin {
        AnswerOrigin::Model
    }
}

/// A model that makes two calls at once, then one more, and then answers.
fn answer(request: &Request) -> Reply {
    let parts = request.transcript.messages();
    let results = parts.filter(|message| message.role == Role::Tool);
    let results: usize = results
        .map(|message| {
            let is_result = |part: &&Part| matches!(part, Part::Result { .. });
            message.parts.iter().filter(is_result).count()
        })
        .sum();
    let calls = match (request.purpose, results) {
        (Purpose::Synthesise, _) | (_, 3..) => vec![],
        (_, 0) => vec![find("1", "springs"), find("2", "neaps")],
        (_, _) => vec![find("3", "harbour")],
    };
    let text = if calls.is_empty() {
        "The Sun and the Moon *pull* [[p2]]."
    } else {
        ""
    };
    Reply {
        text: text.to_owned(),
        calls,
        control: Control {
            thought: Some(DisplayText::Words("The page may say it.".to_owned())),
            ..Control::default()
        },
        ..Reply::default()
    }
}

pub(crate) fn find(id: &str, query: &str) -> ToolCall {
    ToolCall {
        id: id.to_owned(),
        name: "find_in_page".to_owned(),
        arguments: json!({ "query": query }),
        reasoning: None,
        after: None,
    }
}
