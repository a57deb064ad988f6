//! `summarize_page_content`: the page's main content, cut to what fits.

use super::arguments::{choice, optional_text};
use super::{Output, Tool, ToolError};
use crate::durable::Class;
use crate::host::Fut;
use crate::model::{PassageData, ToolCall, ToolDefinition};
use crate::page::{Document, Kind, Paragraph};
use crate::text::index::{Entry, Index};
use crate::text::summary::{Candidate, Role, choose};
use crate::text::tokens::estimate;
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

/// Paragraphs shorter than this are rare: no more are ranked than fill the budget.
const SHORT_TOKENS: u32 = 60;

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

    fn run(&self, call: ToolCall, page: Option<Rc<Document>>) -> Fut<Result<Output, ToolError>> {
        ready(summarize(&call, page.as_deref())).boxed_local()
    }
}

fn summarize(call: &ToolCall, page: Option<&Document>) -> Result<Output, ToolError> {
    let detail = choice(call, "detail", &["normal", "brief", "detailed"])?;
    let focus = optional_text(call, "focus")?;
    let page = page.ok_or(ToolError::NoPage)?;
    let budget = match detail {
        "brief" => BRIEF_TOKENS,
        "detailed" => DETAILED_TOKENS,
        _ => NORMAL_TOKENS,
    };
    let chosen = within(page, budget, focus.as_deref());
    let total: u32 = page.paragraphs.iter().map(tokens).sum();
    let read: u32 = chosen.iter().map(|paragraph| tokens(paragraph)).sum();
    let passages = chosen.into_iter().map(passage).collect();
    Ok(Output::passages(passages, Some(share(read, total))))
}

fn tokens(paragraph: &Paragraph) -> u32 {
    estimate(&paragraph.markdown)
}

fn share(read: u32, total: u32) -> u8 {
    if total == 0 {
        return 100;
    }
    let percent = u64::from(read) * 100 / u64::from(total);
    // "100 %" is said only of the whole.
    u8::try_from(if read < total { percent.min(99) } else { 100 }).unwrap_or(100)
}

fn passage(paragraph: &Paragraph) -> PassageData {
    PassageData {
        id: format!("p{}", paragraph.number),
        text: paragraph.markdown.clone(),
    }
}

/// The paragraphs that fit, in the page's order: all, or headings and the best.
fn within<'a>(page: &'a Document, budget: u32, focus: Option<&str>) -> Vec<&'a Paragraph> {
    let total: u32 = page.paragraphs.iter().map(tokens).sum();
    if total <= budget {
        return page.paragraphs.iter().collect();
    }
    let mut left = budget;
    let mut chosen: Vec<&Paragraph> = Vec::new();
    let most = usize::try_from(budget / SHORT_TOKENS).unwrap_or(usize::MAX);
    for paragraph in ranked(page, most, focus) {
        let cost = tokens(paragraph);
        if cost <= left {
            left -= cost;
            chosen.push(paragraph);
        }
    }
    chosen.sort_unstable_by_key(|paragraph| paragraph.number);
    chosen
}

/// The paragraphs that say most: those on the focus, then the `most` best.
fn ranked<'a>(page: &'a Document, most: usize, focus: Option<&str>) -> Vec<&'a Paragraph> {
    let language = page.written_in();
    let mut ranked: Vec<&Paragraph> = Vec::new();
    if let Some(focus) = focus {
        let entries = page.paragraphs.iter().map(|paragraph| Entry {
            heading: "",
            text: &paragraph.text,
        });
        let hits = Index::new(language, entries).search(focus, page.paragraphs.len());
        ranked.extend(hits.iter().filter_map(|hit| page.paragraphs.get(hit.item)));
    }
    let prose: Vec<&Paragraph> = page
        .paragraphs
        .iter()
        .filter(|paragraph| !matches!(paragraph.kind, Kind::Heading(_) | Kind::Code))
        .collect();
    let candidates: Vec<Candidate<'_>> = prose
        .iter()
        .map(|paragraph| Candidate {
            text: &paragraph.text,
            paragraph: paragraph.number,
            role: Role::Prose,
        })
        .collect();
    let best = choose(&candidates, language, prose.len().min(most));
    ranked.extend(best.iter().filter_map(|index| prose.get(*index)));
    let mut seen = std::collections::BTreeSet::new();
    ranked.retain(|paragraph| seen.insert(paragraph.number));
    ranked
}
