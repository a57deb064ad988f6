//! The agent's hands: what it can do, each tool in a file of its own.
//!
//! Driving example: the loop hands a [`ToolCall`] to the [`Toolbox`], which
//! checks its arguments and runs it; a tool that fails is an outcome that the
//! model reads, never an error of the loop. Page tools return passages with ids
//! and never call a model (DESIGN).

mod arguments;
mod explain_text_with_context;
mod find_in_page;
mod outcome;
mod run_tool;
mod summarize_page_content;

pub use outcome::{Output, ToolError, ToolOutcome};
pub use run_tool::{RunTool, ToolLabel};

use crate::durable::Class;
use crate::model::{ToolCall, ToolDefinition};
use crate::page::Document;
use std::rc::Rc;

/// A tool's active work is bounded by this unless it says otherwise (DETAILS §2).
pub(crate) const TIMEOUT_MS: u64 = 30_000;

/// Something the agent can do.
pub trait Tool {
    /// What a model is told of it.
    fn definition(&self) -> ToolDefinition;

    /// What an interrupted call means.
    fn class(&self) -> Class;

    /// Runs a call.
    ///
    /// # Errors
    /// [`ToolError`], for the model to read and mend.
    fn run(&self, call: &ToolCall, page: Option<&Document>) -> Result<Output, ToolError>;
}

/// The tools a run has, and the page they work on.
pub struct Toolbox {
    tools: Vec<Box<dyn Tool>>,
    page: Option<Rc<Document>>,
}

impl Toolbox {
    /// Every tool there is, on this page.
    pub fn new(page: Option<Rc<Document>>) -> Self {
        Self {
            tools: vec![
                Box::new(explain_text_with_context::ExplainTextWithContext),
                Box::new(summarize_page_content::SummarizePageContent),
                Box::new(find_in_page::FindInPage),
            ],
            page,
        }
    }

    /// What a model is told of the tools.
    pub fn definitions(&self) -> Rc<[ToolDefinition]> {
        self.tools.iter().map(|tool| tool.definition()).collect()
    }

    /// The page that the tools work on.
    pub fn page(&self) -> Option<&Rc<Document>> {
        self.page.as_ref()
    }

    fn find(&self, name: &str) -> Option<&dyn Tool> {
        self.tools
            .iter()
            .find(|tool| tool.definition().name == name)
            .map(AsRef::as_ref)
    }

    /// Runs a call; an unknown tool names those there are.
    fn run(&self, call: &ToolCall) -> Result<Output, ToolError> {
        let Some(tool) = self.find(&call.name) else {
            return Err(ToolError::Unknown {
                name: call.name.clone(),
                known: self.definitions().iter().map(|t| t.name.clone()).collect(),
            });
        };
        tool.run(call, self.page.as_deref())
    }

    /// The class of a call's effect; a call that cannot run changes nothing.
    pub fn class(&self, call: &ToolCall) -> Class {
        self.find(&call.name).map_or(Class::Safe, Tool::class)
    }
}
