//! The simulated surroundings of a run: a page, tools, a journal, a listener.

use super::toys::{Answers, FailingTool, Log, Pace, PacedModel, Scripted, SleepingTool, queue};
use crate::events::ending::End;
use crate::react::state::State;
use crate::{
    Answer, Closing, EarlierResults, Event, Exchange, Goal, KnownFacts, Lesson, Mode, ModelRoles,
    RunConfig, Services, Settings, Timeline, run as run_agent,
};
use gloss_durable::sorted::SortedSet;
use gloss_durable::{
    Class, Ctx, Entry, Journal, JournalEvent, Listener, Path, Record, RunId, Stop, drive,
    read_batches,
};
use gloss_host::{Capture, TabId};
use gloss_host_sim::Sim;
use gloss_model::prompts::Overrides;
use gloss_model::{ImageModel, Language, Model, ModelChoice, Models, Purpose, Reply};
use gloss_reader::PageService;
use gloss_reader::retrieval::words_only;
use gloss_tools::{self as tools, Switches, ToolDyn};
use std::cell::RefCell;
use std::rc::Rc;

pub(super) const TAB: TabId = TabId(7);
pub(super) const NEVER: u64 = u64::MAX;

fn run_id() -> RunId {
    RunId("run".to_owned())
}

pub(super) fn page() -> Capture {
    let paragraph = "<p>The tide rises because the Moon pulls on the sea. Springs come when the \
        Sun and the Moon pull together, and neaps when they do not.</p>";
    Capture {
        document: "d1".to_owned(),
        url: "https://coastlines.example/tides".to_owned(),
        title: "Tides".to_owned(),
        language: "en".to_owned(),
        html: format!(
            "<html lang=en><title>Tides</title><article>{}</article></html>",
            paragraph.repeat(4)
        ),
        selection: None,
        pdf: None,
    }
}

/// Returns the same model for every choice, and the image model if there is one.
struct OneModel(Rc<dyn Model>, Option<Rc<dyn ImageModel>>);

impl Models for OneModel {
    fn of(&self, _: &ModelChoice) -> Rc<dyn Model> {
        self.0.clone()
    }

    fn image_model(&self, _: &ModelChoice) -> Option<Rc<dyn ImageModel>> {
        self.1.clone()
    }
}

/// The surroundings of one run.
pub(super) struct World {
    pub(super) sim: Sim,
    pub(super) model: Rc<Scripted>,
    pub(super) pace: Option<Pace>,
    pub(super) settings: Settings,
    pub(super) goal: Goal,
    pub(super) mode: Mode,
    pub(super) known: KnownFacts,
    pub(super) model_chosen: ModelChoice,
    /// The fallback models.
    pub(super) then: Vec<ModelChoice>,
    /// The models of the other roles.
    pub(super) model_roles: ModelRoles,
    pub(super) image_model: Option<Rc<dyn ImageModel>>,
    pub(super) history: Vec<Exchange>,
    pub(super) language: String,
    pub(super) run: RunId,
    /// The lessons of earlier runs.
    pub(super) lessons: Vec<Lesson>,
    pub(super) prompts: Overrides,
    pub(super) log: Log,
    pub(super) told: Rc<EventRecorder>,
    pub(super) search: gloss_web::search::Settings,
    /// The tools that are off.
    pub(super) tools_off: SortedSet<String>,
    /// The current on/off state of the tool groups.
    pub(super) switches: Rc<Switches>,
    tools: Rc<[Rc<dyn ToolDyn>]>,
}

/// Collects the events of a run, as `app::hub` does.
#[derive(Default)]
pub(super) struct EventRecorder {
    pub(super) events: RefCell<Vec<Event>>,
    timeline: RefCell<Timeline>,
    pub(super) journal: RefCell<Option<Rc<Journal>>>,
}

impl Listener for EventRecorder {
    fn on_event(&self, _: &RunId, told: &JournalEvent) {
        let mut timeline = self.timeline.borrow_mut();
        let events = match told {
            JournalEvent::Record(record) => timeline.read(record),
            JournalEvent::Delta {
                intent,
                offset,
                text,
            } => timeline
                .stream(*intent, *offset, text)
                .into_iter()
                .collect(),
        };
        self.events.borrow_mut().extend(events);
    }
}

/// The result of a run.
pub(super) struct RunResult {
    pub(super) events: Vec<Event>,
    pub(super) closing: Closing,
}

impl RunResult {
    pub(super) fn answer(&self) -> Answer {
        let given = self.events.iter().filter_map(|event| match event {
            Event::AnswerGiven { answer } => Some(answer.clone()),
            _ => None,
        });
        let given: Vec<Answer> = given.collect();
        assert_eq!(given.len(), 1, "{:?}", self.events);
        given[0].clone()
    }

    pub(super) fn remarks(&self) -> Vec<String> {
        let remarks = self.answer().remarks.into_iter();
        remarks.map(|remark| remark.key).collect()
    }

    pub(super) fn steps(&self) -> usize {
        let thoughts = |event: &&Event| matches!(event, Event::ThoughtFormed { .. });
        self.events.iter().filter(thoughts).count()
    }
}

impl World {
    pub(super) fn new(answers: Answers) -> Self {
        Self::upon(Sim::new(5), answers)
    }

    /// A world on a device that may contain data of earlier runs.
    pub(super) fn upon(sim: Sim, answers: Answers) -> Self {
        sim.set_page(TAB, Ok(page()));
        let log = Log::default();
        let sleeper = |name, class| -> Rc<dyn ToolDyn> {
            Rc::new(SleepingTool {
                name,
                class,
                sim: sim.clone(),
                log: log.clone(),
                tries: RefCell::default(),
            })
        };
        let toys = [
            sleeper("sleep", Class::Safe),
            sleeper("keep", Class::Keyed),
            sleeper("change", Class::External),
            Rc::new(FailingTool { log: log.clone() }),
        ];
        let tools = tools::all(&sim.host(), &PageService::in_process(words_only()))
            .iter()
            .cloned()
            .chain(toys)
            .collect();
        Self {
            model: Rc::new(Scripted {
                sim: sim.clone(),
                answers,
                asked: RefCell::default(),
            }),
            pace: None,
            settings: Settings::default(),
            goal: Goal::Ask {
                question: "Why is there a tide?".to_owned(),
            },
            mode: Mode::Agent,
            known: KnownFacts::Nothing,
            model_chosen: ModelChoice::default(),
            then: Vec::new(),
            model_roles: ModelRoles::default(),
            image_model: None,
            history: Vec::new(),
            language: "en".to_owned(),
            run: run_id(),
            lessons: Vec::new(),
            prompts: Overrides::default(),
            search: gloss_web::search::Settings::default(),
            tools_off: SortedSet::new(),
            switches: Rc::default(),
            log,
            told: Rc::default(),
            tools,
            sim,
        }
    }

    pub(super) fn scripted(replies: Vec<(Purpose, Reply)>) -> Self {
        Self::new(queue(replies))
    }

    pub(super) fn with(mut self, set: impl FnOnce(&mut Settings)) -> Self {
        set(&mut self.settings);
        self
    }

    pub(super) fn asked_for(mut self, goal: Goal) -> Self {
        self.goal = goal;
        self
    }

    /// Runs to the end in one life of the worker.
    pub(super) fn run(&self) -> RunResult {
        self.life(NEVER).expect("nobody kills it")
    }

    /// Runs one life of the worker; returns `None` if the worker was killed.
    pub(super) fn life(&self, kill_at: u64) -> Option<RunResult> {
        let closing = self.sim.life(kill_at, self.drive())?;
        Some(RunResult {
            events: self.told.events.borrow().clone(),
            closing,
        })
    }

    pub(super) fn stop_at(&self, tick: u64) {
        let ear = self.told.clone();
        self.sim.at_tick(tick, move || {
            if let Some(journal) = ear.journal.borrow().as_ref() {
                journal.stop(Stop::User);
            }
        });
    }

    pub(super) fn stored(&self) -> Vec<Record> {
        let stored = read_batches(self.sim.batches()).remove(&self.run);
        stored.map_or_else(Vec::new, |stored| stored.unwrap().1)
    }

    /// Returns the records of the last life's journal.
    pub(super) fn recorded(&self) -> Vec<Record> {
        let journal = self.told.journal.borrow();
        let journal = journal.as_ref().expect("a life");
        journal.read(<[Record]>::to_vec)
    }

    fn speaker(&self) -> Rc<dyn Model> {
        match &self.pace {
            Some(pace) => Rc::new(PacedModel(self.model.clone(), pace.clone())),
            None => self.model.clone(),
        }
    }

    fn services(&self) -> Services {
        let models = Rc::new(OneModel(self.speaker(), self.image_model.clone()));
        let page_service = PageService::in_process(words_only());
        Services {
            tools: self.tools.clone(),
            switches: self.switches.clone(),
            ..Services::new(&self.sim.host(), models, page_service)
        }
    }

    /// Runs `work` on a run's state without the loop.
    pub(super) fn beside_loop(&self, work: impl AsyncFnOnce(Ctx, &mut State) -> Result<(), End>) {
        let journal = self.journal();
        let ctx = Ctx::new(journal.clone());
        let work = async {
            let mut state = State::open(&ctx, self.config(), self.services()).await?;
            work(ctx.clone(), &mut state).await
        };
        let work = async {
            match work.await {
                Ok(()) => Ok(()),
                Err(End::Halt(halt)) => Err(halt),
                Err(End::Failed(failure)) => panic!("{failure:?}"),
            }
        };
        let done = self.sim.life(NEVER, drive(&journal, work));
        done.expect("nobody kills it").unwrap();
    }

    async fn drive(&self) -> Closing {
        let journal = self.journal();
        *self.told.journal.borrow_mut() = Some(journal.clone());
        let services = self.services();
        let ctx = Ctx::new(journal.clone());
        let closing = Closing::of(&drive(&journal, run_agent(&ctx, self.config(), services)).await);
        let body = serde_json::to_value(&closing).unwrap();
        journal.mark(&Path::root(), Entry::Ended { body });
        journal.flushed().await.unwrap();
        closing
    }

    fn journal(&self) -> Rc<Journal> {
        let host = self.sim.host();
        let mut stored = read_batches(self.sim.batches());
        let Some(stored) = stored.remove(&self.run) else {
            return Journal::begin(
                self.run.clone(),
                &self.config(),
                "0",
                &host.ports(),
                self.told.clone(),
            );
        };
        let (batches, records) = stored.unwrap();
        *self.told.timeline.borrow_mut() = Timeline::default();
        let mut timeline = self.told.timeline.borrow_mut();
        let recalled = records.iter().flat_map(|record| timeline.read(record));
        *self.told.events.borrow_mut() = recalled.collect();
        drop(timeline);
        let ear = self.told.clone();
        let journal = Journal::recovered(self.run.clone(), batches, records, &host.ports(), ear);
        journal.mark(&Path::root(), Entry::Resumed);
        journal
    }

    fn config(&self) -> RunConfig {
        RunConfig {
            model_roles: self.model_roles.clone(),
            goal: self.goal.clone(),
            conversation: self.run.clone(),
            tab: TAB,
            settings: self.settings,
            language: self.language.clone(),
            model: self.model_chosen.clone(),
            then: self.then.clone(),
            mode: self.mode,
            prompts: self.prompts.of(Language::of_tag(&self.language)),
            history: self.history.clone(),
            earlier: EarlierResults::default(),
            lessons: self.lessons.clone(),
            learns: true,
            replaces: None,
            forked: None,
            tools_off: self.tools_off.clone(),
            barred: SortedSet::new(),
            search: self.search.clone(),
            known: self.known,
        }
    }
}
