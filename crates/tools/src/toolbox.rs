//! The tools of a run, with the context of their calls.
//!
//! Example: the agent's loop passes a [`ToolCall`] to [`RunTool`](super::RunTool). The
//! toolbox finds the tool by its name or alias, and runs it. If there is no tool with that name, the
//! error lists the most similar names.

use super::extract_screenshot_text::ExtractScreenshotText;
use super::image_generate::ImageGenerate;
use super::web_fetch::WebFetch;
use super::{
    Approval, Consent, ConsentState, Decision, ModelRole, Output, Requirement, RoleCall,
    RoleModels, RunContext, Tool, ToolContext, ToolDyn, ToolError, ToolOutcome, ToolProperties,
    explain_text_with_context, get_current_time, grade_search_results, memory_retrieve,
    memory_save, recall_details, rewrite_search_query, web_search,
};
use gloss_durable::sorted::{SortedSet, sort_by};
use gloss_durable::{Ctx, Halt, Key};
use gloss_model::{ContextWindow, ToolCall, ToolDefinition};
use gloss_page::Document;
use std::rc::Rc;

/// The number of similar names in the error for an unknown tool.
const NEAREST: usize = 3;

/// Tools that are not offered to a model with a small context window, the least important first.
/// `find_in_page` can replace `explain_text_with_context`, and the time is seldom needed.
const OMITTED_FIRST: [&str; 6] = [
    explain_text_with_context::NAME,
    get_current_time::NAME,
    grade_search_results::NAME,
    rewrite_search_query::NAME,
    memory_save::NAME,
    memory_retrieve::NAME,
];

/// Tools that are left out after [`OMITTED_FIRST`], if the definitions still don't fit the prompt.
const OMITTED_LAST: [&str; 4] = [
    ImageGenerate::NAME,
    ExtractScreenshotText::NAME,
    WebFetch::NAME,
    web_search::NAME,
];

/// Returns the names of the tools that may be left out to save tokens, in this order.
/// `summarize_page_content`, `find_in_page` and `recall_details` are never left out.
pub fn omission_order() -> impl Iterator<Item = &'static str> {
    OMITTED_FIRST.into_iter().chain(OMITTED_LAST)
}

/// The tools of a run, and the context in which they run.
#[derive(Clone)]
pub struct Toolbox {
    tools: Rc<[Rc<dyn ToolDyn>]>,
    /// The context that all calls share.
    pub run: RunContext,
    /// The models that tools may call.
    pub aid: RoleModels,
}

impl Toolbox {
    /// Makes a toolbox for a run in English, with these tools, this page and this context window.
    pub fn new(
        tools: Rc<[Rc<dyn ToolDyn>]>,
        page: Option<Rc<Document>>,
        room: ContextWindow,
    ) -> Self {
        Self {
            tools,
            run: RunContext::new(page, room),
            aid: RoleModels::default(),
        }
    }

    /// Removes the tools with these names. A call of a removed tool returns the error for an unknown
    /// tool. `recall_details` is never removed.
    #[must_use]
    pub fn without(self, off: &SortedSet<String>) -> Self {
        let stays = |tool: &&Rc<dyn ToolDyn>| {
            let name = tool.properties().name;
            !off.contains(name) || name == recall_details::NAME
        };
        let on = self.tools.iter().filter(stays);
        let tools = on.cloned().collect();
        Self { tools, ..self }
    }

    /// Returns the definitions of the tools that are offered to the model. A tool is offered if the
    /// run meets the tool's [`Requirement`]. If the context window is small, the least important
    /// tools are left out.
    pub fn definitions(&self) -> Rc<[ToolDefinition]> {
        self.offered().map(|tool| tool.definition()).collect()
    }

    /// Returns true if one of the tools in `told` can gather information for any request: a page
    /// tool or the web search. `web_fetch` does not count, because it needs a known address.
    /// `get_current_time` does not count, because it answers few questions.
    pub fn can_gather_information(&self, told: &[ToolDefinition]) -> bool {
        self.offered().any(|tool| {
            let ToolProperties { name, needs, .. } = tool.properties();
            told.iter().any(|it| it.name == name)
                && (needs == Some(Requirement::Page) || name == web_search::NAME)
        })
    }

    fn offered(&self) -> impl Iterator<Item = &Rc<dyn ToolDyn>> {
        let offered = move |tool: &&Rc<dyn ToolDyn>| {
            let ToolProperties { name, needs, .. } = tool.properties();
            needs.is_none_or(|needs| self.has(needs))
                && (!self.run.room.is_small() || !OMITTED_FIRST.contains(&name))
        };
        self.tools.iter().filter(offered)
    }

    fn has(&self, needs: Requirement) -> bool {
        match needs {
            Requirement::Page => self.run.page.is_some(),
            Requirement::Tab => self.run.place.tab.is_some(),
            Requirement::Search => self.run.search.is_some(),
            Requirement::Results => !self.run.results.is_empty(),
            Requirement::Memory => self.run.mind.is_some(),
            // The budget is not checked here, because the user may still raise a budget that is too
            // small for an image.
            Requirement::Painter => self.aid.model_for(ModelRole::Image).is_some(),
        }
    }

    /// Returns the page that the tools read; `None` in a run without a page.
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
            .find(|tool| tool.properties().name == name)
            .map(AsRef::as_ref)
    }

    /// Runs a call. The error for an unknown tool lists the most similar names.
    pub(super) async fn run(
        &self,
        call: &ToolCall,
        key: &Key,
        consent: (ConsentState, Approval),
        aid: RoleModels,
    ) -> Result<Output, ToolError> {
        match self.find(&call.name) {
            Some(tool) => {
                if let Some(group) = tool.properties().group {
                    self.run.switches.allow(group)?;
                }
                let context = self.context(call, key, consent, aid);
                tool.run(&call.arguments, context).await
            }
            None => Err(ToolError::Unknown {
                name: call.name.clone(),
                known: self.nearest(&call.name),
            }),
        }
    }

    /// Runs a call of a tool that is [`Execution::InSteps`].
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
        (rights, approval): (ConsentState, Approval),
        aid: RoleModels,
    ) -> ToolContext {
        ToolContext {
            run: self.run.clone(),
            call: call.id.clone(),
            key: key.clone(),
            so_far: None,
            rights,
            approval,
            aid,
        }
    }

    /// Returns the properties of the called tool. If there is no such tool, returns properties that
    /// treat the call as safe.
    pub fn properties(&self, call: &ToolCall) -> ToolProperties {
        self.find(&call.name)
            .map_or(ToolProperties::UNKNOWN, ToolDyn::properties)
    }

    /// Returns the names of the tools that are most similar to `name`, the most similar first.
    fn nearest(&self, name: &str) -> Vec<String> {
        let mut names: Vec<&str> = self.offered().map(|tool| tool.properties().name).collect();
        let likeness = |known: &str| strsim::jaro_winkler(known, name);
        sort_by(&mut names, |one, other| {
            likeness(other).total_cmp(&likeness(one))
        });
        names.truncate(NEAREST);
        names.into_iter().map(str::to_owned).collect()
    }

    /// Estimates the usage of the model call that a tool call begins with.
    pub(super) fn estimated_usage(&self, call: &ToolCall, aid: &RoleModels) -> Option<RoleCall> {
        self.find(&call.name)?.estimated_usage(aid)
    }

    /// Decides if a call needs the user's consent.
    pub fn consent(&self, call: &ToolCall, aid: &RoleModels) -> Consent {
        let Some(tool) = self.find(&call.name) else {
            return Consent::Unasked;
        };
        match self.run.policy.decide(tool.destination()) {
            Decision::Goes => Consent::Unasked,
            Decision::Asks => tool.consent(call, &self.run, aid),
            Decision::Refused => Consent::Refused,
        }
    }

    /// Returns the call that sends exactly the text that the user approved.
    #[must_use]
    pub fn approved(&self, call: &ToolCall, sent: &str) -> ToolCall {
        let tool = self.find(&call.name);
        let arguments = tool.map(|tool| tool.approved(&call.arguments, sent));
        ToolCall {
            arguments: arguments.unwrap_or_else(|| call.arguments.clone()),
            ..call.clone()
        }
    }

    /// Returns true if a call may fetch pages.
    pub fn may_fetch(&self, call: &ToolCall) -> bool {
        let tool = self.find(&call.name).map(ToolDyn::properties);
        tool.is_some_and(|it| it.name == WebFetch::NAME || it.name == web_search::NAME)
    }
}
