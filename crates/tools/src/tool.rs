//! [`Tool`], which each tool implements in its own file, and [`ToolDyn`], the form in which a
//! toolbox stores tools.

use crate::schema::Argument;
use crate::{
    Consent, Destination, Execution, Group, ModelRole, Output, Requirement, RoleCall, RoleModels,
    RunContext, ToolContext, ToolError, ToolOutcome, ToolProperties, ToolSetting,
};
use gloss_durable::{Class, Ctx, Fut, Halt};
use gloss_model::{ToolCall, ToolDefinition};
use serde_json::Value;
use std::future::ready;

/// The default limit on the active time of a tool call, in ms (DETAILS §2).
pub const TIMEOUT_MS: u64 = 30_000;

/// A tool that models can call. Each tool is defined in one file.
pub(crate) trait Tool {
    /// The type into which a call's arguments are parsed.
    type Arguments: Argument;

    /// The name by which models call the tool.
    const NAME: &'static str;

    /// The key of the tool's title for the user, marked by the prefix `msg:`.
    const TITLE: &'static str;
    /// The key of a one-line description of the tool's effect for the user, marked by the prefix
    /// `msg:`.
    const SUMMARY: &'static str;

    /// True if the user can turn the tool off.
    const HAS_SWITCH: bool = true;

    /// The group to which the tool belongs. One switch turns all tools of a group off.
    const GROUP: Option<Group> = None;

    /// The description for models: the result of the tool, and when to use it and when not.
    const DESCRIPTION: &'static str;

    /// The effect class, which decides if an interrupted call is repeated.
    const CLASS: Class = Class::Safe;

    /// The limit on the active time of a call, in ms.
    const TIMEOUT_MS: u64 = TIMEOUT_MS;

    /// The part of a run, such as its page, without which the tool can't work; `None` if the tool
    /// works in every run.
    const NEEDS: Option<Requirement> = None;

    /// The role of the model that the tool calls; `None` if the tool calls no model.
    const MODEL_ROLE: Option<ModelRole> = None;

    /// Estimates the usage of the model call that the tool makes if it is [`Execution::AtOnce`];
    /// `None` if the tool calls no model.
    fn estimated_usage(_aid: &RoleModels) -> Option<RoleCall> {
        None
    }

    /// The place to which the arguments of a call go. The policy decides by it if a call needs the
    /// user's consent.
    const DESTINATION: Destination;

    /// The way in which a call runs: by [`Tool::run`] or by [`Tool::run_in_steps`].
    const EXECUTION: Execution = Execution::AtOnce;

    /// True if a call reads pages that the call itself finds, as a web search does. The user can't
    /// know the addresses of these pages beforehand.
    const READS_FOUND_ADDRESSES: bool = false;

    /// Returns the consent that a call needs, if the policy asks about the tool's [`Destination`]. A tool
    /// that defines no request for the user is refused.
    fn consent(_: &Self::Arguments, _call: &ToolCall, _: &RunContext, _: &RoleModels) -> Consent {
        Consent::Refused
    }

    /// Returns the arguments that send exactly the text that the user approved.
    fn approved(_: &Self::Arguments, arguments: &Value, _sent: &str) -> Value {
        arguments.clone()
    }

    /// The arguments of two example calls, as JSON.
    const EXAMPLES: [&'static str; 2];

    /// Runs a call of [`Execution::AtOnce`]. If the call fails, the model reads the [`ToolError`] and
    /// may correct the call. Dropping the future abandons the call. A tool of [`Class::Keyed`] has its
    /// effect once for each key, however often the tool runs with that key.
    fn run(&self, _: Self::Arguments, _: ToolContext) -> Fut<Result<Output, ToolError>> {
        Box::pin(ready(Err(ToolError::wrong_execution(Self::NAME))))
    }

    /// Runs a call of [`Execution::InSteps`]. The steps are recorded at and below the path of the
    /// given [`Ctx`]. Each step has its own limits, so the agent's loop never drops such a call.
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
    let error = ToolError::wrong_execution(name);
    Box::pin(ready(Ok(ToolOutcome::not_made(error))))
}

/// A tool as a [`Toolbox`] stores it, with arguments that are not parsed yet.
pub trait ToolDyn {
    /// Returns the properties that are the same for every call.
    fn properties(&self) -> ToolProperties;

    /// Returns the definition that is sent to models: name, description, schema and examples.
    fn definition(&self) -> ToolDefinition;

    /// Returns the switch with which the user turns the tool off; `None` if the tool can't be
    /// turned off.
    fn offer(&self) -> Option<ToolSetting> {
        None
    }

    /// Estimates the usage of the model call that a tool of [`Execution::AtOnce`] makes; `None` if the
    /// tool calls no model.
    fn estimated_usage(&self, _aid: &RoleModels) -> Option<RoleCall> {
        None
    }

    /// Returns the place to which the arguments of a call go.
    fn destination(&self) -> Destination;

    /// Returns the consent that a call needs, if the policy asks about the tool's [`Destination`]. A call
    /// with invalid arguments needs no consent, because it can't run.
    fn consent(&self, _: &ToolCall, _: &RunContext, _: &RoleModels) -> Consent {
        Consent::Refused
    }

    /// Returns the arguments that send exactly the text that the user approved.
    fn approved(&self, arguments: &Value, _sent: &str) -> Value {
        arguments.clone()
    }

    /// Parses the arguments and runs the call.
    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>>;

    /// Checks the arguments and runs the call as steps, if the tool is [`Execution::InSteps`].
    fn run_in_steps(&self, _: &Value, _: ToolContext, _: Ctx) -> Fut<Result<ToolOutcome, Halt>> {
        not_in_steps(self.properties().name)
    }
}

impl<T: Tool> ToolDyn for T {
    fn properties(&self) -> ToolProperties {
        ToolProperties {
            name: T::NAME,
            class: T::CLASS,
            timeout_ms: T::TIMEOUT_MS,
            needs: T::NEEDS,
            group: T::GROUP,
            model_role: T::MODEL_ROLE,
            execution: T::EXECUTION,
            reads_found_addresses: T::READS_FOUND_ADDRESSES,
        }
    }

    fn definition(&self) -> ToolDefinition {
        let schema = T::Arguments::schema();
        definition(T::NAME, T::DESCRIPTION, schema, &T::EXAMPLES)
    }

    fn offer(&self) -> Option<ToolSetting> {
        T::HAS_SWITCH.then(ToolSetting::of::<T>)
    }

    fn estimated_usage(&self, aid: &RoleModels) -> Option<RoleCall> {
        T::estimated_usage(aid)
    }

    fn destination(&self) -> Destination {
        T::DESTINATION
    }

    fn consent(&self, call: &ToolCall, run: &RunContext, aid: &RoleModels) -> Consent {
        match T::Arguments::read(&call.arguments) {
            Ok(arguments) => T::consent(&arguments, call, run, aid),
            Err(_) => Consent::Unasked,
        }
    }

    fn approved(&self, arguments: &Value, sent: &str) -> Value {
        match T::Arguments::read(arguments) {
            Ok(read) => T::approved(&read, arguments, sent),
            Err(_) => arguments.clone(),
        }
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
        // The compiler leaves out the parser for the tools that don't run in steps.
        if T::EXECUTION != Execution::InSteps {
            return not_in_steps(T::NAME);
        }
        match T::Arguments::read(arguments) {
            Ok(arguments) => Tool::run_in_steps(self, arguments, context, ctx),
            Err(wrong) => Box::pin(ready(Ok(ToolOutcome::not_made(wrong.into())))),
        }
    }
}

pub(crate) fn definition(
    name: &str,
    means: &str,
    parameters: Value,
    examples: &[&str],
) -> ToolDefinition {
    let read = |example: &&str| serde_json::from_str(example).unwrap_or_default();
    ToolDefinition {
        name: name.to_owned(),
        description: means.to_owned(),
        parameters,
        examples: examples.iter().map(read).collect(),
    }
}
