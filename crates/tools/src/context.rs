//! The context in which a tool call runs.

use super::{Approval, Policy, RoleModels, Switches};
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

/// The part of a call's context that is the same for all calls of a run.
#[derive(Clone)]
pub struct RunContext {
    /// The page that the run reads; `None` in a run without a page.
    pub page: Option<Rc<Document>>,
    /// The context window of the model that reads the results of the calls.
    pub room: ContextWindow,
    /// The earlier results that were shortened for the model. `recall_details` returns them in full.
    pub results: Rc<Results>,
    /// The user's request in this run, without text of the page; empty if there is none.
    pub asked: Rc<str>,
    /// The user's own messages in the conversation, oldest first. They determine the language of a
    /// search.
    pub said: Rc<[String]>,
    /// The run's language, a BCP 47 tag.
    pub language: String,
    /// The tab and the document to which the run belongs.
    pub place: RunPage,
    /// The prompts that are in use for the run.
    pub prompts: Rc<Prompts>,
    /// The search provider. If it is `None`, tools that need a provider are not offered.
    pub search: Option<Rc<dyn Provider>>,
    /// The facts about the user; `None` if memory is unavailable.
    pub mind: Option<MemoryAccess>,
    /// The user's switches for groups of tools, with their current values.
    pub switches: Rc<Switches>,
    /// The policy of provenance, with the origins of everything that the model has read.
    pub policy: Rc<Policy>,
}

impl RunContext {
    /// Makes a context in English with this page and this context window. All other fields are empty.
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
            policy: Rc::default(),
        }
    }
}

/// The context of one call.
#[derive(Clone)]
pub struct ToolContext {
    /// The context that all calls of the run share.
    pub run: RunContext,
    /// The id that the model gave the call.
    pub call: String,
    /// The idempotency key of the call.
    pub key: Key,
    /// The progress that the call had made before it waited for the user's consent; `None` if the
    /// call did not wait.
    pub so_far: Option<Value>,
    /// The state of the request for the user's consent.
    pub rights: ConsentState,
    /// The answer that the call has to the policy's question.
    pub approval: Approval,
    /// The models that the tool may call.
    pub aid: RoleModels,
}

impl Deref for ToolContext {
    type Target = RunContext;

    fn deref(&self) -> &RunContext {
        &self.run
    }
}

/// The memory of facts about the user, and the conversation that uses it.
#[derive(Clone)]
pub struct MemoryAccess {
    /// The memory, with all facts and earlier conversations.
    pub memory: Rc<Memory>,
    /// The conversation to which the run belongs.
    pub conversation: RunId,
}

/// The tab and the document to which a run belongs.
#[derive(Debug, Clone, Default)]
pub struct RunPage {
    /// The tab of the run; `None` in a run without a tab.
    pub tab: Option<TabId>,
    /// Chrome's id of the document that the tab showed when the run began; `None` if unknown. The
    /// document may have no text.
    pub document: Option<String>,
    /// The language that the document declares, as a BCP 47 tag. It is often empty.
    pub language: String,
}

/// The state of the request for a right that a call needs and does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConsentState {
    /// The user was not asked yet. If the call returns
    /// [`NotPermitted`](super::ToolError::NotPermitted), the agent's loop asks the user.
    MayBeAsked,
    /// The user has answered.
    Answered,
}

/// Returns a prefix for the passage ids of a call, which is unique in the call's run. In `w2a`, `w`
/// means fetched pages (`s` means a search), 2 is the step, and `a` is the first call of the step.
pub(super) fn source(kind: &str, key: &Key) -> String {
    let places = key.path.segments();
    let mut places = places.filter_map(|segment| segment.parse::<u32>().ok());
    let step = places.next().unwrap_or_default();
    let call = places.last().unwrap_or_default();
    let letter = char::from(b'a' + (call % 26) as u8);
    format!("{kind}{step}{letter}")
}
