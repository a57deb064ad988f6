#![doc = include_str!("../README.md")]

mod call_end;
mod choices;
mod consent;
mod context;
mod error_kind;
pub mod explain_text_with_context;
pub(crate) mod extract_screenshot_text;
pub(crate) mod find_in_page;
pub(crate) mod get_current_time;
mod grade_search_results;
pub mod image_generate;
pub mod memory_retrieve;
mod memory_save;
mod need;
mod needs;
mod offer;
mod outcome;
mod output;
mod query;
pub mod recall_details;
mod rewrite_search_query;
mod run_tool;
mod schema;
pub mod summarize_page_content;
mod switches;
mod toolbox;
mod web_fetch;
mod web_search;

#[cfg(test)]
mod recall_tests;
#[cfg(test)]
mod sent_tests;
#[cfg(test)]
mod tests;

pub use call_end::CallEnd;
pub use consent::{Consent, Vouched};
pub use context::{Mind, Place, Rights, RunContext, ToolContext};
pub use error_kind::ErrorKind;
pub use gloss_model::aid::{Aid, Aided, Part};
pub use gloss_web::{Found, SourceData, Standing, sources};
pub use memory_save::Minded;
pub use need::{Need, Unsaid};
pub use needs::Needs;
pub use offer::{Group, ToolOffer, barred, offers};
pub use outcome::{ToolError, ToolOutcome};
pub use output::{Output, Picture};
pub use run_tool::{RunTool, ToolLabel};
pub use switches::Switches;
pub use toolbox::{Toolbox, spared};

use futures::FutureExt;
use gloss_durable::{Class, Ctx, Fut, Halt, Recorded};
use gloss_host::Host;
use gloss_model::ToolDefinition;
use gloss_reader::Study;
use gloss_web::Fetcher;
use gloss_web::rag::Judge;
use schema::Argument;
use serde_json::Value;
use std::future::ready;
use std::rc::Rc;

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

    /// What it can do nothing without.
    const NEEDS: Option<Needs> = None;

    /// The part of a model that it may ask.
    const ASKS: Option<Part> = None;

    /// What a call that is made at once sends a model, by estimate; `None` if it asks nobody.
    fn sends(_aid: &Aid) -> Option<Aided> {
        None
    }

    /// Whose words a call brings.
    const BRINGS: Brings = Brings::OfOthers;

    /// How a call is made: which of the two ways to run it there is.
    const MADE: Made = Made::AtOnce;

    /// Whether it reads what it finds: the person does not know beforehand what that is.
    const FINDS: bool = false;

    /// Whether a call needs the person's word once text was read that nobody vouches for.
    fn consent(_arguments: &Self::Arguments, _vouched: &Vouched, _aid: &Aid) -> Consent {
        match Self::CLASS {
            Class::Safe | Class::Keyed => Consent::Unasked,
            Class::External => Consent::Asked,
        }
    }

    /// The arguments of two calls as they should be, as JSON.
    const EXAMPLES: [&'static str; 2];

    /// Runs a call; a [`ToolError`] is for the model to read and mend. Dropping
    /// the future abandons the call. A tool of [`Class::Keyed`] acts once for each
    /// key, however often it is run. For those that are made at once.
    fn run(&self, _: Self::Arguments, _: ToolContext) -> Fut<Result<Output, ToolError>> {
        Box::pin(ready(Err(ToolError::not_at_once(Self::NAME))))
    }

    /// Runs a call in steps of its own, at and below this place in the run. Bounded by its
    /// steps: nobody drops it in the middle. For those that are made in steps.
    fn run_in_steps(
        &self,
        _: Self::Arguments,
        _: ToolContext,
        _: Ctx,
    ) -> Fut<Result<ToolOutcome, Halt>> {
        not_in_steps(Self::NAME)
    }
}

fn not_in_steps(name: &str) -> Fut<Result<ToolOutcome, Halt>> {
    let error = ToolError::not_at_once(name);
    Box::pin(ready(Ok(ToolOutcome::not_made(error))))
}

/// Whose words stand in what a call gives, or fails with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Brings {
    /// Those of pages, servers or earlier runs, which nobody vouches for (DETAILS §12).
    OfOthers,
    /// This device's own, and those it was called with.
    Own,
}

/// How a call is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Made {
    /// As one effect.
    AtOnce,
    /// As several, each journalled at its own path below the call's.
    InSteps,
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

    /// What it can do nothing without.
    fn needs(&self) -> Option<Needs> {
        None
    }

    /// The switch that turns it off with others.
    fn group(&self) -> Option<Group> {
        None
    }

    /// Whose words a call brings.
    fn brings(&self) -> Brings {
        Brings::OfOthers
    }

    /// The part of a model that it may ask.
    fn asks(&self) -> Option<Part> {
        None
    }

    /// What a call that is made at once sends a model, by estimate; `None` if it asks nobody.
    fn sends(&self, _aid: &Aid) -> Option<Aided> {
        None
    }

    /// Whether a call needs the person's word once text was read that nobody vouches for;
    /// one that cannot run needs none.
    fn consent(&self, _arguments: &Value, _vouched: &Vouched, _aid: &Aid) -> Consent {
        Consent::Unasked
    }

    /// How a call is made.
    fn made(&self) -> Made {
        Made::AtOnce
    }

    /// Whether it reads what it finds: the person does not know beforehand what that is.
    fn finds(&self) -> bool {
        false
    }

    /// Checks the arguments and runs the call.
    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>>;

    /// The same in steps of its own, where it is made so.
    fn run_in_steps(
        &self,
        arguments: &Value,
        context: ToolContext,
        _: Ctx,
    ) -> Fut<Result<ToolOutcome, Halt>> {
        let result = self.run(arguments, context);
        async move {
            Ok(ToolOutcome {
                result: result.await,
                duration_ms: 0,
                aided: Vec::new(),
                so_far: None,
            })
        }
        .boxed_local()
    }
}

impl<T: Tool> ToolDyn for T {
    fn name(&self) -> &'static str {
        T::NAME
    }

    fn definition(&self) -> ToolDefinition {
        let schema = T::Arguments::schema();
        definition(T::NAME, T::DESCRIPTION, schema, &T::EXAMPLES)
    }

    fn offer(&self) -> Option<ToolOffer> {
        T::HAS_SWITCH.then(ToolOffer::of::<T>)
    }

    fn class(&self) -> Class {
        T::CLASS
    }

    fn timeout_ms(&self) -> u64 {
        T::TIMEOUT_MS
    }

    fn needs(&self) -> Option<Needs> {
        T::NEEDS
    }

    fn group(&self) -> Option<Group> {
        T::GROUP
    }

    fn brings(&self) -> Brings {
        T::BRINGS
    }

    fn asks(&self) -> Option<Part> {
        T::ASKS
    }

    fn sends(&self, aid: &Aid) -> Option<Aided> {
        T::sends(aid)
    }

    fn consent(&self, arguments: &Value, vouched: &Vouched, aid: &Aid) -> Consent {
        match T::Arguments::read(arguments) {
            Ok(arguments) => T::consent(&arguments, vouched, aid),
            Err(_) => Consent::Unasked,
        }
    }

    fn made(&self) -> Made {
        T::MADE
    }

    fn finds(&self) -> bool {
        T::FINDS
    }

    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        match T::Arguments::read(arguments) {
            Ok(arguments) => Tool::run(self, arguments, context),
            Err(wrong) => Box::pin(ready(Err(wrong.into()))),
        }
    }

    fn run_in_steps(
        &self,
        arguments: &Value,
        context: ToolContext,
        ctx: Ctx,
    ) -> Fut<Result<ToolOutcome, Halt>> {
        if T::MADE == Made::AtOnce {
            return not_in_steps(T::NAME);
        }
        match T::Arguments::read(arguments) {
            Ok(arguments) => Tool::run_in_steps(self, arguments, context, ctx),
            Err(wrong) => Box::pin(ready(Ok(ToolOutcome::not_made(wrong.into())))),
        }
    }
}

fn definition(name: &str, means: &str, parameters: Value, examples: &[&str]) -> ToolDefinition {
    let read = |example: &&str| serde_json::from_str(example).unwrap_or_default();
    ToolDefinition {
        name: name.to_owned(),
        description: means.to_owned(),
        parameters,
        examples: examples.iter().map(read).collect(),
    }
}

/// Every tool there is; page tools have `study` look things up, others reach the world by
/// `host`.
pub fn all(host: &Host, study: &Study) -> Rc<[Rc<dyn ToolDyn>]> {
    let fetcher = Fetcher::new(host, study);
    let judge = || Judge {
        study: study.clone(),
        clock: host.clock.clone(),
        languages: host.languages.clone(),
    };
    let study = || study.clone();
    Rc::new([
        Rc::new(explain_text_with_context::ExplainTextWithContext { study: study() }),
        Rc::new(summarize_page_content::SummarizePageContent { study: study() }),
        Rc::new(find_in_page::FindInPage { study: study() }),
        Rc::new(recall_details::RecallDetails {
            study: study(),
            recorded: Recorded::of(&host.ports()),
        }),
        Rc::new(web_search::WebSearch {
            fetcher: fetcher.clone(),
            judge: judge(),
        }),
        Rc::new(web_fetch::WebFetch {
            fetcher,
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
        Rc::new(grade_search_results::GradeSearchResults { judge: judge() }),
        Rc::new(rewrite_search_query::RewriteSearchQuery { judge: judge() }),
        Rc::new(memory_save::MemorySave),
        Rc::new(memory_retrieve::MemoryRetrieve { study: study() }),
    ])
}
