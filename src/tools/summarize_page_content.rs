//! `summarize_page_content`: the page's main content, cut to what fits.

use super::arguments::{choice, optional_text};
use super::{Output, Tool, ToolError};
use crate::durable::{Class, Key};
use crate::host::Fut;
use crate::model::{PassageData, Room, ToolCall, ToolDefinition};
use crate::page::Document;
use futures::FutureExt;
use serde_json::json;
use std::future::ready;
use std::rc::Rc;

/// What models call it by.
pub(crate) const NAME: &str = "summarize_page_content";

/// The scratchpad of a simple task (SPEC §9): a longer page is pre-selected.
const NORMAL_TOKENS: u32 = 12_000;

/// A third of it.
const BRIEF_TOKENS: u32 = NORMAL_TOKENS / 3;

/// The scratchpad of a moderate task.
const DETAILED_TOKENS: u32 = 18_000;

/// Gives the whole page, or the passages that say most of it.
pub(super) struct SummarizePageContent;

impl Tool for SummarizePageContent {
    fn name(&self) -> &'static str {
        NAME
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: NAME.to_owned(),
            description: "The main content of the page the user reads, as passages with ids, \
                without menus and advertisements. Use when the whole page matters: a summary, an \
                outline, its main claims. Don't use for one fact on the page: use find_in_page."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "detail": { "type": "string", "enum": ["normal", "brief", "detailed"] },
                    "focus": { "type": "string", "description": "An aspect to prefer, if any." }
                },
                "additionalProperties": false
            }),
        }
    }

    fn class(&self) -> Class {
        Class::Safe
    }

    fn run(
        &self,
        call: ToolCall,
        page: Option<Rc<Document>>,
        key: &Key,
    ) -> Fut<Result<Output, ToolError>> {
        self.run_within(call, page, key, Room::of(None))
    }

    fn run_within(
        &self,
        call: ToolCall,
        page: Option<Rc<Document>>,
        _: &Key,
        room: Room,
    ) -> Fut<Result<Output, ToolError>> {
        ready(summarize(&call, page.as_deref(), room)).boxed_local()
    }
}

fn summarize(call: &ToolCall, page: Option<&Document>, room: Room) -> Result<Output, ToolError> {
    let detail = choice(call, "detail", &["normal", "brief", "detailed"])?;
    let focus = optional_text(call, "focus")?;
    let page = page.ok_or(ToolError::NoPage)?;
    let budget = match detail {
        "brief" => BRIEF_TOKENS,
        "detailed" => DETAILED_TOKENS,
        _ => NORMAL_TOKENS,
    };
    let excerpt = page.excerpt(room.page(budget), focus.as_deref());
    let passages = excerpt.paragraphs.into_iter();
    let passages = passages.map(PassageData::of).collect();
    Ok(Output::passages(passages, Some(excerpt.share_percent)))
}
