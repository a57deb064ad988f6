//! The services that a run is given.

use crate::lessons::Episodes;
use gloss_durable::Clock;
use gloss_host::Tabs;
use gloss_memory::Memory;
use gloss_model::{Models, Purse};
use gloss_reader::Study;
use gloss_tools::{Switches, ToolDyn};
use gloss_web::search;
use std::rc::Rc;

/// What a run works with.
#[derive(Clone)]
pub struct Services {
    /// Who may think.
    pub models: Rc<dyn Models>,
    /// Reads pages.
    pub tabs: Rc<dyn Tabs>,
    /// Extracts their main content, and looks things up in it.
    pub study: Study,
    /// Bounds tools.
    pub clock: Rc<dyn Clock>,
    /// What it can do.
    pub tools: Rc<[Rc<dyn ToolDyn>]>,
    /// Pays for models.
    pub purse: Rc<Purse>,
    /// What runs learned from what failed.
    pub episodes: Rc<Episodes>,
    /// Searches.
    pub search: Rc<search::Desk>,
    /// What is known of the person.
    pub memory: Rc<Memory>,
    /// What that person has turned off by now.
    pub switches: Rc<Switches>,
}
