//! The services that a run is given.

use crate::agent::lessons::Episodes;
use crate::host::{Clock, Documents, Reader, Tabs};
use crate::memory::Memory;
use crate::model::{Models, Purse};
use crate::search;
use crate::study::Study;
use crate::tools::{Switches, ToolDyn};
use std::rc::Rc;

/// What a run works with.
#[derive(Clone)]
pub struct Services {
    /// Who may think.
    pub models: Rc<dyn Models>,
    /// Reads pages.
    pub tabs: Rc<dyn Tabs>,
    /// Extracts their main content.
    pub reader: Rc<dyn Reader>,
    /// Reads the PDFs among them.
    pub documents: Rc<dyn Documents>,
    /// Looks things up in them.
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
