//! Commands in, events out: the core as the worker sees it.
//!
//! Driving example: the popup's *Summarize page* arrives as a
//! [`Command::Start`], becomes a journal and a drive, and what lands in the
//! journal reaches every surface that shows this conversation. What is
//! deliberately absent: the browser, and the loop itself.

pub mod options;
pub mod preferences;
pub mod surface;

mod exports;
mod forks;
mod hub;
mod runs;
mod turns;

use crate::agent::{Failure, Goal, Hands, PageRead, Verdict};
use crate::durable::Stop;
use crate::host::{Capture, Host, RunId, TabId};
use crate::model::Available;
use crate::page::{Document, ReadError};
use crate::retrieval::Retrieval;
use crate::tools;
use futures::future::{join, join_all};
use hub::Hub;
use options::{Ask, Desk, Outcome};
use preferences::{Kept, Preferences, unstored};
use runs::{Asleep, Runs};
use std::rc::Rc;
use surface::{Beside, Command, Reply};
use turns::Start;

/// A connected surface, as the worker numbers them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SurfaceId(pub u32);

/// Takes what the worker says to one surface.
pub type Send = Rc<dyn Fn(&Reply)>;

/// What ended the last life of the module, if a panic did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Panic {
    /// The run that was being polled.
    pub run: Option<RunId>,
    /// The panic's words.
    pub message: String,
}

/// The whole core in one life of the worker. It never spawns: each method that
/// returns a future is a root for its caller to run.
pub struct App {
    host: Host,
    hub: Rc<Hub>,
    runs: Runs,
    kept: Rc<Kept>,
    options: Desk,
}

impl App {
    /// A core that has not looked at its journals yet. `epoch` names this life.
    pub fn new(host: Host, epoch: u64) -> Rc<Self> {
        let retrieval = Rc::new(Retrieval::new(host.assets.clone()));
        let hands = Hands {
            models: Rc::new(Available::new(host.clone(), retrieval.clone())),
            tabs: host.tabs.clone(),
            reader: host.reader.clone(),
            clock: host.clock.clone(),
            tools: tools::all(retrieval),
        };
        Self::with_hands(host, epoch, hands)
    }

    /// A core whose runs work with these hands.
    pub fn with_hands(host: Host, epoch: u64, hands: Hands) -> Rc<Self> {
        let hub = Rc::new(Hub::new(epoch));
        let kept = Rc::new(Kept::new(host.shelf.clone()));
        Rc::new(Self {
            options: Desk::new(host.clone(), kept.clone()),
            kept,
            runs: Runs::new(host.clone(), hands, hub.clone()),
            host,
            hub,
        })
    }

    /// Loads what earlier lives recorded. Await it before anything else.
    pub async fn load(&self, panic: Option<Panic>) {
        let (warning, ()) = join(self.kept.load(), self.runs.load(panic)).await;
        if let Some(warning) = warning {
            self.hub.warn(warning.clone());
            self.options.warn(warning);
        }
        self.runs.set_history(self.kept.now().keep_history);
        self.hub.set_defaults(self.kept.now().defaults());
    }

    /// What the watchdog's alarm does: looks for runs that nobody drives.
    pub async fn wake(&self) {
        self.runs.load(None).await;
        self.resume().await;
    }

    /// Drives every unfinished run to its end, and tidies up: after loading.
    pub async fn resume(&self) {
        self.runs.take_up().await;
        self.close_history().await;
        // Among the open ones then.
        let _ = self.settle_grants().await;
        self.runs.elapse().await;
        let open = self.runs.open();
        join_all(open.into_iter().map(|run| self.see_through(run))).await;
        self.runs.put_all_away().await;
        self.runs.rest();
        self.runs.sweep().await;
    }

    /// Answers for the person where Chrome knows the answer already: it may have
    /// been given while nobody listened, as its dialog closes the popup that asks.
    /// Gives the runs that can go on.
    async fn settle_grants(&self) -> Vec<RunId> {
        let mut settled = Vec::new();
        for (run, wait, origin) in self.runs.wait_for_servers() {
            if self.host.grants.covers(&origin).await {
                // Refused by storage, the card still stands.
                let _ = self.runs.answer(&run, wait, Verdict::Granted).await;
                settled.push(run);
            }
        }
        settled
    }

    /// The worker answers from now on, `ready_ms` after its birth.
    pub fn ready(&self, ready_ms: f64) {
        self.hub.ready(ready_ms);
    }

    /// A surface connected; it will say [`Command::Hello`].
    pub fn connect(&self, surface: SurfaceId, send: Send) {
        self.hub.connect(surface, send);
    }

    /// An options page connected; it will say [`Command::Hello`].
    pub fn connect_options(&self, page: SurfaceId, send: Send) {
        self.options.connect(page, send);
    }

    /// What a person set.
    pub fn preferences(&self) -> Preferences {
        self.kept.now()
    }

    /// A surface went away.
    pub fn disconnect(&self, surface: SurfaceId) {
        self.hub.disconnect(surface);
        self.options.disconnect(surface);
    }

    /// Does what a surface asks; resolves when that is done (a run: at its end).
    pub async fn command(self: Rc<Self>, surface: SurfaceId, command: Command) {
        if self.options.has(surface) {
            self.of_options(surface, command).await;
            return;
        }
        self.runs.take_up_found().await;
        match command {
            Command::Hello {
                version: surface::VERSION,
                tab,
                language,
            } => self.hello(surface, tab, language).await,
            Command::Start {
                run,
                goal,
                tuning,
                replaces,
            } => {
                let Some((tab, language)) = self.hub.beside(surface) else {
                    self.hub.refuse(surface, Failure::of_no_tab(), Some(run));
                    return;
                };
                let message = run.clone();
                let start = Start {
                    run,
                    goal,
                    tab,
                    language,
                    tuning,
                    replaces,
                };
                if let Err(failure) = self.start(start).await {
                    self.hub.refuse(surface, failure, Some(message));
                }
            }
            Command::TakeBack { message } => self.runs.withdraw(&message).await,
            Command::Permit { run, wait, verdict } => {
                if let Err(failure) = self.runs.answer(&run, wait, verdict).await {
                    self.hub.refuse(surface, failure, None);
                }
                self.see_through(run).await;
            }
            Command::Stop { run } => {
                // A stop is for all of it: whoever stops has the words back.
                let withdrawn = self.runs.withdraw_all(&run);
                let asleep = self.runs.stop(&run, Stop::User);
                withdrawn.await;
                if asleep == Asleep::Yes {
                    self.see_through(run).await;
                }
            }
            Command::Pause { run } => self.runs.pause(&run).await,
            Command::Continue { run } => {
                self.runs.turn_to_run(&run).await;
                if self.runs.reopen(&run).await {
                    self.see_through(run).await;
                }
            }
            Command::NewChat => {
                self.hub.new_chat(surface, self.now_ms());
                self.runs.keep_places().await;
            }
            Command::History => {
                self.runs.take_up().await;
                self.hub.tell_history(surface, self.runs.past());
            }
            Command::Export { run } => {
                self.runs.turn_to_run(&run).await;
                self.export(surface, run).await;
            }
            Command::Inspect { run } => {
                self.runs.turn_to_run(&run).await;
                self.inspect(surface, run).await;
            }
            Command::Show { conversation } => {
                self.runs.turn_to(&conversation).await;
                if self.hub.show(surface, &conversation, self.now_ms()) {
                    self.runs.keep_places().await;
                } else {
                    let gone = Failure::of_gone_conversation();
                    self.hub.refuse(surface, gone, None);
                }
            }
            Command::Fork { run, from, forked } => {
                self.runs.turn_to_run(&from).await;
                if let Err(failure) = self.fork(run, from, forked).await {
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
                self.hub.refuse(surface, Failure::of_version(), None);
            }
        }
    }

    /// Orders what the person does in a tab; no run reads it.
    fn now_ms(&self) -> u64 {
        self.host.clock.now_ms()
    }

    /// Starts a run from a context menu or a keyboard command. A run that exists
    /// already is not started again.
    pub async fn begin(&self, run: RunId, goal: Goal, tab: TabId, language: String) {
        self.runs.take_up_found().await;
        if let Some(shown) = self.hub.current(tab) {
            self.runs.turn_to(&shown).await;
        }
        let start = Start {
            run,
            goal,
            tab,
            language,
            tuning: None,
            replaces: None,
        };
        if let Err(failure) = self.start(start).await {
            self.hub.warn(failure);
        }
    }

    /// Does what an options page asks; it may ask for nothing else.
    async fn of_options(&self, page: SurfaceId, command: Command) {
        match command {
            Command::Hello { version, .. } if version == surface::VERSION => {
                self.options.greet(page).await;
            }
            Command::Options { n, ask: Ask::Erase } => {
                let outcome = self.erase().await;
                self.hub.set_defaults(self.kept.now().defaults());
                self.options.close(page, n, outcome).await;
            }
            Command::Options { n, ask } => {
                if ask == Ask::Damaged {
                    // What this life has not looked at yet is set aside by that.
                    self.runs.take_up().await;
                }
                self.options.answer(page, n, ask).await;
                self.hub.set_defaults(self.kept.now().defaults());
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
            | Command::Show { .. }
            | Command::EraseConversation { .. } => self.options.refuse(page, Failure::of_version()),
        }
    }

    /// Turned off in an earlier life that did not come to clear the disk.
    async fn close_history(&self) {
        if let Err(error) = self.runs.close_history().await {
            self.hub.warn(Failure::of_unerased(&error));
        }
    }

    /// Keys and settings, then every run and page text.
    async fn erase(&self) -> Outcome {
        let settings = self.options.erase().await;
        match self.runs.erase().await {
            Ok(()) => settings,
            Err(error) => Outcome::Failed {
                failure: unstored(&error),
            },
        }
    }

    async fn hello(&self, surface: SurfaceId, tab: Option<TabId>, language: String) {
        if let Some(shown) = tab.and_then(|tab| self.hub.current(tab)) {
            self.runs.turn_to(&shown).await;
        }
        self.hub.stand_beside(surface, tab, language);
        let settled = self.settle_grants().await;
        let look = async {
            let Some(tab) = tab else {
                self.hub.look(surface, tab, Beside::Nothing);
                return;
            };
            self.hub.look(surface, Some(tab), Beside::Looking);
            let seen = self.see(tab).await;
            self.hub.look(surface, Some(tab), seen);
        };
        let settled = settled.into_iter().map(|run| self.see_through(run));
        join(look, join_all(settled)).await;
    }

    /// What a tab shows, for the surface beside it.
    async fn see(&self, tab: TabId) -> Beside {
        let unreadable = |title: String, failure| Beside::Unreadable { title, failure };
        match self.host.tabs.capture(tab).await {
            Err(error) => unreadable(String::new(), Failure::of_capture(&error)),
            Ok(capture) => match self.read(&capture).await {
                Err(error) => unreadable(capture.title, Failure::of_reading(&error)),
                Ok(document) => Beside::Page {
                    page: PageRead::of(capture, &document),
                },
            },
        }
    }

    async fn read(&self, capture: &Capture) -> Result<Document, ReadError> {
        let (html, url) = (capture.html.clone(), capture.url.clone());
        self.host.reader.read(html, url).await
    }
}
