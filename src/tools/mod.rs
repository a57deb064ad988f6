//! The agent's hands: what it can do, each tool in a file of its own.
//!
//! Driving example: the loop hands a [`ToolCall`] to the [`Toolbox`], which
//! checks its arguments and runs it; a tool that fails is an outcome that the
//! model reads, never an error of the loop. Page tools return passages with ids
//! and never call a model (DESIGN).

mod arguments;
pub(crate) mod explain_text_with_context;
pub(crate) mod find_in_page;
mod outcome;
mod run_tool;
pub(crate) mod summarize_page_content;

#[cfg(test)]
mod tests;

pub use outcome::{Output, ToolError, ToolOutcome};
pub use run_tool::{RunTool, ToolLabel};

use crate::durable::{Class, Key};
use crate::host::Fut;
use crate::model::{Room, ToolCall, ToolDefinition};
use crate::page::Document;
use crate::retrieval::Retrieval;
use std::rc::Rc;

/// A tool's active work is bounded by this unless it says otherwise (DETAILS §2).
pub const TIMEOUT_MS: u64 = 30_000;

/// Something the agent can do.
pub trait Tool {
    /// Its name, by which a model calls it.
    fn name(&self) -> &'static str;

    /// What a model is told of it, under its name.
    fn definition(&self) -> ToolDefinition;

    /// What an interrupted call means.
    fn class(&self) -> Class;

    /// Runs a call; a [`ToolError`] is for the model to read and mend. Dropping
    /// the future abandons the call. A tool of [`Class::Keyed`] acts once for each
    /// `key`, however often it is run.
    fn run(
        &self,
        call: ToolCall,
        page: Option<Rc<Document>>,
        key: &Key,
    ) -> Fut<Result<Output, ToolError>>;

    /// The same for a model that can be given so much: what gives little anyway gives all.
    fn run_within(
        &self,
        call: ToolCall,
        page: Option<Rc<Document>>,
        key: &Key,
        _room: Room,
    ) -> Fut<Result<Output, ToolError>> {
        self.run(call, page, key)
    }
}

/// Every tool there is; page tools look things up by `retrieval`.
pub fn all(retrieval: Rc<Retrieval>) -> Rc<[Rc<dyn Tool>]> {
    Rc::new([
        Rc::new(explain_text_with_context::ExplainTextWithContext),
        Rc::new(summarize_page_content::SummarizePageContent),
        Rc::new(find_in_page::FindInPage { retrieval }),
    ])
}

/// The tools a run has, and the page they work on.
pub struct Toolbox {
    tools: Rc<[Rc<dyn Tool>]>,
    page: Option<Rc<Document>>,
    room: Room,
}

impl Toolbox {
    /// These tools, on this page, for a model that can be given so much.
    pub fn new(tools: Rc<[Rc<dyn Tool>]>, page: Option<Rc<Document>>, room: Room) -> Self {
        Self { tools, page, room }
    }

    /// What a model is told of the tools. One with a small window is told of less: what
    /// explains can be found, too.
    pub fn definitions(&self) -> Rc<[ToolDefinition]> {
        let offered = |tool: &&Rc<dyn Tool>| {
            !self.room.is_small() || tool.name() != explain_text_with_context::NAME
        };
        let offered = self.tools.iter().filter(offered);
        offered.map(|tool| tool.definition()).collect()
    }

    /// The page that the tools work on.
    pub fn page(&self) -> Option<&Rc<Document>> {
        self.page.as_ref()
    }

    fn find(&self, name: &str) -> Option<&dyn Tool> {
        self.tools
            .iter()
            .find(|tool| tool.name() == name)
            .map(AsRef::as_ref)
    }

    /// Runs a call; an unknown tool names those there are.
    async fn run(&self, call: ToolCall, key: &Key) -> Result<Output, ToolError> {
        match self.find(&call.name) {
            Some(tool) => {
                let page = self.page.clone();
                tool.run_within(call, page, key, self.room).await
            }
            None => Err(ToolError::Unknown {
                name: call.name,
                known: self.tools.iter().map(|t| t.name().to_owned()).collect(),
            }),
        }
    }

    /// The class of a call's effect; a call that cannot run changes nothing.
    pub fn class(&self, call: &ToolCall) -> Class {
        self.find(&call.name).map_or(Class::Safe, Tool::class)
    }
}
