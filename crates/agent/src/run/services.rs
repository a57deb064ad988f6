//! The services that a run works with.

use crate::lessons::LessonStore;
use gloss_durable::Clock;
use gloss_host::{Host, Tabs};
use gloss_memory::Memory;
use gloss_model::{Models, UsageLedger};
use gloss_reader::PageService;
use gloss_tools::{self as tools, Switches, ToolDyn};
use gloss_web::search;
use std::rc::Rc;

/// The services of a run: its access to models, pages, tools and stored data.
#[derive(Clone)]
pub struct Services {
    /// The models, for answering and for other roles.
    pub models: Rc<dyn Models>,
    /// The browser's tabs, whose pages are captured.
    pub tabs: Rc<dyn Tabs>,
    /// The page service: extracts main content and finds passages in it.
    pub page_service: PageService,
    /// The clock, for timeouts and waits.
    pub clock: Rc<dyn Clock>,
    /// The tools that the run may call.
    pub tools: Rc<[Rc<dyn ToolDyn>]>,
    /// The ledger of model usage and its cost.
    pub ledger: Rc<UsageLedger>,
    /// The lessons of all runs.
    pub episodes: Rc<LessonStore>,
    /// The search providers.
    pub search: Rc<search::SearchService>,
    /// The facts about the user.
    pub memory: Rc<Memory>,
    /// The current on/off state of the tool groups. The user can change the state during the run.
    pub switches: Rc<Switches>,
}

impl Services {
    /// Creates services that use these models, this page service, and the ports of `host` for the
    /// rest.
    pub fn new(host: &Host, models: Rc<dyn Models>, page_service: PageService) -> Self {
        Self {
            models,
            tabs: host.tabs.clone(),
            clock: host.clock.clone(),
            tools: tools::all(host, &page_service),
            page_service,
            ledger: UsageLedger::new(host),
            episodes: LessonStore::new(host),
            search: search::SearchService::new(host),
            memory: Memory::new(host),
            switches: Rc::default(),
        }
    }
}
