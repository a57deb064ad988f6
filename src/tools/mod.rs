//! The agent's hands: what it can do, each tool in a file of its own.
//!
//! Driving example: the loop hands a [`ToolCall`] to the [`Toolbox`], which
//! checks its arguments and runs it; a tool that fails is an outcome that the
//! model reads, never an error of the loop. Page tools return passages with ids
//! and never call a model (DESIGN).

mod aid;
mod consent;
mod context;
pub(crate) mod explain_text_with_context;
pub(crate) mod extract_screenshot_text;
pub(crate) mod find_in_page;
pub(crate) mod get_current_time;
pub(crate) mod image_generate;
pub(crate) mod memory_retrieve;
mod memory_save;
mod offer;
mod outcome;
pub(crate) mod recall_details;
mod right;
mod run_tool;
mod schema;
mod sources;
pub(crate) mod summarize_page_content;
mod typed;
mod web_fetch;

#[cfg(test)]
mod tests;

pub use aid::{Aid, Aided, Part};
pub use consent::{Consent, Vouched};
pub use context::{Mind, Place, Rights, ToolContext};
pub use memory_save::Minded;
pub use offer::{Group, ToolOffer, barred, offers};
pub use outcome::{CallEnd, Output, Picture, ToolError, ToolOutcome};
pub use right::Right;
pub use run_tool::{RunTool, ToolLabel};
pub use sources::{SourceData, sources};

use crate::context::Results;
use crate::durable::{Class, Key};
use crate::host::{Fut, Host};
use crate::model::{Room, ToolCall, ToolDefinition};
use crate::page::Document;
use crate::study::Study;
use crate::web::Fetcher;
use schema::Argument;
use serde_json::Value;
use std::collections::BTreeSet;
use std::rc::Rc;

/// How many names are given to who called a tool that there is not.
const NEAREST: usize = 3;

/// A tool's active work is bounded by this unless it says otherwise (DETAILS §2).
pub const TIMEOUT_MS: u64 = 30_000;

/// Something the agent can do: one file says all of it.
trait Tool {
    /// What it is called with.
    type Arguments: Argument;

    /// By which models call it.
    const NAME: &'static str;

    /// What a person calls it, and what it does in one line: messages' keys, marked `msg:`.
    const TITLE: &'static str;
    /// See [`Tool::TITLE`].
    const MEANS: &'static str;

    /// Whether a person may turn it off.
    const HAS_SWITCH: bool = true;

    /// The switch that turns it off with others.
    const GROUP: Option<Group> = None;

    /// What it gives, when to use it and when not.
    const DESCRIPTION: &'static str;

    /// What an interrupted call means.
    const CLASS: Class = Class::Safe;

    /// The most active time of a call.
    const TIMEOUT_MS: u64 = TIMEOUT_MS;

    /// Whether it can do nothing without a page.
    const NEEDS_PAGE: bool = false;

    /// The part of a model that it may ask.
    const ASKS: Option<Part> = None;

    /// Whether a call needs the person's word once text was read that nobody vouches for.
    fn consent(_arguments: &Self::Arguments, _vouched: &Vouched, _aid: &Aid) -> Consent {
        match Self::CLASS {
            Class::Safe | Class::Keyed => Consent::Unasked,
            Class::External => Consent::Asked,
        }
    }

    /// The arguments of two calls as they should be.
    fn examples() -> [Value; 2];

    /// Runs a call; a [`ToolError`] is for the model to read and mend. Dropping
    /// the future abandons the call. A tool of [`Class::Keyed`] acts once for each
    /// key, however often it is run.
    fn run(
        &self,
        arguments: Self::Arguments,
        context: ToolContext,
    ) -> Fut<Result<Output, ToolError>>;
}

/// A tool whose arguments are JSON still: what a [`Toolbox`] holds.
pub trait ToolDyn {
    /// Its name, by which a model calls it.
    fn name(&self) -> &'static str;

    /// What a model is told of it, under its name.
    fn definition(&self) -> ToolDefinition;

    /// How a person is shown it; `None`: it has no switch.
    fn offer(&self) -> Option<ToolOffer> {
        None
    }

    /// What an interrupted call means.
    fn class(&self) -> Class;

    /// The most active time of a call.
    fn timeout_ms(&self) -> u64 {
        TIMEOUT_MS
    }

    /// Whether it can do nothing without a page.
    fn needs_page(&self) -> bool {
        false
    }

    /// The part of a model that it may ask.
    fn asks(&self) -> Option<Part> {
        None
    }

    /// Whether a call needs the person's word once text was read that nobody vouches for;
    /// one that cannot run needs none.
    fn consent(&self, _arguments: &Value, _vouched: &Vouched, _aid: &Aid) -> Consent {
        Consent::Unasked
    }

    /// Checks the arguments and runs the call.
    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>>;
}

/// Every tool there is; page tools have `study` look things up, others reach the world by
/// `host`.
pub fn all(host: &Host, study: &Study) -> Rc<[Rc<dyn ToolDyn>]> {
    let study = || study.clone();
    Rc::new([
        Rc::new(explain_text_with_context::ExplainTextWithContext { study: study() }),
        Rc::new(summarize_page_content::SummarizePageContent { study: study() }),
        Rc::new(find_in_page::FindInPage { study: study() }),
        Rc::new(recall_details::RecallDetails { study: study() }),
        Rc::new(web_fetch::WebFetch {
            fetcher: Fetcher::new(host, &study()),
            study: study(),
        }),
        Rc::new(get_current_time::GetCurrentTime {
            clock: host.clock.clone(),
            zones: host.zones.clone(),
            assets: host.assets.clone(),
        }),
        Rc::new(extract_screenshot_text::ExtractScreenshotText {
            tabs: host.tabs.clone(),
            sight: host.sight.clone(),
            clock: host.clock.clone(),
        }),
        Rc::new(image_generate::ImageGenerate),
        Rc::new(memory_save::MemorySave),
        Rc::new(memory_retrieve::MemoryRetrieve),
    ])
}

/// The tools a run has, and the page they work on.
#[derive(Clone)]
pub struct Toolbox {
    tools: Rc<[Rc<dyn ToolDyn>]>,
    page: Option<Rc<Document>>,
    room: Room,
    results: Rc<Results>,
    language: String,
    place: Place,
    mind: Option<Mind>,
}

impl Toolbox {
    /// These tools, on this page, for a model that can be given so much; they speak English.
    pub fn new(tools: Rc<[Rc<dyn ToolDyn>]>, page: Option<Rc<Document>>, room: Room) -> Self {
        Self {
            tools,
            page,
            room,
            results: Rc::default(),
            language: "en".to_owned(),
            place: Place::default(),
            mind: None,
        }
    }

    /// The same without those of these names: there are none, for whoever calls.
    #[must_use]
    pub fn without(self, off: &BTreeSet<String>) -> Self {
        let stays = |tool: &&Rc<dyn ToolDyn>| {
            !off.contains(tool.name()) || tool.name() == recall_details::NAME
        };
        let on = self.tools.iter().filter(stays);
        let tools = on.cloned().collect();
        Self { tools, ..self }
    }

    /// The same for a model with another room.
    #[must_use]
    pub fn in_room(&self, room: Room) -> Self {
        Self {
            room,
            ..self.clone()
        }
    }

    /// The same in another language, a BCP 47 tag.
    #[must_use]
    pub fn speaking(self, language: &str) -> Self {
        Self {
            language: language.to_owned(),
            ..self
        }
    }

    /// The same beside a tab.
    #[must_use]
    pub fn beside(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// The same, with what is known of the person.
    #[must_use]
    pub fn minding(self, mind: Mind) -> Self {
        Self {
            mind: Some(mind),
            ..self
        }
    }

    /// The same, with these results to be recalled.
    #[must_use]
    pub fn holding(&self, results: Rc<Results>) -> Self {
        Self {
            results,
            ..self.clone()
        }
    }

    /// What a model is told of the tools. One with a small window is told of less: what
    /// explains can be found, too, and the time is seldom asked for. What recalls is told of
    /// where there is something to recall.
    pub fn definitions(&self) -> Rc<[ToolDefinition]> {
        self.offered().map(|tool| tool.definition()).collect()
    }

    /// Whether a tool that is offered can find out about any request by itself: those of the
    /// page. To fetch, an address has to be known; the time is no answer to most.
    pub fn informs(&self) -> bool {
        self.offered().any(|tool| tool.needs_page())
    }

    fn offered(&self) -> impl Iterator<Item = &Rc<dyn ToolDyn>> {
        let spared = [
            explain_text_with_context::NAME,
            get_current_time::NAME,
            memory_save::NAME,
            memory_retrieve::NAME,
        ];
        let offered = move |tool: &&Rc<dyn ToolDyn>| {
            (self.page.is_some() || !tool.needs_page())
                && (!self.results.is_empty() || tool.name() != recall_details::NAME)
                && (!self.room.is_small() || !spared.contains(&tool.name()))
        };
        self.tools.iter().filter(offered)
    }

    /// The page that the tools work on.
    pub fn page(&self) -> Option<&Rc<Document>> {
        self.page.as_ref()
    }

    fn find(&self, name: &str) -> Option<&dyn ToolDyn> {
        self.tools
            .iter()
            .find(|tool| tool.name() == name)
            .map(AsRef::as_ref)
    }

    /// Runs a call; an unknown tool names those that are called most like it.
    async fn run(
        &self,
        call: &ToolCall,
        key: &Key,
        rights: Rights,
        aid: Aid,
    ) -> Result<Output, ToolError> {
        match self.find(&call.name) {
            Some(tool) => {
                let context = ToolContext {
                    page: self.page.clone(),
                    call: call.id.clone(),
                    key: key.clone(),
                    room: self.room,
                    results: self.results.clone(),
                    language: self.language.clone(),
                    place: self.place.clone(),
                    mind: self.mind.clone(),
                    rights,
                    aid,
                };
                tool.run(&call.arguments, context).await
            }
            None => Err(ToolError::Unknown {
                name: call.name.clone(),
                known: self.nearest(&call.name),
            }),
        }
    }

    /// The names that are most like one, the most alike first.
    fn nearest(&self, name: &str) -> Vec<String> {
        let mut names: Vec<&str> = self.tools.iter().map(|tool| tool.name()).collect();
        let likeness = |known: &str| strsim::jaro_winkler(known, name);
        names.sort_by(|one, other| likeness(other).total_cmp(&likeness(one)));
        names.truncate(NEAREST);
        names.into_iter().map(str::to_owned).collect()
    }

    /// The class of a call's effect; a call that cannot run changes nothing.
    pub fn class(&self, call: &ToolCall) -> Class {
        self.find(&call.name).map_or(Class::Safe, ToolDyn::class)
    }

    /// The part of a model that a call may ask.
    pub fn asks(&self, call: &ToolCall) -> Option<Part> {
        self.find(&call.name).and_then(ToolDyn::asks)
    }

    /// Whether a call needs the person's word once text was read that nobody vouches for.
    pub fn consent(&self, call: &ToolCall, vouched: &Vouched, aid: &Aid) -> Consent {
        let tool = self.find(&call.name);
        tool.map_or(Consent::Unasked, |tool| {
            tool.consent(&call.arguments, vouched, aid)
        })
    }

    /// The most active time of a call.
    fn timeout_ms(&self, call: &ToolCall) -> u64 {
        self.find(&call.name)
            .map_or(TIMEOUT_MS, ToolDyn::timeout_ms)
    }
}
