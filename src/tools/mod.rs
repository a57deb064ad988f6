//! The agent's hands: what it can do, each tool in a file of its own.
//!
//! Driving example: the loop hands a [`ToolCall`] to the [`Toolbox`], which
//! checks its arguments and runs it; a tool that fails is an outcome that the
//! model reads, never an error of the loop. Page tools return passages with ids
//! and never call a model (DESIGN).

pub(crate) mod explain_text_with_context;
pub(crate) mod find_in_page;
mod outcome;
mod run_tool;
mod schema;
pub(crate) mod summarize_page_content;

#[cfg(test)]
mod tests;

pub use outcome::{Output, ToolError, ToolOutcome};
pub use run_tool::{RunTool, ToolLabel};

use crate::durable::{Class, Key};
use crate::host::Fut;
use crate::model::{Room, ToolCall, ToolDefinition};
use crate::page::Document;
use crate::study::Study;
use schema::Argument;
use serde_json::Value;
use std::future::ready;
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

    /// What it gives, when to use it and when not.
    const DESCRIPTION: &'static str;

    /// What an interrupted call means.
    const CLASS: Class = Class::Safe;

    /// The most active time of a call.
    const TIMEOUT_MS: u64 = TIMEOUT_MS;

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

    /// What an interrupted call means.
    fn class(&self) -> Class;

    /// The most active time of a call.
    fn timeout_ms(&self) -> u64 {
        TIMEOUT_MS
    }

    /// Checks the arguments and runs the call.
    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>>;
}

/// What a call has around it.
#[derive(Clone)]
pub struct ToolContext {
    /// The page that the run reads.
    pub page: Option<Rc<Document>>,
    /// The call's id.
    pub call: String,
    /// The act that it is.
    pub key: Key,
    /// How much the model that reads its result can be given.
    pub room: Room,
}

impl<T: Tool> ToolDyn for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: T::NAME.to_owned(),
            description: T::DESCRIPTION.to_owned(),
            parameters: T::Arguments::schema(),
            examples: T::examples().into(),
        }
    }

    fn class(&self) -> Class {
        T::CLASS
    }

    fn timeout_ms(&self) -> u64 {
        T::TIMEOUT_MS
    }

    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        match T::Arguments::read(arguments) {
            Ok(arguments) => Tool::run(self, arguments, context),
            Err(wrong) => Box::pin(ready(Err(wrong.into()))),
        }
    }
}

/// Every tool there is; page tools have `study` look things up.
pub fn all(study: &Study) -> Rc<[Rc<dyn ToolDyn>]> {
    let study = || study.clone();
    Rc::new([
        Rc::new(explain_text_with_context::ExplainTextWithContext { study: study() }),
        Rc::new(summarize_page_content::SummarizePageContent { study: study() }),
        Rc::new(find_in_page::FindInPage { study: study() }),
    ])
}

/// The tools a run has, and the page they work on.
pub struct Toolbox {
    tools: Rc<[Rc<dyn ToolDyn>]>,
    page: Option<Rc<Document>>,
    room: Room,
}

impl Toolbox {
    /// These tools, on this page, for a model that can be given so much.
    pub fn new(tools: Rc<[Rc<dyn ToolDyn>]>, page: Option<Rc<Document>>, room: Room) -> Self {
        Self { tools, page, room }
    }

    /// The same for a model with another room.
    #[must_use]
    pub fn in_room(&self, room: Room) -> Self {
        Self::new(self.tools.clone(), self.page.clone(), room)
    }

    /// What a model is told of the tools. One with a small window is told of less: what
    /// explains can be found, too.
    pub fn definitions(&self) -> Rc<[ToolDefinition]> {
        let offered = |tool: &&Rc<dyn ToolDyn>| {
            !self.room.is_small() || tool.name() != explain_text_with_context::NAME
        };
        let offered = self.tools.iter().filter(offered);
        offered.map(|tool| tool.definition()).collect()
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
    async fn run(&self, call: &ToolCall, key: &Key) -> Result<Output, ToolError> {
        match self.find(&call.name) {
            Some(tool) => {
                let context = ToolContext {
                    page: self.page.clone(),
                    call: call.id.clone(),
                    key: key.clone(),
                    room: self.room,
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

    /// The most active time of a call.
    fn timeout_ms(&self, call: &ToolCall) -> u64 {
        self.find(&call.name)
            .map_or(TIMEOUT_MS, ToolDyn::timeout_ms)
    }
}
