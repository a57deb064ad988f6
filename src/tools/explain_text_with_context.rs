//! `explain_text_with_context`: where the page itself says what a text means.

use super::arguments::{choice, optional_text, text};
use super::{Output, Tool, ToolError};
use crate::durable::{Class, Key};
use crate::host::Fut;
use crate::model::{ToolCall, ToolDefinition};
use crate::page::Document;
use crate::study::Study;
use futures::FutureExt;
use serde_json::json;
use std::rc::Rc;

/// What models call it by.
pub(crate) const NAME: &str = "explain_text_with_context";

/// How many sentences are given at most: the plainer the explanation is to be,
/// the fewer uses beside the definition.
const LEVELS: [(&str, usize); 3] = [("normal", 8), ("simple", 4), ("expert", 16)];

/// Gives the sentences that define, expand or use the text.
pub(super) struct ExplainTextWithContext {
    pub(super) study: Study,
}

impl Tool for ExplainTextWithContext {
    fn name(&self) -> &'static str {
        NAME
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: NAME.to_owned(),
            description: "The sentences of the page that define, spell out or use a term, or stand \
                beside a passage, with ids and why each was chosen. Use when the user asks what something on the page means. Don't use for \
                a question about facts: use find_in_page."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "text": { "type": "string", "description": "The term or passage." },
                    "context": { "type": "string", "description": "The block it stands in, if known: what it says elsewhere is looked for." },
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

    fn run(
        &self,
        call: ToolCall,
        page: Option<Rc<Document>>,
        _: &Key,
    ) -> Fut<Result<Output, ToolError>> {
        let study = self.study.clone();
        async move { explain(&study, &call, page.as_ref()).await }.boxed_local()
    }
}

async fn explain(
    study: &Study,
    call: &ToolCall,
    page: Option<&Rc<Document>>,
) -> Result<Output, ToolError> {
    let term = text(call, "text")?;
    let context = optional_text(call, "context")?;
    let level = choice(call, "level", &LEVELS.map(|(name, _)| name))?;
    let most = LEVELS.iter().find(|(name, _)| *name == level);
    let most = most.map_or(0, |(_, most)| *most);
    let page = page.ok_or(ToolError::NoPage)?;
    let found = study.explain(page, term, context, most).await?;
    Ok(Output::passages(found))
}
