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
use gloss_model::ModelRegistry;
use gloss_reader::PageService;
use gloss_tools::{self as tools, Switches, ToolSetting};
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

/// The panic that ended the previous instance of the worker's wasm module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panic {
    /// The run whose code was being polled.
    pub run: Option<RunId>,
    /// The panic's message.
    pub message: String,
}

/// The core of the worker, from the worker's start to its end. `App` spawns no tasks: the caller
/// must poll each future that a method returns.
pub struct App {
    host: Host,
    hub: Rc<Hub>,
    runs: Runs,
    kept: Rc<PreferencesStore>,
    page_service: PageService,
    options: OptionsService,
    memory: Rc<Memory>,
    switches: Rc<Switches>,
    /// All tools that the user can turn on and off.
    tools: Rc<[ToolSetting]>,
    episodes: Rc<LessonStore>,
    /// The PDF that was read last, with its tab. It is cached because reading the PDF's bytes may
    /// be slow. A PDF doesn't change while a tab shows it.
    pdf: RefCell<Option<(TabId, PageRead)>>,
    /// Locked during an erasure of all data, so that other commands wait until the erasure ends.
    erasing: Mutex<()>,
}

impl App {
    /// Creates a core that has not read any journals yet. `epoch` identifies this worker among all
    /// workers since the installation.
    pub fn new(host: Host, page_service: PageService, epoch: u64) -> Rc<Self> {
        let models = Rc::new(ModelRegistry::new(
            host.clone(),
            Rc::new(page_service.clone()),
        ));
        let services = Services::new(&host, models, page_service);
        Self::with_services(host, epoch, services)
    }

    /// Creates a core whose runs use `services` instead of the default services.
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

    /// Loads the settings, facts, lessons and runs that earlier workers stored. Await it before any
    /// other method.
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

    /// Resumes the runs that no worker executes. Called when the alarm that watches over active
    /// runs fires.
    pub async fn wake(&self) {
        self.runs.load(None).await;
        self.resume().await;
    }

    /// Runs every unfinished run until it ends or waits, then cleans up. Call it after
    /// [`App::load`].
    pub async fn resume(&self) {
        self.end_erasure().await;
        self.runs.load_all().await;
        // If storage refuses the erasure or the clean-up of keys, the next worker tries again.
        let _ = join(self.close_history(), self.host.secrets.settle()).await;
        // The grants are applied first, so that `open` includes the runs whose permission was
        // granted.
        let _ = self.apply_grants().await;
        self.runs.resume_elapsed().await;
        let open = self.runs.open();
        join_all(open.into_iter().map(|run| self.drive_to_end(run))).await;
        self.runs.file_all().await;
        self.runs.let_worker_sleep();
        self.runs.sweep().await;
    }

    /// Records that the worker became ready `ready_ms` milliseconds after its start.
    pub fn ready(&self, ready_ms: f64) {
        self.hub.ready(ready_ms);
    }

    /// Adds a surface. The surface sends [`Command::Hello`] next.
    pub fn connect(&self, surface: SurfaceId, send: Send) {
        self.hub.connect(surface, send);
    }

    /// Adds an options page. The page sends [`Command::Hello`] next.
    pub fn connect_options(&self, page: SurfaceId, send: Send) {
        self.options.connect(page, send);
    }

    /// Returns the user's settings.
    pub fn preferences(&self) -> Preferences {
        self.kept.now()
    }

    /// Removes a surface that disconnected.
    pub fn disconnect(&self, surface: SurfaceId) {
        self.hub.disconnect(surface);
        self.options.disconnect(surface);
    }

    /// Performs a command of a surface. If the command starts a run, the future resolves when the
    /// run has ended or waits. Otherwise it resolves when the command is done.
    ///
    /// The code for commands is large, and the browser compiles it at its first call. A trait
    /// object separates that code from the code for a hello, so that a hello can be answered
    /// earlier.
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

    /// Performs a command of a popup or a panel, except for a hello.
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
                self.permit(surface, &run, wait, verdict).await;
                self.drive_to_end(run).await;
            }
            Command::Stop { run } => {
                // A stop also withdraws the queued messages. The user gets the text of these
                // messages back.
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
            Command::CloseSite { site } => self.close_site(surface, site).await,
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

    /// Returns the current time, in milliseconds since the Unix epoch. The time orders the user's
    /// actions in a tab. Runs must not use it, because a replay would read another time.
    fn now_ms(&self) -> u64 {
        self.host.clock.now_ms()
    }

    /// Starts a run from a context menu or a keyboard command. Does nothing if the run already
    /// exists. The goal may contain text of the page, so no run starts on a closed site.
    pub async fn begin(&self, run: RunId, goal: Goal, tab: TabId, language: String) {
        self.end_erasure().await;
        let url = self.host.tabs.address(tab).await.unwrap_or_default();
        if let Err(closed) = self.host.closed_sites.check(&url) {
            return self.hub.warn(Failure::of_capture(&closed.into()));
        }
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

    /// Performs a command of an options page. Commands that only other surfaces may send are
    /// refused.
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
                    // Loading all runs finds the damaged ones and sets them aside.
                    self.runs.load_all().await;
                }
                self.options.answer(page, n, ask).await;
                self.apply_settings();
                let kept = self.kept.now().keep_history;
                if let Err(error) = self.runs.keep_history(kept).await {
                    self.options.warn(Failure::of_unerased(&error));
                }
            }
            _ => {
                self.options.refuse(page, failure("surface_outdated"));
            }
        }
    }
}

#[cfg(test)]
mod closed_sites_tests;
