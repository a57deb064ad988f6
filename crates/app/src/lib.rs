#![doc = include_str!("../README.md")]

pub mod options;
pub mod preferences;
pub mod surface;

mod connect;
mod erasure;
mod exports;
mod forks;
mod hub;
mod memory;
mod pictures;
mod runs;
mod turns;

use futures::FutureExt;
use futures::future::{join, join_all, join4};
use futures::lock::Mutex;
use gloss_agent::{Failure, Goal, LessonStore, PageRead, Services, failure};
use gloss_durable::{RunId, Stop};
use gloss_host::{Host, TabId};
use gloss_memory::Memory;
use gloss_model::{ModelRegistry, UsageLedger};
use gloss_reader::PageService;
use gloss_tools::{self as tools, Switches, ToolSetting};
use gloss_web::search;
use hub::Hub;
pub use hub::{Send, SurfaceId};
use options::{OptionsRequest, OptionsService};
use preferences::{Preferences, PreferencesStore};
use runs::{NeedsDrive, Runs};
use std::cell::RefCell;
use std::pin::pin;
use std::rc::Rc;
use surface::Command;
use turns::TurnRequest;

/// The panic that ended the module's last life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panic {
    /// The run that was being polled.
    pub run: Option<RunId>,
    /// The panic's message.
    pub message: String,
}

/// The whole core in one life of the worker. It never spawns: each method that returns a future is
/// a root for its caller to run.
pub struct App {
    host: Host,
    hub: Rc<Hub>,
    runs: Runs,
    kept: Rc<PreferencesStore>,
    page_service: PageService,
    options: OptionsService,
    /// Facts about the user.
    memory: Rc<Memory>,
    switches: Rc<Switches>,
    /// The tools that the interface offers.
    tools: Rc<[ToolSetting]>,
    episodes: Rc<LessonStore>,
    /// The PDF that was read last, with its tab. A PDF does not change while a tab shows it, and
    /// reading its bytes again may be slow.
    pdf: RefCell<Option<(TabId, PageRead)>>,
    /// Held while an erasure runs, so that everything else waits for it.
    erasing: Mutex<()>,
}

impl App {
    /// A core that has not read its journals yet. `epoch` names this life.
    pub fn new(host: Host, page_service: PageService, epoch: u64) -> Rc<Self> {
        let services = Services {
            models: Rc::new(ModelRegistry::new(
                host.clone(),
                Rc::new(page_service.clone()),
            )),
            tabs: host.tabs.clone(),
            clock: host.clock.clone(),
            tools: tools::all(&host, &page_service),
            page_service,
            ledger: UsageLedger::new(&host),
            episodes: LessonStore::new(&host),
            search: search::SearchService::new(&host),
            memory: Memory::new(&host),
            switches: Rc::default(),
        };
        Self::with_services(host, epoch, services)
    }

    /// A core whose runs use these services.
    pub fn with_services(host: Host, epoch: u64, services: Services) -> Rc<Self> {
        let hub = Rc::new(Hub::new(epoch));
        let kept = Rc::new(PreferencesStore::new(host.local_storage.clone()));
        let tools: Rc<[ToolSetting]> = tools::offers(&services.tools).into();
        let memory = services.memory.clone();
        Rc::new_cyclic(|app| {
            memory::tell(&memory, &hub, app.clone());
            memory::tell_of_learned(&services.episodes, app.clone());
            memory::tell_of_past(&memory, app.clone());
            Self {
                options: OptionsService::new(
                    host.clone(),
                    kept.clone(),
                    memory.clone(),
                    services.episodes.clone(),
                    tools.clone(),
                    services.search.clone(),
                ),
                memory,
                tools,
                kept,
                page_service: services.page_service.clone(),
                episodes: services.episodes.clone(),
                switches: services.switches.clone(),
                runs: Runs::new(host.clone(), services, hub.clone()),
                host,
                hub,
                pdf: RefCell::default(),
                erasing: Mutex::default(),
            }
        })
    }

    /// Loads what earlier lives recorded. Await it before anything else.
    pub async fn load(&self, panic: Option<Panic>) {
        let (settings, runs) = (self.kept.load(), self.runs.load(panic));
        let (facts, learned) = (self.memory.load(), self.episodes.load());
        let (warning, (), unreadable, ()) = join4(settings, runs, facts, learned).await;
        for warning in warning
            .into_iter()
            .chain(unreadable.map(memory::unreadable))
        {
            self.hub.warn(warning.clone());
            self.options.warn(warning);
        }
        self.runs.set_history(self.kept.now().keep_history);
        self.apply_settings();
    }

    /// Resumes the runs that no worker drives; the watchdog's alarm calls it.
    pub async fn wake(&self) {
        self.runs.load(None).await;
        self.resume().await;
    }

    /// Drives every unfinished run to its end, then cleans up. Call it after [`App::load`].
    pub async fn resume(&self) {
        self.end_erasure().await;
        self.runs.load_all().await;
        // If storage refuses this, the next life does it.
        let _ = join(self.close_history(), self.host.secrets.settle()).await;
        // Granted runs are then among the open ones.
        let _ = self.apply_grants().await;
        self.runs.resume_elapsed().await;
        let open = self.runs.open();
        join_all(open.into_iter().map(|run| self.drive_to_end(run))).await;
        self.runs.file_all().await;
        self.runs.let_worker_sleep();
        self.runs.sweep().await;
    }

    /// Marks the worker as ready, `ready_ms` after its birth.
    pub fn ready(&self, ready_ms: f64) {
        self.hub.ready(ready_ms);
    }

    /// Adds a surface; it sends [`Command::Hello`] next.
    pub fn connect(&self, surface: SurfaceId, send: Send) {
        self.hub.connect(surface, send);
    }

    /// Adds an options page; it sends [`Command::Hello`] next.
    pub fn connect_options(&self, page: SurfaceId, send: Send) {
        self.options.connect(page, send);
    }

    /// Applies the settings to everything that lives as long as this worker.
    fn apply_settings(&self) {
        let set = self.kept.now();
        self.hub.set_defaults(set.defaults(&self.tools));
        self.switches.set(set.groups_off);
    }

    /// The user's settings.
    pub fn preferences(&self) -> Preferences {
        self.kept.now()
    }

    /// Removes a surface that disconnected.
    pub fn disconnect(&self, surface: SurfaceId) {
        self.hub.disconnect(surface);
        self.options.disconnect(surface);
    }

    /// Does what a surface asks; resolves when that is done (for a run: at its end). The code for
    /// commands is large, and the browser compiles it when it is first called. It is boxed as trait
    /// objects, so that a greeting doesn't wait for it.
    pub async fn command(self: Rc<Self>, surface: SurfaceId, command: Command) {
        self.end_erasure().await;
        if self.options.has(surface) {
            return self.options_command(surface, command).boxed_local().await;
        }
        if let Command::Hello {
            version: surface::VERSION,
            tab,
            language,
        } = command
        {
            self.hello(surface, tab, language).await;
            return;
        }
        self.runs.load_session().await;
        self.surface_command(surface, command).boxed_local().await;
    }

    /// Does what a popup or a panel asks, except for its hello.
    async fn surface_command(&self, surface: SurfaceId, command: Command) {
        match command {
            Command::Start {
                run,
                goal,
                tuning,
                replaces,
            } => {
                let Some((tab, language)) = self.hub.tab_of(surface) else {
                    self.hub.refuse(surface, failure("no_tab"), Some(run));
                    return;
                };
                let message = run.clone();
                let start = TurnRequest {
                    run,
                    goal,
                    tab,
                    language,
                    tuning,
                    replaces,
                };
                if let Err(failure) = Box::pin(self.start(start)).await {
                    self.hub.refuse(surface, failure, Some(message));
                }
            }
            Command::TakeBack { message } => self.runs.withdraw(&message).await,
            Command::Permit { run, wait, verdict } => {
                if let Err(failure) = self.runs.answer(&run, wait, verdict).await {
                    self.hub.refuse(surface, failure, None);
                }
                self.drive_to_end(run).await;
            }
            Command::Stop { run } => {
                // A stop covers queued messages too: their text returns to the user.
                let withdrawn = self.runs.withdraw_all(&run);
                let asleep = self.runs.stop(&run, Stop::User);
                withdrawn.await;
                if asleep == NeedsDrive::Yes {
                    self.drive_to_end(run).await;
                }
            }
            Command::Pause { run } => self.runs.pause(&run).await,
            Command::Continue { run } => {
                self.runs.load_conversation_of(&run).await;
                if self.runs.continue_run(&run).await {
                    self.drive_to_end(run).await;
                } else if let Some(failure) = self.runs.why_not(&run) {
                    self.hub.refuse(surface, failure, None);
                }
            }
            Command::NewChat => {
                self.hub.new_chat(surface, self.now_ms());
                self.runs.keep_places().await;
            }
            Command::History => {
                let mut rest = pin!(self.runs.load_all());
                if self.within_patience(rest.as_mut()).await.is_none() {
                    self.hub.tell_history(surface, self.runs.past());
                    rest.await;
                }
                self.hub.tell_history(surface, self.runs.past());
            }
            Command::Export { run } => {
                self.runs.load_conversation_of(&run).await;
                self.export(surface, run).await;
            }
            Command::Inspect { run } => {
                self.runs.load_conversation_of(&run).await;
                self.inspect(surface, run).await;
            }
            Command::Picture { run, step, call } => {
                self.runs.load_conversation_of(&run).await;
                self.picture(surface, run, step, call).await;
            }
            Command::Unremember { fact } => self.unremember(surface, &fact).await,
            Command::Show { conversation } => {
                self.runs.load_conversation(&conversation).await;
                if self.hub.show(surface, &conversation, self.now_ms()) {
                    self.runs.keep_places().await;
                } else {
                    let gone = Failure::of_gone_conversation();
                    self.hub.refuse(surface, gone, None);
                }
            }
            Command::Fork { run, from, forked } => {
                self.runs.load_conversation_of(&from).await;
                if let Err(failure) = Box::pin(self.fork(run, from, forked)).await {
                    self.hub.refuse(surface, failure, None);
                }
            }
            Command::EraseConversation { conversation } => {
                if let Err(error) = self.runs.erase_conversation(&conversation).await {
                    self.hub.refuse(surface, Failure::of_unerased(&error), None);
                }
                self.hub.tell_history(surface, self.runs.past());
            }
            Command::Hello { .. } | Command::Options { .. } => {
                self.hub.refuse(surface, failure("surface_outdated"), None);
            }
        }
    }

    /// The time that orders the user's actions in a tab; no run reads it.
    fn now_ms(&self) -> u64 {
        self.host.clock.now_ms()
    }

    /// Starts a run from a context menu or a keyboard command. A run that exists already is not
    /// started again.
    pub async fn begin(&self, run: RunId, goal: Goal, tab: TabId, language: String) {
        self.end_erasure().await;
        self.runs.load_session().await;
        let start = TurnRequest {
            run,
            goal,
            tab,
            language,
            tuning: None,
            replaces: None,
        };
        if let Err(failure) = Box::pin(self.start(start)).await {
            self.hub.warn(failure);
        }
    }

    /// Does what an options page asks; other commands are refused.
    async fn options_command(&self, page: SurfaceId, command: Command) {
        match command {
            Command::Hello { version, .. } if version == surface::VERSION => {
                self.options.greet(page).await;
            }
            Command::Options {
                n,
                ask: OptionsRequest::Erase,
            } => {
                let outcome = self.erase().await;
                self.apply_settings();
                self.options.close(page, n, outcome).await;
            }
            Command::Options {
                n,
                ask: OptionsRequest::Usage,
            } => {
                let outcome = self.runs.usage().await;
                self.options.close(page, n, outcome).await;
            }
            Command::Options { n, ask } => {
                if ask == OptionsRequest::Damaged {
                    // Taking up the remaining runs sets the damaged ones aside.
                    self.runs.load_all().await;
                }
                self.options.answer(page, n, ask).await;
                self.apply_settings();
                let kept = self.kept.now().keep_history;
                if let Err(error) = self.runs.keep_history(kept).await {
                    self.options.warn(Failure::of_unerased(&error));
                }
            }
            Command::Hello { .. }
            | Command::Start { .. }
            | Command::TakeBack { .. }
            | Command::Permit { .. }
            | Command::Stop { .. }
            | Command::Pause { .. }
            | Command::Continue { .. }
            | Command::NewChat
            | Command::History
            | Command::Export { .. }
            | Command::Fork { .. }
            | Command::Inspect { .. }
            | Command::Picture { .. }
            | Command::Unremember { .. }
            | Command::Show { .. }
            | Command::EraseConversation { .. } => {
                self.options.refuse(page, failure("surface_outdated"));
            }
        }
    }
}
