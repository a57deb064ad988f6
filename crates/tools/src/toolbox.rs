//! The tools that a run has, with all that a call of one has around it.
//!
//! Driving example: the loop hands a [`ToolCall`] to [`RunTool`](super::RunTool), which has the
//! toolbox find the tool, by its name or by another that models know it by, and run it; an
//! unknown one names those that are called most like it.

use super::extract_screenshot_text::ExtractScreenshotText;
use super::image_generate::ImageGenerate;
use super::web_fetch::WebFetch;
use super::{
    Aid, Aided, Brings, Consent, Made, Needs, Output, Part, Rights, RunContext, TIMEOUT_MS, Tool,
    ToolContext, ToolDyn, ToolError, ToolOutcome, explain_text_with_context, get_current_time,
    grade_search_results, memory_retrieve, memory_save, recall_details, rewrite_search_query,
    web_search,
};
use gloss_durable::sorted::{SortedSet, sort_by};
use gloss_durable::{Class, Ctx, Halt, Key};
use gloss_model::{Room, ToolCall, ToolDefinition};
use gloss_page::Document;
use std::rc::Rc;

/// How many names are given to who called a tool that there is not.
const NEAREST: usize = 3;

/// What a small window does without, the first the most: what explains can be found, too, and
/// the time is seldom asked for.
const SPARED: [&str; 6] = [
    explain_text_with_context::NAME,
    get_current_time::NAME,
    grade_search_results::NAME,
    rewrite_search_query::NAME,
    memory_save::NAME,
    memory_retrieve::NAME,
];

/// What goes after those where there is still no room to tell of it.
const SPARED_LAST: [&str; 4] = [
    ImageGenerate::NAME,
    ExtractScreenshotText::NAME,
    WebFetch::NAME,
    web_search::NAME,
];

/// What can be done without where there is no room to tell of it, in this order. Never what
/// reads the page or recalls.
pub fn spared() -> impl Iterator<Item = &'static str> {
    SPARED.into_iter().chain(SPARED_LAST)
}

/// The tools a run has, and what they work on.
#[derive(Clone)]
pub struct Toolbox {
    tools: Rc<[Rc<dyn ToolDyn>]>,
    /// What each call is given.
    pub run: RunContext,
    /// The models that tools may ask.
    pub aid: Aid,
}

impl Toolbox {
    /// These tools, on this page, for a model that can be given so much; they speak English.
    pub fn new(tools: Rc<[Rc<dyn ToolDyn>]>, page: Option<Rc<Document>>, room: Room) -> Self {
        Self {
            tools,
            run: RunContext::new(page, room),
            aid: Aid::default(),
        }
    }

    /// The same without those of these names: there are none, for whoever calls.
    #[must_use]
    pub fn without(self, off: &SortedSet<String>) -> Self {
        let stays = |tool: &&Rc<dyn ToolDyn>| {
            !off.contains(tool.name()) || tool.name() == recall_details::NAME
        };
        let on = self.tools.iter().filter(stays);
        let tools = on.cloned().collect();
        Self { tools, ..self }
    }

    /// What a model is told of the tools: of those that can do something here ([`Needs`]). One
    /// with a small window is told of less: what explains can be found, too, and the time is
    /// seldom asked for.
    pub fn definitions(&self) -> Rc<[ToolDefinition]> {
        self.offered().map(|tool| tool.definition()).collect()
    }

    /// Whether one of these tools, which a model is told of, can find out about any request by
    /// itself: those of the page, and what searches. To fetch, an address has to be known; the
    /// time is no answer to most.
    pub fn informs(&self, told: &[ToolDefinition]) -> bool {
        let searches = |tool: &Rc<dyn ToolDyn>| tool.name() == web_search::NAME;
        let is_told = |tool: &Rc<dyn ToolDyn>| told.iter().any(|it| it.name == tool.name());
        self.offered()
            .any(|tool| is_told(tool) && (tool.needs() == Some(Needs::Page) || searches(tool)))
    }

    fn offered(&self) -> impl Iterator<Item = &Rc<dyn ToolDyn>> {
        let offered = move |tool: &&Rc<dyn ToolDyn>| {
            tool.needs().is_none_or(|needs| self.has(needs))
                && (!self.run.room.is_small() || !SPARED.contains(&tool.name()))
        };
        self.tools.iter().filter(offered)
    }

    /// Whether a tool that needs this can do anything here.
    fn has(&self, needs: Needs) -> bool {
        match needs {
            Needs::Page => self.run.page.is_some(),
            Needs::Tab => self.run.place.tab.is_some(),
            Needs::Search => self.run.search.is_some(),
            Needs::Results => !self.run.results.is_empty(),
            Needs::Memory => self.run.mind.is_some(),
            // That the budgets can't pay it by now is no reason: they may be extended.
            Needs::Painter => self.aid.playing(Part::Image).is_some(),
        }
    }

    /// The page that the tools work on.
    pub fn page(&self) -> Option<&Rc<Document>> {
        self.run.page.as_ref()
    }

    pub(super) fn find(&self, name: &str) -> Option<&dyn ToolDyn> {
        let name = match name {
            web_search::ALIAS => web_search::NAME,
            name => name,
        };
        self.tools
            .iter()
            .find(|tool| tool.name() == name)
            .map(AsRef::as_ref)
    }

    /// Runs a call; an unknown tool names those that are called most like it.
    pub(super) async fn run(
        &self,
        call: &ToolCall,
        key: &Key,
        rights: Rights,
        aid: Aid,
    ) -> Result<Output, ToolError> {
        match self.find(&call.name) {
            Some(tool) => {
                if let Some(group) = tool.group() {
                    self.run.switches.allow(group)?;
                }
                let context = self.context(call, key, rights, aid);
                tool.run(&call.arguments, context).await
            }
            None => Err(ToolError::Unknown {
                name: call.name.clone(),
                known: self.nearest(&call.name),
            }),
        }
    }

    /// The same of one that is made in steps.
    pub(super) async fn run_in_steps(
        &self,
        call: &ToolCall,
        context: ToolContext,
        ctx: Ctx,
    ) -> Result<ToolOutcome, Halt> {
        match self.find(&call.name) {
            Some(tool) => tool.run_in_steps(&call.arguments, context, ctx).await,
            None => Ok(ToolOutcome::not_made(ToolError::Unknown {
                name: call.name.clone(),
                known: self.nearest(&call.name),
            })),
        }
    }

    pub(super) fn context(
        &self,
        call: &ToolCall,
        key: &Key,
        rights: Rights,
        aid: Aid,
    ) -> ToolContext {
        ToolContext {
            run: self.run.clone(),
            call: call.id.clone(),
            key: key.clone(),
            so_far: None,
            rights,
            aid,
        }
    }

    /// How a call is made; one that cannot run is not made.
    pub fn made(&self, call: &ToolCall) -> Made {
        self.find(&call.name).map_or(Made::AtOnce, ToolDyn::made)
    }

    /// Whether a call reads what it finds.
    pub fn finds(&self, call: &ToolCall) -> bool {
        self.find(&call.name).is_some_and(ToolDyn::finds)
    }

    /// The names that are most like one, the most alike first.
    fn nearest(&self, name: &str) -> Vec<String> {
        let mut names: Vec<&str> = self.offered().map(|tool| tool.name()).collect();
        let likeness = |known: &str| strsim::jaro_winkler(known, name);
        sort_by(&mut names, |one, other| {
            likeness(other).total_cmp(&likeness(one))
        });
        names.truncate(NEAREST);
        names.into_iter().map(str::to_owned).collect()
    }

    /// The class of a call's effect; a call that cannot run changes nothing.
    pub fn class(&self, call: &ToolCall) -> Class {
        self.find(&call.name).map_or(Class::Safe, ToolDyn::class)
    }

    /// Whose words a call brings; one that cannot run fails with ours.
    pub fn brings(&self, call: &ToolCall) -> Brings {
        self.find(&call.name).map_or(Brings::Own, ToolDyn::brings)
    }

    /// The part of a model that a call may ask.
    pub fn asks(&self, call: &ToolCall) -> Option<Part> {
        self.find(&call.name).and_then(ToolDyn::asks)
    }

    /// What a call sends a model as it begins, by estimate.
    pub(super) fn sends(&self, call: &ToolCall, aid: &Aid) -> Option<Aided> {
        self.find(&call.name).and_then(|tool| tool.sends(aid))
    }

    /// Whether a call needs the person's word.
    pub fn consent(&self, call: &ToolCall, aid: &Aid) -> Consent {
        match (self.find(&call.name), &self.run.vouched) {
            (Some(tool), Some(vouched)) => tool.consent(&call.arguments, vouched, aid),
            (None, _) | (_, None) => Consent::Unasked,
        }
    }

    /// The most active time of a call.
    pub(super) fn timeout_ms(&self, call: &ToolCall) -> u64 {
        self.find(&call.name)
            .map_or(TIMEOUT_MS, ToolDyn::timeout_ms)
    }
}
