//! A tool with typed arguments as one whose arguments are JSON still: checked, then run.

use super::schema::Argument;
use super::{
    Aid, Consent, Output, Part, Tool, ToolContext, ToolDyn, ToolError, ToolOffer, Vouched,
};
use crate::durable::Class;
use crate::host::Fut;
use crate::model::ToolDefinition;
use serde_json::Value;
use std::future::ready;

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

    fn offer(&self) -> Option<ToolOffer> {
        T::HAS_SWITCH.then(ToolOffer::of::<T>)
    }

    fn class(&self) -> Class {
        T::CLASS
    }

    fn timeout_ms(&self) -> u64 {
        T::TIMEOUT_MS
    }

    fn needs_page(&self) -> bool {
        T::NEEDS_PAGE
    }

    fn asks(&self) -> Option<Part> {
        T::ASKS
    }

    fn consent(&self, arguments: &Value, vouched: &Vouched, aid: &Aid) -> Consent {
        match T::Arguments::read(arguments) {
            Ok(arguments) => T::consent(&arguments, vouched, aid),
            Err(_) => Consent::Unasked,
        }
    }

    fn run(&self, arguments: &Value, context: ToolContext) -> Fut<Result<Output, ToolError>> {
        match T::Arguments::read(arguments) {
            Ok(arguments) => Tool::run(self, arguments, context),
            Err(wrong) => Box::pin(ready(Err(wrong.into()))),
        }
    }
}
