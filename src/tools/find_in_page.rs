//! `find_in_page`: the passages of the page that bear on a question.

use super::arguments::text;
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
pub(crate) const NAME: &str = "find_in_page";

/// At most this many passages are given.
const PASSAGES: usize = 8;

/// Searches the page's sections, and the best of them for their best paragraphs.
pub(super) struct FindInPage {
    pub(super) study: Study,
}

impl Tool for FindInPage {
    fn name(&self) -> &'static str {
        NAME
    }

    fn definition(&self) -> ToolDefinition {
        ToolDefinition {
            name: NAME.to_owned(),
            description: "The passages of the page the user reads that bear on a question, best \
                first, with ids. Use for a fact, a figure, a name or a claim on the page. Don't \
                use to summarise the page: use summarize_page_content."
                .to_owned(),
            parameters: json!({
                "type": "object",
                "properties": {
                    "query": { "type": "string", "description": "What to look for." }
                },
                "required": ["query"],
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
        async move { find(&study, &call, page.as_ref()).await }.boxed_local()
    }
}

async fn find(
    study: &Study,
    call: &ToolCall,
    page: Option<&Rc<Document>>,
) -> Result<Output, ToolError> {
    let query = text(call, "query")?;
    let page = page.ok_or(ToolError::NoPage)?;
    Ok(Output::passages(study.find(page, query, PASSAGES).await?))
}
