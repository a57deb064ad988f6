//! The context in which a tool call runs.

use super::{RoleModels, Switches, TrustedAddresses};
use gloss_context::Results;
use gloss_durable::{Key, RunId};
use gloss_host::TabId;
use gloss_memory::Memory;
use gloss_model::ContextWindow;
use gloss_model::prompts::Prompts;
use gloss_page::Document;
use gloss_web::search::Provider;
use serde_json::Value;
use std::ops::Deref;
use std::rc::Rc;

/// The part of the context that all calls of a run share.
#[derive(Clone)]
pub struct RunContext {
    /// The page that the run reads.
    pub page: Option<Rc<Document>>,
    /// The context window of the model that reads the results.
    pub room: ContextWindow,
    /// The earlier results that the model sees only shortened.
    pub results: Rc<Results>,
    /// The user's request in this run, without text of the page; empty if there is none.
    pub asked: Rc<str>,
    /// The user's own messages in the conversation, the latest last. They determine the language of
    /// a search.
    pub said: Rc<[String]>,
    /// The run's language, a BCP 47 tag.
    pub language: String,
    /// The tab and document that the run belongs to.
    pub place: RunPage,
    /// The prompts in force.
    pub prompts: Rc<Prompts>,
    /// The search provider. Without one, no tool that needs it is offered.
    pub search: Option<Rc<dyn Provider>>,
    /// The facts about the user; `None` if memory is unavailable.
    pub mind: Option<MemoryAccess>,
    /// The user's switches, with their current values.
    pub switches: Rc<Switches>,
    /// The addresses that may be fetched without asking after untrusted text was read; `None` as
    /// long as none was read.
    pub vouched: Option<Rc<TrustedAddresses>>,
}

impl RunContext {
    /// A context in English with this page, this context window, and nothing else.
    pub fn new(page: Option<Rc<Document>>, room: ContextWindow) -> Self {
        Self {
            page,
            room,
            results: Rc::default(),
            asked: Rc::default(),
            said: Rc::default(),
            language: "en".to_owned(),
            place: RunPage::default(),
            prompts: Rc::default(),
            search: None,
            mind: None,
            switches: Rc::default(),
            vouched: None,
        }
    }
}

/// The context of one call.
#[derive(Clone)]
pub struct ToolContext {
    /// The context that all calls of the run share.
    pub run: RunContext,
    /// The call's id.
    pub call: String,
    /// The idempotency key of the action.
    pub key: Key,
    /// The progress that the call had made when it had to wait for the user's consent.
    pub so_far: Option<Value>,
    /// The state of the question to the user.
    pub rights: ConsentState,
    /// The models that the call may ask.
    pub aid: RoleModels,
}

impl Deref for ToolContext {
    type Target = RunContext;

    fn deref(&self) -> &RunContext {
        &self.run
    }
}

/// The facts about the user.
#[derive(Clone)]
pub struct MemoryAccess {
    /// The memory with all facts and earlier conversations.
    pub memory: Rc<Memory>,
    /// The conversation that the run is a turn of.
    pub conversation: RunId,
}

/// The tab and document that a run belongs to.
#[derive(Debug, Clone, Default)]
pub struct RunPage {
    /// The tab that the run is pinned to; `None` in a run without one.
    pub tab: Option<TabId>,
    /// Chrome's id of the document on which the run began, if known. The document may have no text.
    pub document: Option<String>,
    /// The language that the document declares, a BCP 47 tag; often empty.
    pub language: String,
}

/// The state of the question for a right that the call lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentState {
    /// Not asked yet: [`NotPermitted`](super::ToolError::NotPermitted) makes the loop ask.
    MayBeAsked,
    /// The user has answered.
    Answered,
}

/// Returns a prefix for the passage ids of a call that is unique in its run: `w` for fetched pages
/// or `s` for searched ones, the step, a letter for the call.
pub(super) fn source(kind: &str, key: &Key) -> String {
    let places = key.path.segments();
    let mut places = places.filter_map(|segment| segment.parse::<u32>().ok());
    let step = places.next().unwrap_or_default();
    let call = places.last().unwrap_or_default();
    let letter = char::from(b'a' + (call % 26) as u8);
    format!("{kind}{step}{letter}")
}
