//! `explain_text_with_context`: where the page itself says what a text means.

use super::arguments::{choice, optional_text, text};
use super::{Output, Tool, ToolError};
use crate::durable::Class;
use crate::host::Fut;
use crate::model::{PassageData, PassagesData, ToolCall, ToolDefinition};
use crate::page::Document;
use crate::phrase::phrase;
use crate::text::context::about;
use futures::FutureExt;
use serde_json::{json, to_value};
use std::future::ready;
use std::rc::Rc;

/// At most this many sentences are given.
const SENTENCES: usize = 8;

/// Gives the sentences that define, expand or use the text.
pub(super) struct ExplainTextWithContext;

impl Tool for ExplainTextWithContext {
    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: "explain_text_with_context".to_owned(),
            description: "The sentences of the page that define, expand or use a term or passage, \
                with ids. Use when the user asks what something on the page means. Don't use for \
                a question about facts: use find_in_page."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "text": { "type": "string", "description": "The term or passage." },
                    "context": { "type": "string", "description": "The words around it." },
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
    optional_text(call, "context")?;
    choice(call, "level", &["normal", "simple", "expert"])?;
    let page = page.ok_or(ToolError::NoPage)?;
    let language = page.written_in();
    let sentences = page.sentences(language);
    let texts: Vec<&str> = sentences.iter().map(|sentence| sentence.text).collect();
    let findings = about(&term, &texts, language);
    let passages: Vec<PassageData> = findings
        .iter()
        .take(SENTENCES)
        .filter_map(|finding| sentences.get(finding.sentence))
        .map(|sentence| PassageData {
            id: sentence.id(),
            text: sentence.text.to_owned(),
        })
        .collect();
    let summary = if passages.is_empty() {
        phrase("summary_nothing_found")
    } else {
        phrase("summary_found").with(&passages.len())
    };
    let data = PassagesData {
        passages,
        share_percent: 100,
    };
    Ok(Output {
        data: to_value(data).unwrap_or_default(),
        summary,
    })
}
