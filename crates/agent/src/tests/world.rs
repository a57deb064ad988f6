//! A run with all its surroundings: a page, tools, a journal, a listener.

use super::toys::{Answers, Fickle, Log, Pace, Paced, Scripted, Sleeper, queue};
use crate::events::ending::End;
use crate::react::state::State;
use crate::{
    Aides, Answer, Closing, Earlier, Episodes, Event, Exchange, Goal, Known, Mode, Reflection,
    RunConfig, Services, Settings, Timeline, run as run_agent,
};
use gloss_durable::sorted::SortedSet;
use gloss_durable::{
    Class, Ctx, Entry, Journal, Listener, Path, Record, RunId, Stop, Told, drive, read_batches,
};
use gloss_host::{Capture, TabId};
use gloss_host_sim::Sim;
use gloss_memory::Memory;
use gloss_model::prompts::Overrides;
use gloss_model::{Choice, Language, Model, Models, Painter, Purpose, Purse, Reply};
use gloss_reader::Study;
use gloss_reader::retrieval::Retrieval;
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

/// The same model for every choice, and an image model if there is one.
struct Same(Rc<dyn Model>, Option<Rc<dyn Painter>>);

impl Models for Same {
    fn of(&self, _: &Choice) -> Rc<dyn Model> {
        self.0.clone()
    }

    fn painter(&self, _: &Choice) -> Option<Rc<dyn Painter>> {
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
    pub(super) known: Known,
    pub(super) model_chosen: Choice,
    /// The fallback models.
    pub(super) then: Vec<Choice>,
    /// The models of the other roles.
    pub(super) aides: Aides,
    /// The image model.
    pub(super) painter: Option<Rc<dyn Painter>>,
    pub(super) history: Vec<Exchange>,
    pub(super) language: String,
    /// The id of the run.
    pub(super) run: RunId,
    /// The lessons of earlier runs.
    pub(super) lessons: Vec<Reflection>,
    pub(super) prompts: Overrides,
    pub(super) log: Log,
    pub(super) told: Rc<Ear>,
    /// The search settings.
    pub(super) search: gloss_web::search::Settings,
    /// The tools that are off.
    pub(super) tools_off: SortedSet<String>,
    /// The tool groups that are switched off by now.
    pub(super) switches: Rc<Switches>,
    tools: Rc<[Rc<dyn ToolDyn>]>,
}

/// Collects the events of a run, like the hub.
#[derive(Default)]
pub(super) struct Ear {
    pub(super) events: RefCell<Vec<Event>>,
    timeline: RefCell<Timeline>,
    pub(super) journal: RefCell<Option<Rc<Journal>>>,
}

impl Listener for Ear {
    fn told(&self, _: &RunId, told: &Told) {
        let mut timeline = self.timeline.borrow_mut();
        let events = match told {
            Told::Record(record) => timeline.read(record),
            Told::Delta {
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
pub(super) struct Ran {
    pub(super) events: Vec<Event>,
    pub(super) closing: Closing,
}

impl Ran {
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
            Rc::new(Sleeper {
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
            Rc::new(Fickle { log: log.clone() }),
        ];
        let tools = tools::all(&sim.host(), &Study::here(Retrieval::with(None)))
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
            known: Known::Nothing,
            model_chosen: Choice::default(),
            then: Vec::new(),
            aides: Aides::default(),
            painter: None,
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

    /// Runs to the end in one life.
    pub(super) fn run(&self) -> Ran {
        self.life(NEVER).expect("nobody kills it")
    }

    /// Runs one life; returns `None` if it was killed.
    pub(super) fn life(&self, kill_at: u64) -> Option<Ran> {
        let closing = self.sim.life(kill_at, self.drive())?;
        Some(Ran {
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
            Some(pace) => Rc::new(Paced(self.model.clone(), pace.clone())),
            None => self.model.clone(),
        }
    }

    fn services(&self) -> Services {
        Services {
            models: Rc::new(Same(self.speaker(), self.painter.clone())),
            tabs: self.sim.host().tabs,
            clock: self.sim.host().clock,
            tools: self.tools.clone(),
            study: Study::here(Retrieval::with(None)),
            purse: Purse::new(&self.sim.host()),
            episodes: Episodes::new(&self.sim.host()),
            search: gloss_web::search::Desk::new(&self.sim.host()),
            memory: Memory::new(&self.sim.host()),
            switches: self.switches.clone(),
        }
    }

    /// Runs `work` on a run's state without the loop.
    pub(super) fn beside_loop(&self, work: impl AsyncFnOnce(Ctx, &mut State) -> Result<(), End>) {
        let journal = self.journal();
        let ctx = Ctx::new(journal.clone());
        let work = async {
            let mut state = State::open(&ctx, self.brief(), self.services()).await?;
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
        let closing = Closing::of(&drive(&journal, run_agent(&ctx, self.brief(), services)).await);
        let body = serde_json::to_value(&closing).unwrap();
        journal.mark(&Path::root(), Entry::Ended { body });
        journal.settled().await.unwrap();
        closing
    }

    fn journal(&self) -> Rc<Journal> {
        let host = self.sim.host();
        let mut stored = read_batches(self.sim.batches());
        let Some(stored) = stored.remove(&self.run) else {
            return Journal::begin(
                self.run.clone(),
                &self.brief(),
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
        journal.mark(&Path::root(), Entry::Woken);
        journal
    }

    fn brief(&self) -> RunConfig {
        RunConfig {
            aides: self.aides.clone(),
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
            earlier: Earlier::default(),
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
