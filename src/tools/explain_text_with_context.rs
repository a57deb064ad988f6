//! `explain_text_with_context`: where the page itself says what a text means.

use super::arguments::{choice, optional_text, text};
use super::{Output, Tool, ToolError};
use crate::durable::Class;
use crate::host::Fut;
use crate::model::{PassageData, ToolCall, ToolDefinition};
use crate::page::Document;
use crate::text::context::about;
use futures::FutureExt;
use serde_json::json;
use std::future::ready;
use std::rc::Rc;

/// What models call it by.
pub(crate) const NAME: &str = "explain_text_with_context";

/// How many sentences are given at most: the plainer the explanation is to be,
/// the fewer uses beside the definition.
const LEVELS: [(&str, usize); 3] = [("normal", 8), ("simple", 4), ("expert", 16)];

/// Gives the sentences that define, expand or use the text.
pub(super) struct ExplainTextWithContext;

impl Tool for ExplainTextWithContext {
    fn name(&self) -> &'static str {
        NAME
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: NAME.to_owned(),
            description: "The sentences of the page that define, expand or use a term or passage, \
                with ids. Use when the user asks what something on the page means. Don't use for \
                a question about facts: use find_in_page."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "text": { "type": "string", "description": "The term or passage." },
                    "context": { "type": "string", "description": "The words around it, if known: what stands there comes first." },
                    "level": { "type": "string", "enum": ["normal", "simple", "expert"] }
                },
                "required": ["text"],
                "additionalProperties": false
            }),
        }
    }

    fn class(&self) -> Class {
        Class::Safe
    }

    fn run(&self, call: ToolCall, page: Option<Rc<Document>>) -> Fut<Result<Output, ToolError>> {
        ready(explain(&call, page.as_deref())).boxed_local()
    }
}

fn explain(call: &ToolCall, page: Option<&Document>) -> Result<Output, ToolError> {
    let term = text(call, "text")?;
    let context = optional_text(call, "context")?.map(|words| spaced(&words));
    let level = choice(call, "level", &LEVELS.map(|(name, _)| name))?;
    let most = LEVELS.iter().find(|(name, _)| *name == level);
    let page = page.ok_or(ToolError::NoPage)?;
    let language = page.written_in();
    let sentences = page.sentences(language);
    let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text).collect();
    let mut findings = about(&term, &texts, language);
    if let Some(context) = context {
        // Stable: what is found for one reason stays best first beyond that.
        findings.sort_by_key(|finding| {
            let text = texts.get(finding.sentence).copied().unwrap_or_default();
            (finding.reason, !is_around(&context, text))
        });
    }
    let passages = findings
        .iter()
        .take(most.map_or(0, |(_, most)| *most))
        .filter_map(|finding| sentences.get(finding.sentence))
        .map(|sentence| PassageData {
            id: sentence.id(),
            text: sentence.text.to_owned(),
        })
        .collect();
    Ok(Output::passages(passages, None))
}

/// Whether a sentence stands in the context, or the context in it.
fn is_around(context: &str, sentence: &str) -> bool {
    let sentence = spaced(sentence);
    context.contains(&sentence) || sentence.contains(context)
}

/// With single spaces: a browser breaks lines where the document does not.
fn spaced(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
