//! What a call of a tool has around it.

use super::{Aid, Switches, Vouched};
use gloss_context::Results;
use gloss_durable::{Key, RunId};
use gloss_host::TabId;
use gloss_memory::Memory;
use gloss_model::Room;
use gloss_model::prompts::Prompts;
use gloss_page::Document;
use gloss_web::search::Provider;
use serde_json::Value;
use std::ops::Deref;
use std::rc::Rc;

/// What all calls of a run have around them.
#[derive(Clone)]
pub struct RunContext {
    /// The page that the run reads.
    pub page: Option<Rc<Document>>,
    /// How much the model that reads their results can be given.
    pub room: Room,
    /// What no longer stands before the model whole.
    pub results: Rc<Results>,
    /// What the person asked in the run, without the page's words; empty if nobody did.
    pub asked: Rc<str>,
    /// What they said in the conversation in words of their own, the latest last: it tells the
    /// language of a search.
    pub said: Rc<[String]>,
    /// The run's language, a BCP 47 tag.
    pub language: String,
    /// What the run stands beside.
    pub place: Place,
    /// The prompts in force.
    pub prompts: Rc<Prompts>,
    /// Who searches the web, if anybody does: without, nothing that does is offered.
    pub search: Option<Rc<dyn Provider>>,
    /// What is known of the person; `None`: nothing can be.
    pub mind: Option<Mind>,
    /// What the person has turned off by now.
    pub switches: Rc<Switches>,
    /// The addresses that may be followed unasked, once text was read that nobody vouches for;
    /// `None`: any.
    pub vouched: Option<Rc<Vouched>>,
}

impl RunContext {
    /// With this page, for a model that can be given so much, in English, and nothing else.
    pub fn new(page: Option<Rc<Document>>, room: Room) -> Self {
        Self {
            page,
            room,
            results: Rc::default(),
            asked: Rc::default(),
            said: Rc::default(),
            language: "en".to_owned(),
            place: Place::default(),
            prompts: Rc::default(),
            search: None,
            mind: None,
            switches: Rc::default(),
            vouched: None,
        }
    }
}

/// What one call has around it.
#[derive(Clone)]
pub struct ToolContext {
    /// What every call of the run has.
    pub run: RunContext,
    /// The call's id.
    pub call: String,
    /// The act that it is.
    pub key: Key,
    /// Where the call stood when it lacked the person's word.
    pub so_far: Option<Value>,
    /// Whether the person may still be asked.
    pub rights: Rights,
    /// The models that it may ask.
    pub aid: Aid,
}

impl Deref for ToolContext {
    type Target = RunContext;

    fn deref(&self) -> &RunContext {
        &self.run
    }
}

/// What is known of the person, and where more is told.
#[derive(Clone)]
pub struct Mind {
    /// All of it.
    pub memory: Rc<Memory>,
    /// The conversation that the run is a turn of.
    pub conversation: RunId,
}

/// What a run stands beside.
#[derive(Debug, Clone, Default)]
pub struct Place {
    /// The tab that it is pinned to; `None` in a run without one.
    pub tab: Option<TabId>,
    /// Chrome's id of the document that it began on, if it may know; no text need be in it.
    pub document: Option<String>,
    /// The language that this document says it is in, a BCP 47 tag; often empty.
    pub language: String,
}

/// Whether the person may still be asked for what a call may not do yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rights {
    /// They may: [`NotPermitted`](super::ToolError::NotPermitted) asks.
    MayBeAsked,
    /// They have answered.
    Answered,
}

/// What tells the passages of a call from those of the page and of all other calls of the run:
/// `w` for pages that were fetched, `s` for those that a search found, the step, a letter for
/// the call.
pub(super) fn source(kind: &str, key: &Key) -> String {
    let places = key.path.segments();
    let mut places = places.filter_map(|segment| segment.parse::<u32>().ok());
    let step = places.next().unwrap_or_default();
    let call = places.last().unwrap_or_default();
    let letter = char::from(b'a' + (call % 26) as u8);
    format!("{kind}{step}{letter}")
}
